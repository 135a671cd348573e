package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Bounds of the value of each counter, whichever of its increments applied: not below the sum of
 * all decrements, not above the sum of all increments.
 */
final class CounterRanges {
  private final BigInteger[] least;
  private final BigInteger[] greatest;
  private final boolean anyStart;

  CounterRanges(History history) {
    anyStart = history.countersBeginAnywhere();
    int keys = history.keys().count();
    least = new BigInteger[keys];
    greatest = new BigInteger[keys];
    Arrays.fill(least, BigInteger.ZERO);
    Arrays.fill(greatest, BigInteger.ZERO);
    for (int txn = 0; keys > 0 && txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.INCREMENT && history.outcome(txn) != Outcome.ABORTED) {
          BigInteger amount = Counters.amount(history, op);
          BigInteger[] sums = amount.signum() < 0 ? least : greatest;
          sums[history.key(op)] = sums[history.key(op)].add(amount);
        }
      }
    }
  }

  /** Whether some of the increments of a counter may add up to a value. */
  boolean mayBe(int key, BigInteger value) {
    return anyStart || (value.compareTo(least[key]) >= 0 && value.compareTo(greatest[key]) <= 0);
  }
}
