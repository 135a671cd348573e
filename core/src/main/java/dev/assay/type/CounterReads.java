package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import java.math.BigInteger;

/**
 * Read consistency of counters, one transaction at a time: between two reads of one transaction a
 * counter moves by the transaction's own increments and nothing else. A value that is not the sum
 * of any subset of the increments is a thin-air read. Reads of several counters whose total no
 * transaction changes must agree on it.
 */
final class CounterReads implements TypeReads {
  private final History history;
  private final CounterRanges ranges;
  private final CounterTotals totals;
  private final ReadAnomalies tally;

  CounterReads(History history, CounterRanges ranges, CounterTotals totals, ReadAnomalies tally) {
    this.history = history;
    this.ranges = ranges;
    this.totals = totals;
    this.tally = tally;
  }

  @Override
  public void check(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.COUNTER_READ && history.value(op) != Values.UNKNOWN) {
        checkRead(txn, op);
      }
    }
    int[] wrong = totals.wrong(txn);
    if (wrong.length > 0) {
      tally.add(AnomalyType.WRONG_TOTAL, wrong);
    }
  }

  private void checkRead(int txn, int read) {
    if (!ranges.mayBe(history.key(read), amount(read))) {
      tally.add(AnomalyType.THIN_AIR_READ, read);
    }
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

  private BigInteger amount(int op) {
    return Counters.amount(history, op);
  }
}
