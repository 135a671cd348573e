package dev.assay.check.linear;

import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.check.linear.KeySearch.Answer;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides by search whether each key is linearizable. Where each read names what it saw, the
 * checkers of transactions need no search, so that one only tries for a while and leaves the key to
 * them.
 */
public final class SearchedKeys {
  /** Sums of this many increments cannot overflow. */
  private static final long LARGEST_INCREMENT = 1L << 31;

  /** Maximum number of parts tried where others can decide: per operation, and at least. */
  private static final long TRIES_PER_OPERATION = 50;

  private static final long MIN_TRIES = 10_000;

  /**
   * A key that is not linearizable.
   *
   * @param operations a smallest set of operations on it that no order explains, by start
   */
  public record Conflict(int key, List<Integer> operations) {}

  /**
   * What was found.
   *
   * @param conflicts the first keys that are not linearizable
   * @param count the number of all of them
   * @param open why some keys could not be decided, or null
   * @param left keys that are left to others
   */
  public record Found(List<Conflict> conflicts, int count, Verdict.Unknown open, BitSet left) {}

  private final History history;
  private final Budget budget;

  /** For each key its operations that may have taken effect, or null. */
  private final IntList[] operations;

  public SearchedKeys(History history, Budget budget) {
    this.history = history;
    this.budget = budget;
    this.operations = new IntList[history.keys().count()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) != Outcome.ABORTED) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int key = history.key(op);
          operations[key] = operations[key] == null ? new IntList(4) : operations[key];
          operations[key].add(op);
        }
      }
    }
  }

  /** Whether a key is of one type, with numbers that can be added to what is known. */
  private boolean canBeSearched(IntList ops) {
    OpKind.Type type = history.kind(ops.get(0)).type();
    if (type.isNumber() && history.countersBeginAnywhere()) {
      return false;
    }
    for (int i = 0; i < ops.size(); i++) {
      boolean numbered = history.values().isVersioned(history.value(ops.get(i)));
      if (numbered || history.kind(ops.get(i)).type() != type || isTooLarge(ops.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether each read names what it saw. */
  private boolean namesWriters(int key, IntList ops) {
    Set<Integer> written = new HashSet<>();
    for (int i = 0; i < ops.size(); i++) {
      int op = ops.get(i);
      OpKind.Type type = history.kind(op).type();
      if (type.isNumber() || history.isOtherRead(op)) {
        return false;
      }
      if (history.kind(op).isWrite()) {
        boolean initial = type == OpKind.Type.REGISTER && history.isInitial(key, history.value(op));
        if (initial || !written.add(history.value(op))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether sums with a number might overflow, or it is wider than 64 bits. */
  private boolean isTooLarge(int op) {
    int value = history.value(op);
    if (!history.kind(op).type().isNumber() || value == Values.NIL || value == Values.UNKNOWN) {
      return false;
    }
    boolean write = history.kind(op).isWrite();
    return !history.values().isInteger(value)
        || (write && Math.abs(history.values().asLong(value)) > LARGEST_INCREMENT);
  }

  /** Searches key by key, and goes on where one is not linearizable or cannot be decided. */
  public Found run() {
    List<Conflict> conflicts = new ArrayList<>();
    BitSet left = new BitSet();
    int count = 0;
    Verdict.Unknown open = null;
    for (int key = 0; key < operations.length; key++) {
      IntList ops = operations[key];
      if (ops == null) {
        continue;
      }
      boolean searchable = canBeSearched(ops);
      boolean named = !searchable || namesWriters(key, ops);
      try {
        KeyParts parts = searchable ? KeyParts.of(history, key, ops) : null;
        long most = named ? MIN_TRIES + TRIES_PER_OPERATION * ops.size() : Long.MAX_VALUE;
        switch (searchable ? search(parts, most) : Answer.GAVE_UP) {
          case ORDERED -> {}
          case GAVE_UP -> {
            left.set(key, named);
            open = named ? open : Verdict.Unknown.TIMEOUT;
          }
          case NOT_ORDERED -> {
            if (count++ < budget.maxWitnesses()) {
              conflicts.add(conflict(SmallestConflict.of(parts, budget::expired)));
            }
          }
        }
      } catch (OutOfMemoryError e) {
        open = Verdict.Unknown.OUT_OF_MEMORY;
      }
    }
    return new Found(conflicts, count, open, left);
  }

  private Answer search(KeyParts parts, long most) {
    return new KeySearch(parts).run(most, budget::expired);
  }

  private static Conflict conflict(KeyParts parts) {
    List<Integer> all = new ArrayList<>();
    for (int op : parts.ops) {
      all.add(op);
    }
    return new Conflict(parts.key, all);
  }
}
