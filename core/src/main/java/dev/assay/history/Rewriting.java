package dev.assay.history;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A history rewritten as another one that a checker can decide: sets as registers, one for each
 * element, operations as transactions, predicate results as reads. Findings are about the
 * transactions, operations and keys of the rewritten history; this class maps them back to the
 * original.
 */
public final class Rewriting {
  private static final int NONE = -1;

  /** For operations of the rewritten history that are of none of the original. */
  public static final int NO_OPERATION = NONE;

  private final History original;
  private final History rewritten;

  // For each transaction, operation and key of the rewritten history that of the original.
  private final int[] transactions;
  private final int[] operations;
  private final int[] keys;

  private final boolean splits;

  private Rewriting(
      History original,
      History rewritten,
      int[] transactions,
      int[] operations,
      int[] keys,
      boolean splits) {
    this.original = original;
    this.rewritten = rewritten;
    this.transactions = transactions;
    this.operations = operations;
    this.keys = keys;
    this.splits = splits;
  }

  /** The identity. */
  public static Rewriting none(History history) {
    return new Rewriting(history, history, null, null, null, false);
  }

  public History original() {
    return original;
  }

  public History rewritten() {
    return rewritten;
  }

  /** Whether this is the identity. */
  public boolean isNone() {
    return original == rewritten;
  }

  /** The original's transaction behind one of the rewritten history; negative as is. */
  public int transaction(int rewrittenTxn) {
    return back(rewrittenTxn, transactions);
  }

  /** The original's operation behind one of the rewritten history; negative as is. */
  public int operation(int rewrittenOp) {
    return back(rewrittenOp, operations);
  }

  /** The original's key behind one of the rewritten history; negative as is. */
  public int key(int rewrittenKey) {
    return back(rewrittenKey, keys);
  }

  private static int back(int number, int[] origins) {
    return number < 0 || origins == null ? number : origins[number];
  }

  /** Whether each transaction of the rewritten history is a part of one of the original. */
  public boolean splitsTransactions() {
    return splits;
  }

  /** Whether a read of the rewritten history represents a predicate result. */
  public boolean isByPredicate(int rewrittenOp) {
    return rewrittenOp >= 0
        && rewritten.value(rewrittenOp) != Values.UNKNOWN
        && !rewritten.kind(rewrittenOp).isPredicate()
        && original.kind(operation(rewrittenOp)).isPredicate();
  }

  /** This rewriting followed by another one of its result. */
  public Rewriting then(Rewriting next) {
    if (next.original != rewritten) {
      throw new IllegalArgumentException("a rewriting of another history");
    }
    if (isNone() || next.isNone()) {
      return isNone() ? next : this;
    }
    return new Rewriting(
        original,
        next.rewritten,
        Arrays.stream(next.transactions).map(this::transaction).toArray(),
        Arrays.stream(next.operations).map(this::operation).toArray(),
        Arrays.stream(next.keys).map(this::key).toArray(),
        splits || next.splits);
  }

  /**
   * Writes the rewritten history transaction by transaction. Operations added to {@link #history}
   * map to the one last set by {@link #from}. Sessions keep their numbers.
   */
  public static final class Builder {
    private final History original;
    private final HistoryBuilder rewritten = new HistoryBuilder();
    private final OperationCopy copy;
    private int[] transactions;
    private int transactionCount;
    private int[] operations;
    private int operationCount;
    private int current = NONE;
    private boolean splits;

    /** Operations that only reserve a number. */
    private final BitSet placeholders = new BitSet();

    public Builder(History original) {
      this.original = original;
      this.copy = new OperationCopy(original, rewritten);
      this.transactions = new int[original.transactionCount()];
      this.operations = new int[original.operationCount()];
      for (int session = 0; session < original.sessionCount(); session++) {
        rewritten.session(original.sessionName(session));
      }
    }

    /** For adding operations that are not copies. */
    public HistoryBuilder history() {
      return rewritten;
    }

    /** Begins a transaction with everything of the original's except its id. */
    public int begin(int from) {
      count(from);
      return copy.begin(from);
    }

    /** Begins a transaction with the session, outcome and times of the original's alone. */
    public void beginWithTimes(int from) {
      count(from);
      int txn = rewritten.begin(original.session(from), original.outcome(from));
      rewritten.level(txn, original.level(from));
      rewritten.start(txn, original.start(from));
      rewritten.end(txn, original.end(from));
    }

    /** Begins a transaction of unknown outcome that is assumed to have applied at some time. */
    public void beginApplied(int from) {
      beginCommitted(from);
      rewritten.start(rewritten.transactionCount() - 1, original.start(from));
    }

    private void count(int from) {
      close();
      current = NONE;
      transactions = with(transactions, transactionCount++, from);
    }

    /** Begins a transaction for one operation, with nothing but the session of the original's. */
    public void beginOperation(int op, Outcome outcome) {
      splits = true;
      int txn = original.transactionOf(op);
      count(txn);
      rewritten.begin(original.session(txn), outcome);
    }

    /**
     * Begins a transaction for a part of one of the original, with its outcome and times, in a
     * session of any name.
     */
    public void beginPart(int from, Object session) {
      splits = true;
      count(from);
      int txn = rewritten.begin(rewritten.session(session), original.outcome(from));
      rewritten.start(txn, original.start(from));
      rewritten.end(txn, original.end(from));
    }

    /** Begins a committed transaction that is a part of one of the original. */
    public void beginCommitted(int from) {
      count(from);
      rewritten.begin(original.session(from), Outcome.COMMITTED);
    }

    /** Begins a committed transaction that is of none of the original, in a session of its own. */
    public void beginOther(int session) {
      count(NONE);
      rewritten.begin(session, Outcome.COMMITTED);
    }

    /** Operations added from here on map to this one. */
    public Builder from(int op) {
      close();
      current = op;
      return this;
    }

    /** The number that the next operation will have. */
    public int nextOperation() {
      return rewritten.operationCount();
    }

    /** Copies an operation. */
    public void copy(int op) {
      from(op);
      copy.add(op);
    }

    /** Replaces an operation by a placeholder, so that others keep their numbers. */
    public void blank(int op) {
      from(op);
      placeholders.set(nextOperation());
      copy.addNothing();
    }

    /** The key of an operation of the original, as a raw scalar of the rewritten history. */
    public long rawKey(int op) {
      return rewritten.scalars().of(original.keys().get(original.key(op)));
    }

    /** A value of the original, as a raw scalar of the rewritten history. */
    public long rawValue(int code) {
      return rewritten.scalars().of(original.values().get(code));
    }

    private void close() {
      while (operationCount < rewritten.operationCount()) {
        operations = with(operations, operationCount++, current);
      }
    }

    private static int[] with(int[] list, int index, int item) {
      int[] grown =
          index < list.length
              ? list
              : Arrays.copyOf(list, Math.addExact(index, Math.max(index >>> 1, 16)));
      grown[index] = item;
      return grown;
    }

    /** The finished rewriting. The builder must not be used afterwards. */
    public Rewriting build() {
      close();
      History result = rewritten.build();
      int[] keys = new int[result.keys().count()];
      Arrays.fill(keys, NONE);
      for (int op = 0; op < operationCount; op++) {
        boolean keyed =
            !placeholders.get(op)
                && operations[op] != NO_OPERATION
                && !original.kind(operations[op]).isPredicate();
        if (keyed && result.key(op) >= 0) {
          keys[result.key(op)] = original.key(operations[op]);
        }
      }
      return new Rewriting(
          original,
          result,
          Arrays.copyOf(transactions, transactionCount),
          Arrays.copyOf(operations, operationCount),
          keys,
          splits);
    }
  }
}
