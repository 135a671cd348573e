package dev.assay.oracle;

import dev.assay.level.Level;
import dev.assay.oracle.Facts.WrittenRead;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Adya's graph for the version order that a total order of the transactions gives: ww and rw go to
 * the writers of all later versions, which closes the same cycles as going to the next one only.
 */
final class DependencyGraph {
  /** The levels given by this graph that levels.md also gives by an axiom on CM. */
  static final Set<Level> ALSO_BY_AXIOM =
      Collections.unmodifiableSet(
          EnumSet.of(Level.STRONG_SESSION_SERIALIZABLE, Level.STRONG_SESSION_SNAPSHOT_ISOLATION));

  private final Facts facts;
  private final Relation none;
  private final Relation overwrites;
  private final Relation reads;
  private final Relation antiDepends;

  DependencyGraph(Facts facts, int[] place) {
    this.facts = facts;
    this.none = new Relation(facts.size);
    this.reads = facts.readFrom;
    this.overwrites = new Relation(facts.size);
    this.antiDepends = new Relation(facts.size);
    for (int a = 0; a < facts.size; a++) {
      for (int b = 0; b < facts.size; b++) {
        if (place[a] < place[b] && facts.writeCommonKey(a, b)) {
          overwrites.add(a, b);
        }
      }
    }
    for (WrittenRead read : facts.reads) {
      for (int b = 0; b < facts.size; b++) {
        boolean later = read.writer() == Facts.INITIAL || place[b] > place[read.writer()];
        if (b != read.reader() && later && facts.writes(b, read.key())) {
          antiDepends.add(read.reader(), b);
        }
      }
    }
  }

  boolean satisfies(Level level) {
    Relation session = facts.sessionOrder;
    Relation sessionAndTime = facts.sessionAndTime;
    return switch (level) {
      case READ_UNCOMMITTED -> overwrites.isAcyclic();
      case STRONG_SESSION_READ_UNCOMMITTED -> overwrites.or(session).isAcyclic();
      case STRONG_READ_UNCOMMITTED -> overwrites.or(sessionAndTime).isAcyclic();
      case ADYA_READ_COMMITTED -> informationFlow(none).isAcyclic();
      case STRONG_SESSION_ADYA_READ_COMMITTED -> informationFlow(session).isAcyclic();
      case STRONG_ADYA_READ_COMMITTED -> informationFlow(sessionAndTime).isAcyclic();
      case CURSOR_STABILITY -> informationFlow(none).isAcyclic() && !hasLostUpdate();
      case CONSISTENT_VIEW -> noCycleWithOneAntiDependency(none);
      case PARALLEL_SNAPSHOT_ISOLATION -> noCycleWithOneAntiDependency(session);
      case STRONG_CONSISTENT_VIEW -> noCycleWithOneAntiDependency(sessionAndTime);
      case SNAPSHOT_ISOLATION -> noCycleWithoutAdjacentAntiDependencies(none);
      case STRONG_SESSION_SNAPSHOT_ISOLATION -> noCycleWithoutAdjacentAntiDependencies(session);
      case STRONG_SNAPSHOT_ISOLATION -> noCycleWithoutAdjacentAntiDependencies(sessionAndTime);
      case SERIALIZABLE, REPEATABLE_READ -> noCycle(none);
      case STRONG_SESSION_SERIALIZABLE, STRONG_SESSION_REPEATABLE_READ -> noCycle(session);
      case STRICT_SERIALIZABLE, STRONG_REPEATABLE_READ -> noCycle(sessionAndTime);
      default -> throw new IllegalArgumentException(level + " is not given by Adya's graph");
    };
  }

  private Relation informationFlow(Relation extra) {
    return overwrites.or(reads).or(extra);
  }

  private boolean noCycleWithOneAntiDependency(Relation extra) {
    Relation paths = informationFlow(extra).plus();
    return paths.isIrreflexive() && antiDepends.then(paths).isIrreflexive();
  }

  /** In such a cycle each rw follows an edge of another kind: it is a cycle of D and D;rw. */
  private boolean noCycleWithoutAdjacentAntiDependencies(Relation extra) {
    Relation flow = informationFlow(extra);
    return flow.or(flow.then(antiDepends)).isAcyclic();
  }

  private boolean noCycle(Relation extra) {
    return informationFlow(extra).or(antiDepends).isAcyclic();
  }

  /** Two transactions read the same version of a key from elsewhere and then write the key. */
  private boolean hasLostUpdate() {
    for (WrittenRead a : facts.reads) {
      for (WrittenRead b : facts.reads) {
        boolean sameVersion = a.key() == b.key() && a.writer() == b.writer();
        if (sameVersion
            && a.reader() != b.reader()
            && facts.isExternal(a)
            && facts.isExternal(b)
            && facts.writeCommonKey(a.reader(), b.reader(), a.key())) {
          return true;
        }
      }
    }
    return false;
  }
}
