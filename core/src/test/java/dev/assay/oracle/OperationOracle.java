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
        if (run(parts.get(i).ops, after) && agreesWithNumbers(parts.get(i), after)) {
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

  /**
   * Whether the versions that transactions leave come in the order of their numbers, and reads name
   * the number of what they saw, if that is on record. For histories that write each value once.
   */
  private boolean agreesWithNumbers(Part part, Map<Integer, List<Integer>> state) {
    for (Op op : part.ops) {
      int greatest = -1 - op.key(); // Where the state has the greatest number so far.
      if (op instanceof Op.Write write && write.version() != 0 && isLeft(write, part.txn)) {
        if (state.getOrDefault(greatest, List.of(0)).get(0) > write.version()) {
          return false;
        }
        state.put(greatest, List.of(write.version()));
      } else if (op instanceof Op.Read read && read.version() != 0 && read.value() != 0) {
        int written = numberOf(read);
        if (written != 0 && written != read.version()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a write is the last one of its transaction to its key. */
  private static boolean isLeft(Op.Write write, Txn txn) {
    List<Op> writes =
        txn.ops().stream().filter(op -> op.isWrite() && op.key() == write.key()).toList();
    return writes.get(writes.size() - 1) == write;
  }

  /** The number that the value was written with that a read saw; 0 for none. */
  private int numberOf(Op.Read read) {
    for (Part part : parts) {
      for (Op op : part.ops) {
        if (op instanceof Op.Write write
            && write.key() == read.key()
            && write.value() == read.value()) {
          return write.version();
        }
      }
    }
    return 0;
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
