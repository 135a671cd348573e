package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.ReadsFrom;

/**
 * The start order of the database's own timestamps: a precedes b when b's snapshot was taken at or
 * after a's commit. Used only where the user assumes {@link Assumption#TIMESTAMPS}; the version
 * orders that commit timestamps give are part of {@link RegisterVersions}.
 *
 * <p>A transaction whose commit is not after its own snapshot (often one that only read) precedes
 * nothing here: two such at one timestamp would precede each other. So every edge leads to a
 * strictly later commit, and there is no cycle.
 */
public final class TimestampOrder {
  /** Maximum number of edges per transaction; beyond it the order is not listed. */
  private static final int MAX_EDGES_PER_TRANSACTION = 128;

  private final EdgeList order = new EdgeList();
  private boolean complete = true;

  public TimestampOrder(History history, ReadsFrom reads) {
    if (!history.hasTimestamps()) {
      return;
    }
    int[] txns = new int[history.transactionCount()];
    long[] end = new long[txns.length];
    long[] begin = new long[txns.length];
    int count = 0;
    for (int txn = 0; txn < txns.length; txn++) {
      if (reads.counts(txn)) {
        long snapshot = history.snapshotTs(txn);
        long commit = history.commitTs(txn);
        txns[count] = txn;
        end[count] = commit > snapshot ? commit : History.ABSENT;
        // "At or before a snapshot" is "before the next timestamp".
        begin[count++] = snapshot == Long.MAX_VALUE ? snapshot : next(snapshot);
      }
    }
    IntervalOrder intervals = new IntervalOrder(count, end, begin);
    complete = intervals.size() <= (long) MAX_EDGES_PER_TRANSACTION * count;
    if (complete) {
      intervals.forEach((a, b) -> order.add(txns[a], txns[b], -1, -1));
    }
  }

  private static long next(long snapshot) {
    return snapshot == History.ABSENT ? History.ABSENT : snapshot + 1;
  }

  /** The order between transactions that count, transitively reduced. */
  public EdgeList order() {
    return order;
  }

  /** Whether all of the order is listed; it is not where too many transactions overlap. */
  public boolean isComplete() {
    return complete;
  }
}
