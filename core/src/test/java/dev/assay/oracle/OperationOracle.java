package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Linearizability of keys and sequential consistency, straight from their definitions: is there an
 * order of the operations in which a store that does one at a time gives every result? Tries all
 * orders. What has an unknown outcome may take effect at any later time, or never.
 */
final class OperationOracle {
  /** What is done at once, in program order. */
  private record Part(Txn txn, List<Op> ops) {
    boolean precedes(Part other) {
      return txn.outcome() == Outcome.COMMITTED && txn.end() < other.txn.start();
    }
  }

  private final List<Part> parts;
  private final boolean realTime;
  private final boolean[] done;

  private OperationOracle(List<Part> parts, boolean realTime) {
    this.parts = parts;
    this.realTime = realTime;
    this.done = new boolean[parts.size()];
  }

  /**
   * Whether each key by itself is linearizable: what a transaction does with it is done at once.
   */
  static boolean isLinearizable(SmallHistory history) {
    TreeSet<Integer> keys = new TreeSet<>();
    history.txns().forEach(txn -> txn.ops().forEach(op -> keys.add(op.key())));
    return keys.stream()
        .allMatch(
            key -> {
              List<Part> parts = new ArrayList<>();
              for (Txn txn : history.txns()) {
                List<Op> ops = txn.ops().stream().filter(op -> op.key() == key).toList();
                if (!ops.isEmpty() && txn.outcome() != Outcome.ABORTED) {
                  parts.add(new Part(txn, ops));
                }
              }
              return new OperationOracle(parts, true).findsOrder(new HashMap<>());
            });
  }

  /** Whether all operations, runs on one key done at once, are sequentially consistent. */
  static boolean isSequential(SmallHistory history) {
    List<Part> parts = new ArrayList<>();
    for (Txn txn : history.txns()) {
      List<Op> run = new ArrayList<>();
      for (Op op : txn.ops()) {
        if (!run.isEmpty() && run.get(0).key() != op.key()) {
          parts.add(new Part(txn, List.copyOf(run)));
          run.clear();
        }
        run.add(op);
      }
      if (!run.isEmpty()) {
        parts.add(new Part(txn, run));
      }
    }
    parts.removeIf(part -> part.txn.outcome() == Outcome.ABORTED);
    return new OperationOracle(parts, false).findsOrder(new HashMap<>());
  }

  private boolean findsOrder(Map<Integer, List<Integer>> state) {
    boolean left = false;
    for (int i = 0; i < done.length; i++) {
      left |= !done[i] && parts.get(i).txn.outcome() == Outcome.COMMITTED;
    }
    if (!left) {
      return true;
    }
    for (int i = 0; i < done.length; i++) {
      if (!done[i] && mayBeNext(i)) {
        Map<Integer, List<Integer>> after = new HashMap<>(state);
        if (run(parts.get(i).ops, after)) {
          done[i] = true;
          if (findsOrder(after)) {
            return true;
          }
          done[i] = false;
        }
      }
    }
    return false;
  }

  /**
   * Whether all that must come before has been done. What has an unknown outcome and comes earlier
   * in the session may have no effect, but not a later one.
   */
  private boolean mayBeNext(int next) {
    Part part = parts.get(next);
    for (int i = 0; i < done.length; i++) {
      Part other = parts.get(i);
      boolean sameSession = other.txn.session() == part.txn.session();
      if (i > next && done[i] && sameSession) {
        return false;
      }
      boolean before = i < next && sameSession || realTime && other.precedes(part);
      if (!done[i] && before && other.txn.outcome() == Outcome.COMMITTED) {
        return false;
      }
    }
    return true;
  }

  /** Does operations; false where a result is another. */
  static boolean run(List<Op> ops, Map<Integer, List<Integer>> state) {
    for (Op op : ops) {
      List<Integer> now = state.getOrDefault(op.key(), List.of());
      int register = now.isEmpty() ? 0 : now.get(now.size() - 1);
      boolean agrees = true;
      if (op instanceof Op.Read read) {
        agrees = read.value() == register;
      } else if (op instanceof Op.OtherRead read) {
        agrees = read.value() != register;
      } else if (op instanceof Op.ListRead read) {
        agrees = read.elements().equals(now);
      } else if (op instanceof Op.SetRead read) {
        agrees = read.elements().equals(List.copyOf(new TreeSet<>(now)));
      } else if (op instanceof Op.Increment increment) {
        state.put(op.key(), List.of(register + increment.amount()));
      } else if (op.isWrite()) {
        List<Integer> more = new ArrayList<>(now);
        more.add(op.written());
        state.put(op.key(), more);
      }
      if (!agrees) {
        return false;
      }
    }
    return true;
  }
}
