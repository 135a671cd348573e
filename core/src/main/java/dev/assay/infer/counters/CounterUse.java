package dev.assay.infer.counters;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.Counters;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The use of counters by transactions that count, numbered consecutively: for each its reads, as
 * sums without its own earlier increments and without what the counter began at, and its total
 * increment of each counter. Transactions of unknown outcome that are the last of their sessions
 * may have incremented too.
 */
final class CounterUse {
  private final History history;
  private final long[] starts;
  private final BitSet optional = new BitSet();
  private final int[] firstRead;
  private final int[] firstIncrement;
  private int[] readBy = new int[16];
  private int[] readCounter = new int[16];
  private int[] readOp = new int[16];
  private long[] sum = new long[16];
  private boolean[] afterOwn = new boolean[16];
  private int[] incrementBy = new int[16];
  private int[] counter = new int[16];
  private long[] amount = new long[16];

  /**
   * Collects the use.
   *
   * @param starts what each counter begins at
   */
  CounterUse(History history, ReadsFrom reads, long[] starts) {
    this.history = history;
    this.starts = starts;
    int transactions = history.transactionCount();
    this.firstRead = new int[transactions + 1];
    this.firstIncrement = new int[transactions + 1];
    for (int txn = 0; txn < transactions; txn++) {
      firstRead[txn + 1] = firstRead[txn];
      firstIncrement[txn + 1] = firstIncrement[txn];
      boolean counts = reads.counts(txn);
      optional.set(txn, !counts && mayApply(txn));
      boolean used = counts || optional.get(txn);
      for (int op = history.firstOp(txn); used && op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.INCREMENT) {
          addIncrement(txn, op);
        } else if (counts
            && history.kind(op) == OpKind.COUNTER_READ
            && history.value(op) != Values.UNKNOWN) {
          addRead(txn, op);
        }
      }
    }
  }

  /** Whether a transaction of unknown outcome did nothing but use counters, and then stopped. */
  private boolean mayApply(int txn) {
    int session = history.session(txn);
    boolean last = history.sessionTransaction(session, history.sessionSize(session) - 1) == txn;
    boolean may = last && history.outcome(txn) == Outcome.INDETERMINATE;
    for (int op = history.firstOp(txn); may && op < history.endOp(txn); op++) {
      may = history.kind(op).type() == OpKind.Type.COUNTER;
    }
    return may;
  }

  /** Whether a transaction may or may not have applied. */
  boolean isOptional(int txn) {
    return optional.get(txn);
  }

  private void addIncrement(int txn, int op) {
    int own = increment(txn, history.key(op));
    if (own < 0) {
      own = firstIncrement[txn + 1]++;
      if (own == counter.length) {
        incrementBy = Arrays.copyOf(incrementBy, 2 * own);
        counter = Arrays.copyOf(counter, 2 * own);
        amount = Arrays.copyOf(amount, 2 * own);
      }
      incrementBy[own] = txn;
      counter[own] = history.key(op);
    }
    amount[own] += amount(history, op);
  }

  private void addRead(int txn, int op) {
    int read = firstRead[txn + 1]++;
    if (read == sum.length) {
      readBy = Arrays.copyOf(readBy, 2 * read);
      readCounter = Arrays.copyOf(readCounter, 2 * read);
      readOp = Arrays.copyOf(readOp, 2 * read);
      sum = Arrays.copyOf(sum, 2 * read);
      afterOwn = Arrays.copyOf(afterOwn, 2 * read);
    }
    int own = increment(txn, history.key(op));
    readBy[read] = txn;
    readCounter[read] = history.key(op);
    readOp[read] = op;
    sum[read] = amount(history, op) - starts[history.key(op)] - (own < 0 ? 0 : amount[own]);
    afterOwn[read] = own >= 0;
  }

  static long amount(History history, int op) {
    return Counters.amount(history, op).longValueExact();
  }

  int firstRead(int txn) {
    return firstRead[txn];
  }

  int endRead(int txn) {
    return firstRead[txn + 1];
  }

  int reads() {
    return firstRead[firstRead.length - 1];
  }

  int readBy(int read) {
    return readBy[read];
  }

  int readCounter(int read) {
    return readCounter[read];
  }

  /** The operation that a read is. */
  int readOp(int read) {
    return readOp[read];
  }

  /** The sum that a read saw, without its transaction's own increments. */
  long sum(int read) {
    return sum[read];
  }

  /** Whether a read follows an increment of the counter by its own transaction. */
  boolean isAfterOwn(int read) {
    return afterOwn[read];
  }

  int firstIncrement(int txn) {
    return firstIncrement[txn];
  }

  int endIncrement(int txn) {
    return firstIncrement[txn + 1];
  }

  int increments() {
    return firstIncrement[firstIncrement.length - 1];
  }

  int incrementBy(int increment) {
    return incrementBy[increment];
  }

  int counter(int increment) {
    return counter[increment];
  }

  long amount(int increment) {
    return amount[increment];
  }

  boolean increments(int txn) {
    return firstIncrement[txn] < firstIncrement[txn + 1];
  }

  boolean isUsed(int txn) {
    return increments(txn) || firstRead[txn] < firstRead[txn + 1];
  }

  /** What a transaction adds to a counter, as a number, or −1 if nothing. */
  int increment(int txn, int toCounter) {
    for (int i = firstIncrement[txn]; i < firstIncrement[txn + 1]; i++) {
      if (counter[i] == toCounter) {
        return i;
      }
    }
    return -1;
  }
}
