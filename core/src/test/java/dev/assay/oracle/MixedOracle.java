package dev.assay.oracle;

import dev.assay.level.Level;
import dev.assay.level.Orders;
import dev.assay.oracle.Facts.WrittenRead;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The section on {@code mixed} of levels.md: there is one commit order in which each transaction
 * has the level that it ran at. Tries every choice of writers and every order.
 */
final class MixedOracle {
  /** The levels that can be mixed. */
  static final List<Level> LEVELS =
      List.of(
          Level.READ_UNCOMMITTED,
          Level.STRONG_SESSION_READ_UNCOMMITTED,
          Level.ADYA_READ_COMMITTED,
          Level.STRONG_SESSION_ADYA_READ_COMMITTED,
          Level.READ_COMMITTED,
          Level.MONOTONIC_ATOMIC_VIEW,
          Level.READ_ATOMIC,
          Level.CAUSAL,
          Level.PREFIX,
          Level.SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.REPEATABLE_READ,
          Level.STRONG_SESSION_REPEATABLE_READ,
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE);

  /** Those that need times. */
  static final List<Level> TIMED =
      List.of(
          Level.STRONG_READ_UNCOMMITTED,
          Level.STRONG_ADYA_READ_COMMITTED,
          Level.STRONG_SNAPSHOT_ISOLATION,
          Level.STRONG_REPEATABLE_READ,
          Level.STRICT_SERIALIZABLE);

  private static final Set<Level> IGNORE_READS =
      Set.of(
          Level.READ_UNCOMMITTED,
          Level.STRONG_SESSION_READ_UNCOMMITTED,
          Level.STRONG_READ_UNCOMMITTED);

  private final Facts facts;
  private final Level[] levels;
  private final Relation sessions;
  private final Relation readFrom;
  private final Relation causal;
  private final Relation required;

  private MixedOracle(Facts facts, List<Level> levelOfPlace) {
    this.facts = facts;
    levels = new Level[facts.size];
    for (int t = 0; t < facts.size; t++) {
      levels[t] = levelOfPlace.get(facts.placeOf(t));
    }
    boolean inSessions = List.of(levels).stream().anyMatch(one -> one.orders() != Orders.NONE);
    sessions = inSessions ? facts.sessionOrder : new Relation(facts.size);
    readFrom = new Relation(facts.size);
    Relation time = new Relation(facts.size);
    for (int a = 0; a < facts.size; a++) {
      for (int b = 0; b < facts.size; b++) {
        if (facts.readFrom.has(a, b) && !IGNORE_READS.contains(levels[b])) {
          readFrom.add(a, b);
        }
        if (facts.realTime.has(a, b) && levels[b].orders() == Orders.REAL_TIME) {
          time.add(a, b);
        }
      }
    }
    causal = sessions.or(readFrom).plus();
    required = sessions.or(readFrom).or(time).or(facts.knownOrder);
  }

  /** Whether each transaction got its level, the one at its place in the list. */
  static boolean holds(SmallHistory history, List<Level> levels) {
    for (Resolution resolution : Resolution.all(history)) {
      if (readsAreAsPromised(resolution, levels)) {
        MixedOracle oracle = new MixedOracle(new Facts(resolution), levels);
        for (int[] place : dev.assay.oracle.Orders.of(oracle.facts.size)) {
          if (oracle.required.isWithin(place) && oracle.satisfiedBy(place)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What contradicts itself is forbidden by every level, whoever read it. */
  private static boolean readsAreAsPromised(Resolution resolution, List<Level> levels) {
    if (!Collections.disjoint(
        ReadOracle.anomalies(resolution), LevelOracle.forbiddenReads(Level.READ_UNCOMMITTED))) {
      return false;
    }
    for (int t = 0; t < levels.size(); t++) {
      int reader = t;
      if (!Collections.disjoint(
          ReadOracle.anomalies(resolution, other -> other == reader),
          LevelOracle.forbiddenReads(levels.get(t)))) {
        return false;
      }
    }
    return true;
  }

  private boolean satisfiedBy(int[] place) {
    for (WrittenRead read : facts.reads) {
      for (int t2 = 0; t2 < facts.size; t2++) {
        boolean inFrame =
            t2 != read.writer() && t2 != read.reader() && facts.writes(t2, read.key());
        boolean wrong = read.writer() == Facts.INITIAL || place[t2] > place[read.writer()];
        if (inFrame && wrong && mustSee(read, t2, place)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether the level of the reader requires it to see another writer of the key. */
  private boolean mustSee(WrittenRead read, int t2, int[] place) {
    int t3 = read.reader();
    return switch (levels[t3]) {
      case READ_COMMITTED, MONOTONIC_ATOMIC_VIEW ->
          facts.reads.stream()
              .anyMatch(
                  other ->
                      other.reader() == t3 && other.writer() == t2 && other.place() < read.place());
      case READ_ATOMIC -> sessions.has(t2, t3) || readFrom.has(t2, t3);
      case CAUSAL -> causal.has(t2, t3);
      case PREFIX -> inSnapshot(t2, t3, place, false);
      case SNAPSHOT_ISOLATION, STRONG_SESSION_SNAPSHOT_ISOLATION, STRONG_SNAPSHOT_ISOLATION ->
          inSnapshot(t2, t3, place, true);
      case REPEATABLE_READ,
          STRONG_SESSION_REPEATABLE_READ,
          STRONG_REPEATABLE_READ,
          SERIALIZABLE,
          STRONG_SESSION_SERIALIZABLE,
          STRICT_SERIALIZABLE ->
          place[t2] < place[t3];
      default -> false;
    };
  }

  /** Whether t2 is, or commits before, something that t3 must have begun after. */
  private boolean inSnapshot(int t2, int t3, int[] place, boolean exclusive) {
    for (int t = 0; t < facts.size; t++) {
      boolean timed = levels[t3].orders() == Orders.REAL_TIME && facts.realTime.has(t, t3);
      boolean conflicts = exclusive && facts.writeCommonKey(t, t3) && place[t] < place[t3];
      boolean before = sessions.has(t, t3) || readFrom.has(t, t3) || timed || conflicts;
      if (before && t != t3 && place[t2] <= place[t]) {
        return true;
      }
    }
    return false;
  }
}
