package dev.assay.infer;

import dev.assay.graph.RealTimeChain;
import dev.assay.history.History;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.ReadsFrom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

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
  private TimestampOrder() {}

  /** The order between transactions that count, as a chain of instants. */
  public static void build(History history, ReadsFrom reads, RealTimeChain.Sink sink) {
    if (!history.hasTimestamps()) {
      return;
    }
    IntPredicate hasSnapshot = txn -> history.snapshotTs(txn) != History.ABSENT;
    IntPredicate hasCommit = txn -> history.commitTs(txn) != History.ABSENT;
    IntPredicate isLater = txn -> history.commitTs(txn) > history.snapshotTs(txn);
    RealTimeChain.build(
        counting(history, reads, hasSnapshot),
        txn -> next(history.snapshotTs(txn)),
        counting(history, reads, hasCommit.and(isLater)),
        history::commitTs,
        sink);
  }

  private static int[] counting(History history, ReadsFrom reads, IntPredicate condition) {
    return IntStream.range(0, history.transactionCount())
        .filter(txn -> reads.counts(txn) && condition.test(txn))
        .toArray();
  }

  /** "At or before a snapshot" is "before the next timestamp". */
  private static long next(long snapshot) {
    return snapshot == Long.MAX_VALUE ? snapshot : snapshot + 1;
  }
}
