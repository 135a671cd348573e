package dev.assay.oracle.predicate;

import dev.assay.level.Level;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Serializability and snapshot isolation by trying: every serial order, and every order of
 * beginnings and commits, run on a table.
 */
final class SerialOracle {
  /** The levels decided here; those of real time only where there are times. */
  static final Set<Level> DECIDED =
      Collections.unmodifiableSet(
          EnumSet.of(
              Level.SERIALIZABLE,
              Level.STRONG_SESSION_SERIALIZABLE,
              Level.STRICT_SERIALIZABLE,
              Level.SNAPSHOT_ISOLATION,
              Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
              Level.STRONG_SNAPSHOT_ISOLATION));

  private final PredicateHistory history;
  private final boolean sessions;
  private final boolean realTime;
  private final List<Overwrite> given;
  private final List<Map<String, Row>> writes = new ArrayList<>();

  /** A transaction is known to have overwritten a version of another. */
  record Overwrite(int earlier, int later) {}

  private SerialOracle(
      PredicateHistory history, List<Overwrite> given, boolean sessions, boolean realTime) {
    this.history = history;
    this.given = given;
    this.sessions = sessions;
    this.realTime = realTime;
    for (int txn = 0; txn < history.size(); txn++) {
      writes.add(history.finalWrites(txn));
    }
  }

  static Set<Level> holding(PredicateHistory history) {
    return holding(history, List.of());
  }

  /** The levels that hold by orders that agree with what is known of versions. */
  static Set<Level> holding(PredicateHistory history, List<Overwrite> given) {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    Level[] serializable = {
      Level.SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE, Level.STRICT_SERIALIZABLE
    };
    Level[] snapshot = {
      Level.SNAPSHOT_ISOLATION,
      Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
      Level.STRONG_SNAPSHOT_ISOLATION
    };
    for (int i = 0; i < 3; i++) {
      SerialOracle oracle = new SerialOracle(history, given, i > 0, i > 1);
      if (oracle.isSerial(new Rows(), 0)) {
        holding.add(serializable[i]);
      }
      if (oracle.hasSnapshots(new Rows(), 0, 0, new HashMap<>())) {
        holding.add(snapshot[i]);
      }
    }
    return holding;
  }

  /** Whether transactions in an order, one after another, give what they gave. */
  static boolean explains(PredicateHistory history, List<Integer> order) {
    Rows table = new Rows();
    boolean agrees = true;
    for (int txn : order) {
      agrees &= table.agrees(history.txns().get(txn));
    }
    return agrees;
  }

  private boolean mayCome(int txn, int done) {
    for (int other = 0; other < history.size(); other++) {
      boolean open = (done & (1 << other)) == 0 && other != txn;
      boolean overwritten = given.contains(new Overwrite(other, txn));
      if (open && (overwritten || history.precedes(other, txn, sessions, realTime))) {
        return false;
      }
    }
    return (done & (1 << txn)) == 0;
  }

  /** Whether the transactions not yet done can follow on a table. */
  private boolean isSerial(Rows table, int done) {
    if (done == (1 << history.size()) - 1) {
      return true;
    }
    for (int txn = 0; txn < history.size(); txn++) {
      if (mayCome(txn, done)) {
        Rows next = new Rows(table.content());
        if (next.agrees(history.txns().get(txn)) && isSerial(next, done | (1 << txn))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether beginnings and commits can go on from a table.
   *
   * @param begun the transactions that have begun
   * @param done those of them that have committed
   * @param barred for each transaction that has begun the keys that others have committed since
   */
  private boolean hasSnapshots(Rows table, int begun, int done, Map<Integer, Set<String>> barred) {
    if (done == (1 << history.size()) - 1) {
      return true;
    }
    for (int txn = 0; txn < history.size(); txn++) {
      boolean open = (begun & (1 << txn)) != 0;
      boolean found =
          open ? commits(txn, table, begun, done, barred) : begins(txn, table, begun, done, barred);
      if (found) {
        return true;
      }
    }
    return false;
  }

  private boolean begins(
      int txn, Rows table, int begun, int done, Map<Integer, Set<String>> barred) {
    if (!mayCome(txn, done) || !new Rows(table.content()).agrees(history.txns().get(txn))) {
      return false;
    }
    Map<Integer, Set<String>> next = new HashMap<>(barred);
    next.put(txn, Set.of());
    return hasSnapshots(table, begun | (1 << txn), done, next);
  }

  private boolean commits(
      int txn, Rows table, int begun, int done, Map<Integer, Set<String>> barred) {
    Set<String> own = writes.get(txn).keySet();
    if ((done & (1 << txn)) != 0 || !Collections.disjoint(own, barred.get(txn))) {
      return false;
    }
    Rows after = new Rows(table.content());
    after.putAll(writes.get(txn));
    Map<Integer, Set<String>> next = new HashMap<>();
    barred.forEach(
        (other, keys) -> {
          Set<String> more = new java.util.HashSet<>(keys);
          more.addAll(own);
          next.put(other, more);
        });
    return hasSnapshots(after, begun, done | (1 << txn), next);
  }
}
