package dev.assay.check.linear;

import dev.assay.check.Budget;
import dev.assay.check.Verdict;
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
 * Decides by search whether keys are linearizable whose reads do not name what they saw: values
 * that were written more than once, conditions that failed, counters. All other keys are left to
 * the checkers of transactions, which need no search for them.
 */
public final class SearchedKeys {
  /** Sums of this many increments cannot overflow. */
  private static final long LARGEST_INCREMENT = 1L << 31;

  /**
   * A key that is not linearizable.
   *
   * @param operations a smallest set of operations on it that no order explains, by start
   * @param loose those of them that need not have taken effect, and still do not help
   */
  public record Conflict(int key, List<Integer> operations, Set<Integer> loose) {}

  /**
   * What was found.
   *
   * @param conflicts the first keys that are not linearizable
   * @param count the number of all of them
   * @param open why some keys could not be decided, or null
   */
  public record Found(List<Conflict> conflicts, int count, Verdict.Unknown open) {}

  private final History history;
  private final Budget budget;

  /** For each key its operations that may have taken effect; null for those not searched. */
  private final IntList[] operations;

  private final BitSet keys = new BitSet();

  public SearchedKeys(History history, Budget budget) {
    this.history = history;
    this.budget = budget;
    this.operations = new IntList[history.keys().count()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.ABORTED) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int key = history.key(op);
        operations[key] = operations[key] == null ? new IntList(4) : operations[key];
        operations[key].add(op);
      }
    }
    for (int key = 0; key < operations.length; key++) {
      if (operations[key] != null && isSearched(key, operations[key])) {
        keys.set(key);
      } else {
        operations[key] = null;
      }
    }
  }

  /** The keys that are decided here. */
  public BitSet keys() {
    return keys;
  }

  private boolean isSearched(int key, IntList ops) {
    Set<Integer> written = new HashSet<>();
    boolean ambiguous = false;
    OpKind.Type type = history.kind(ops.get(0)).type();
    for (int i = 0; i < ops.size(); i++) {
      int op = ops.get(i);
      if (history.kind(op).type() != type || isTooLarge(op)) {
        return false;
      }
      if (history.kind(op).isWrite()) {
        boolean initial = type == OpKind.Type.REGISTER && history.isInitial(key, history.value(op));
        ambiguous |= initial || !written.add(history.value(op));
      }
      ambiguous |= type.isNumber() || history.isOtherRead(op);
    }
    return ambiguous;
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
    int count = 0;
    Verdict.Unknown open = null;
    for (int key = keys.nextSetBit(0); key >= 0; key = keys.nextSetBit(key + 1)) {
      try {
        KeyParts parts = KeyParts.of(history, key, operations[key]);
        switch (new KeySearch(parts).run(Long.MAX_VALUE, budget::expired)) {
          case ORDERED -> {}
          case GAVE_UP -> open = Verdict.Unknown.TIMEOUT;
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
    return new Found(conflicts, count, open);
  }

  private static Conflict conflict(KeyParts parts) {
    List<Integer> all = new ArrayList<>();
    Set<Integer> loose = new HashSet<>();
    for (int part = 0; part < parts.count(); part++) {
      for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
        all.add(parts.ops[i]);
        if (parts.optional[part]) {
          loose.add(parts.ops[i]);
        }
      }
    }
    all.sort((a, b) -> Long.compare(start(parts, a), start(parts, b)));
    return new Conflict(parts.key, all, loose);
  }

  private static long start(KeyParts parts, int op) {
    return parts.history.start(parts.history.transactionOf(op));
  }
}
