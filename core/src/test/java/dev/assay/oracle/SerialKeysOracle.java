package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Serializability with linearizable keys, straight from its definition: is there an order in which
 * a store that runs one whole transaction at a time gives every result, and which has any two
 * transactions that access a common key as their session has them, or real time? Tries all orders.
 * What has an unknown outcome may take effect at any later time, or never.
 */
final class SerialKeysOracle {
  private final List<Txn> txns;

  /** Whether the order of transactions is demanded whatever keys they access. */
  private final boolean strict;

  private final boolean[] done;

  private SerialKeysOracle(SmallHistory history, boolean strict) {
    this.txns = history.txns().stream().filter(txn -> txn.outcome() != Outcome.ABORTED).toList();
    this.strict = strict;
    this.done = new boolean[txns.size()];
  }

  static boolean holds(SmallHistory history) {
    return new SerialKeysOracle(history, false).findsOrder(new HashMap<>());
  }

  /** The same with the order of all transactions, which is strict serializability. */
  static boolean isStrict(SmallHistory history) {
    return new SerialKeysOracle(history, true).findsOrder(new HashMap<>());
  }

  /** Whether a transaction must come before another if both take effect. */
  private boolean isBefore(int a, int b) {
    Txn first = txns.get(a);
    Txn second = txns.get(b);
    boolean common =
        first.ops().stream()
            .anyMatch(op -> second.ops().stream().anyMatch(other -> other.key() == op.key()));
    boolean inSession = a < b && first.session() == second.session();
    boolean inTime = first.outcome() == Outcome.COMMITTED && first.end() < second.start();
    return (common || strict) && (inSession || inTime);
  }

  private boolean findsOrder(Map<Integer, List<Integer>> state) {
    boolean left = false;
    for (int i = 0; i < done.length; i++) {
      left |= !done[i] && txns.get(i).outcome() == Outcome.COMMITTED;
    }
    for (int i = 0; left && i < done.length; i++) {
      if (!done[i] && mayBeNext(i)) {
        Map<Integer, List<Integer>> after = new HashMap<>(state);
        if (OperationOracle.run(txns.get(i).ops(), after)) {
          done[i] = true;
          if (findsOrder(after)) {
            return true;
          }
          done[i] = false;
        }
      }
    }
    return !left;
  }

  private boolean mayBeNext(int next) {
    for (int i = 0; i < done.length; i++) {
      boolean must = !done[i] && txns.get(i).outcome() == Outcome.COMMITTED;
      if (i != next && (done[i] ? isBefore(next, i) : must && isBefore(i, next))) {
        return false;
      }
    }
    return true;
  }
}
