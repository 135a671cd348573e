package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import java.math.BigInteger;

/**
 * Read consistency of counters, one transaction at a time: between two reads of one transaction a
 * counter moves by the transaction's own increments and nothing else.
 */
final class CounterReads {
  private final History history;
  private final Tally tally;

  CounterReads(History history, Tally tally) {
    this.history = history;
    this.tally = tally;
  }

  void check(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.COUNTER_READ && history.value(op) != Values.UNKNOWN) {
        checkRead(txn, op);
      }
    }
  }

  private void checkRead(int txn, int read) {
    BigInteger own = BigInteger.ZERO;
    for (int op = read - 1; op >= history.firstOp(txn); op--) {
      if (history.key(op) != history.key(read)) {
        continue;
      }
      if (history.kind(op) == OpKind.INCREMENT) {
        own = own.add(amount(op));
      } else if (history.kind(op) == OpKind.COUNTER_READ && history.value(op) != Values.UNKNOWN) {
        if (!amount(op).add(own).equals(amount(read))) {
          tally.add(AnomalyType.NON_REPEATABLE_READ, read, op);
        }
        return;
      }
    }
  }

  /** The number an operation adds or read; a counter that was never touched reads as nil or 0. */
  private BigInteger amount(int op) {
    int code = history.value(op);
    if (code == Values.NIL) {
      return BigInteger.ZERO;
    }
    Object value = history.values().get(code);
    return value instanceof BigInteger big ? big : BigInteger.valueOf((Long) value);
  }
}
