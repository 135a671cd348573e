package dev.assay.oracle;

import dev.assay.level.Level;
import dev.assay.oracle.Facts.WrittenRead;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * One commit order CM and the axioms of levels.md on it: for t1 –WR(x)→ t3 and t2 that also writes
 * x, t2 ≠ t1, t2 ≠ t3, the level may want t2 before t1. Nothing is before T⊥.
 */
final class CommitOrder {
  /** The levels that are given by an axiom on CM. */
  static final Set<Level> LEVELS =
      Collections.unmodifiableSet(
          EnumSet.of(
              Level.STRONG_SESSION_SERIALIZABLE,
              Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
              Level.PREFIX,
              Level.UPDATE_ATOMIC,
              Level.CAUSAL,
              Level.READ_ATOMIC,
              Level.READ_COMMITTED,
              Level.MONOTONIC_ATOMIC_VIEW,
              Level.PRAM,
              Level.READ_YOUR_WRITES,
              Level.MONOTONIC_READS,
              Level.MONOTONIC_WRITES,
              Level.WRITES_FOLLOW_READS));

  private final Facts facts;
  private final int[] place;
  private final Relation sessionOrder;
  private final Relation readFrom;
  private final boolean containsCausalOrder;
  private final boolean containsReads;

  CommitOrder(Facts facts, int[] place) {
    this.facts = facts;
    this.place = place;
    this.sessionOrder = facts.sessionOrder;
    this.readFrom = facts.readFrom;
    this.containsCausalOrder = facts.causalOrder.isWithin(place);
    this.containsReads = readFrom.isWithin(place);
  }

  boolean satisfies(Level level) {
    // An order that contains WR contains WR⁺.
    if (!(level == Level.MONOTONIC_ATOMIC_VIEW ? containsReads : containsCausalOrder)) {
      return false;
    }
    for (WrittenRead read : facts.reads) {
      for (int t2 = 0; t2 < facts.size; t2++) {
        boolean inFrame =
            t2 != read.writer() && t2 != read.reader() && facts.writes(t2, read.key());
        if (inFrame && mustPrecede(level, t2, read)) {
          if (read.writer() == Facts.INITIAL || !before(t2, read.writer())) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean mustPrecede(Level level, int t2, WrittenRead read) {
    int t3 = read.reader();
    return switch (level) {
      case READ_COMMITTED, MONOTONIC_ATOMIC_VIEW -> readEarlier(t2, read);
      case READ_ATOMIC -> sessionOrder.has(t2, t3) || readFrom.has(t2, t3);
      case CAUSAL -> facts.causalOrder.has(t2, t3);
      case PREFIX -> inPrefix(t2, t3);
      case STRONG_SESSION_SNAPSHOT_ISOLATION -> inPrefix(t2, t3) || beforeConflict(t2, t3);
      case STRONG_SESSION_SERIALIZABLE -> before(t2, t3);
      case UPDATE_ATOMIC ->
          sessionOrder.has(t2, t3)
              || readFrom.has(t2, t3)
              || (before(t2, t3) && facts.writeCommonKey(t2, t3));
      case READ_YOUR_WRITES -> sessionOrder.has(t2, t3);
      case MONOTONIC_READS -> facts.readBeforeInSession.has(t2, t3);
      case MONOTONIC_WRITES -> facts.earlierThanRead.has(t2, t3);
      case WRITES_FOLLOW_READS -> facts.readBeforeRead.has(t2, t3);
      case PRAM ->
          mustPrecede(Level.READ_YOUR_WRITES, t2, read)
              || mustPrecede(Level.MONOTONIC_READS, t2, read)
              || mustPrecede(Level.MONOTONIC_WRITES, t2, read);
      default -> throw new IllegalArgumentException(level + " is not given by an axiom on CM");
    };
  }

  private boolean before(int a, int b) {
    return place[a] < place[b];
  }

  /** t3 reads anything from t2 earlier in program order than this read. */
  private boolean readEarlier(int t2, WrittenRead read) {
    for (WrittenRead other : facts.reads) {
      if (other.reader() == read.reader() && other.writer() == t2 && other.place() < read.place()) {
        return true;
      }
    }
    return false;
  }

  /** t2 –CM*;(SO ∪ WR)→ t3. */
  private boolean inPrefix(int t2, int t3) {
    for (int t = 0; t < facts.size; t++) {
      boolean reached = t == t2 || before(t2, t);
      if (reached && (sessionOrder.has(t, t3) || readFrom.has(t, t3))) {
        return true;
      }
    }
    return false;
  }

  /** t3 and some t4 write a common key with t2 –CM*→ t4 –CM→ t3. */
  private boolean beforeConflict(int t2, int t3) {
    for (int t4 = 0; t4 < facts.size; t4++) {
      boolean reached = t4 == t2 || before(t2, t4);
      if (reached && before(t4, t3) && facts.writeCommonKey(t3, t4)) {
        return true;
      }
    }
    return false;
  }
}
