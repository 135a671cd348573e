package dev.assay.check;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import java.util.stream.IntStream;

/** The order in which the transactions of a history most likely committed. */
public final class LikelyOrder {
  private LikelyOrder() {}

  /**
   * The order to try first: by end time where times are known; interleaving the sessions evenly
   * where the file lists them one after another; otherwise file order.
   */
  public static int[] of(History history) {
    int transactions = history.transactionCount();
    int[] inFile = IntStream.range(0, transactions).toArray();
    if (history.hasTimes()) {
      return Sorted.by(
          inFile, txn -> history.end(txn) == History.ABSENT ? Long.MAX_VALUE : history.end(txn));
    }
    int changes = 0;
    for (int txn = 1; txn < transactions; txn++) {
      changes += history.session(txn) == history.session(txn - 1) ? 0 : 1;
    }
    if (changes >= transactions / 2 || history.sessionCount() < 2) {
      return inFile;
    }
    return Sorted.by(
        inFile,
        txn ->
            ((long) history.placeInSession(txn) << 31) / history.sessionSize(history.session(txn)));
  }
}
