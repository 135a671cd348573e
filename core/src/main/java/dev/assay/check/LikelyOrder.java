package dev.assay.check;

import dev.assay.history.History;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** The order in which the transactions of a history most likely committed. */
public final class LikelyOrder {
  private LikelyOrder() {}

  /**
   * The order to try first. Where times are known that of the ends; where the file goes session by
   * session one in which all sessions advance alike; else that of the file.
   */
  public static int[] of(History history) {
    int transactions = history.transactionCount();
    if (history.hasTimes()) {
      return sorted(
          transactions,
          txn -> history.end(txn) == History.ABSENT ? Long.MAX_VALUE : history.end(txn));
    }
    int changes = 0;
    for (int txn = 1; txn < transactions; txn++) {
      changes += history.session(txn) == history.session(txn - 1) ? 0 : 1;
    }
    if (changes >= transactions / 2 || history.sessionCount() < 2) {
      return IntStream.range(0, transactions).toArray();
    }
    return sorted(
        transactions,
        txn ->
            ((long) history.placeInSession(txn) << 31) / history.sessionSize(history.session(txn)));
  }

  /** All transactions by a key, in file order where keys are equal. */
  private static int[] sorted(int transactions, IntToLongFunction key) {
    long[] keys = new long[transactions];
    for (int txn = 0; txn < transactions; txn++) {
      keys[txn] = key.applyAsLong(txn);
    }
    long[] ascending = keys.clone();
    Arrays.parallelSort(ascending);
    int[] taken = new int[transactions];
    int[] order = new int[transactions];
    for (int txn = 0; txn < transactions; txn++) {
      int place = firstPlace(ascending, keys[txn]);
      order[place + taken[place]++] = txn;
    }
    return order;
  }

  private static int firstPlace(long[] ascending, long key) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
