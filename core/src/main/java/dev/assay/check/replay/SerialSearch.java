package dev.assay.check.replay;

import dev.assay.check.Budget;
import dev.assay.check.LikelyOrder;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * Looks for a serial order of a whole history by running its transactions one after another, in
 * about the order in which they ended. Databases that keep their word are followed in time that is
 * linear in the length of the history, where a search over orders is not.
 */
public final class SerialSearch {
  private SerialSearch() {}

  /**
   * An order of all transactions that count that explains every read, and that respects sessions
   * and real time; null if none is found soon. It proves every level.
   *
   * @param history a history whose operations name versions: no other is looked at
   * @param reads what the transactions saw; where several writes may have been read, no order is
   *     looked for
   */
  public static int[] run(History history, ReadsFrom reads, Budget budget) {
    for (OpKind.Type type : OpKind.Type.values()) {
      if (history.uses(type) && !type.namesVersions()) {
        return null;
      }
    }
    int[] likely = LikelyOrder.of(history);
    int[] found =
        isAscending(likely)
            ? SerialOrder.ofAll(history, reads, budget)
            : ofListed(listed(history, likely), budget);
    if (found == null) {
      return null;
    }
    int[] order = Arrays.stream(found).map(txn -> likely[txn]).toArray();
    return SerialOrderChecker.explains(history, order, budget) ? order : null;
  }

  private static int[] ofListed(History listed, Budget budget) {
    return SerialOrder.ofAll(listed, ReadsFrom.of(listed), budget);
  }

  private static boolean isAscending(int[] numbers) {
    for (int i = 1; i < numbers.length; i++) {
      if (numbers[i - 1] > numbers[i]) {
        return false;
      }
    }
    return true;
  }

  /** The same history with its transactions listed in another order. */
  private static History listed(History history, int[] order) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(history.origin());
    builder.initialStateOf(history);
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn : order) {
      copy.begin(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        copy.add(op);
      }
    }
    return builder.build();
  }
}
