package dev.assay.format.follow;

import dev.assay.history.History;

/** How far the transactions of a history are from the order in which they ended. */
public final class Disorder {
  private long transactions;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;
  private long lateness;

  public void add(History block) {
    transactions += block.transactionCount();
    for (int txn = 0; txn < block.transactionCount(); txn++) {
      long end = block.end(txn);
      if (end != History.ABSENT) {
        first = Math.min(first, end);
        last = Math.max(last, end);
        lateness = Math.max(lateness, last - end);
      }
    }
  }

  public long transactions() {
    return transactions;
  }

  /** How much later than others, by their ends, transactions came at most. */
  public long lateness() {
    return lateness;
  }

  /** About how many transactions must be held back at a time to put all into order. */
  public long held() {
    return lateness == 0 ? 0 : (long) (transactions * ((double) lateness / (last - first)));
  }
}
