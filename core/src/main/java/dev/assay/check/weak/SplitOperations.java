package dev.assay.check.weak;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.resolve.PartCopy;
import dev.assay.resolve.ReadsFrom;

/** Rewrites a history so that every operation is a transaction. Operations keep their numbers. */
public final class SplitOperations {
  private SplitOperations() {}

  /** The history with its operations as transactions, with the way back. */
  public static Rewriting of(History history, ReadsFrom reads) {
    Rewriting.Builder builder = new Rewriting.Builder(history);
    builder.history().initialStateOf(history);
    PartCopy copy = new PartCopy(history, reads, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      Outcome outcome = reads.counts(txn) ? Outcome.COMMITTED : history.outcome(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        builder.beginOperation(op, outcome);
        if (history.kind(op).type().namesVersions() && !isWrittenBefore(history, txn, op)) {
          copy.copy(op);
        } else {
          builder.blank(op);
        }
      }
    }
    return builder.build();
  }

  /** Whether a transaction writes an item that it wrote before, which changes nothing. */
  private static boolean isWrittenBefore(History history, int txn, int op) {
    OpKind kind = history.kind(op);
    boolean item = kind.isWrite() && kind.type().hasItems();
    for (int before = op - 1; item && before >= history.firstOp(txn); before--) {
      if (history.kind(before) == kind
          && history.key(before) == history.key(op)
          && history.value(before) == history.value(op)) {
        return true;
      }
    }
    return false;
  }
}
