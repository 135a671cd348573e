package dev.assay.check.weak;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.resolve.ReadsFrom;

/** Rewrites a history so that every operation is a transaction. Operations keep their numbers. */
final class SplitOperations {
  private SplitOperations() {}

  static Rewriting of(History history, ReadsFrom reads) {
    Rewriting.Builder builder = new Rewriting.Builder(history);
    builder.history().initialStateOf(history);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      Outcome outcome = reads.counts(txn) ? Outcome.COMMITTED : history.outcome(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        builder.beginOperation(op, outcome);
        if (history.kind(op).type().namesVersions() && !isAddedBefore(history, txn, op)) {
          builder.copy(op);
        } else {
          builder.blank(op);
        }
      }
    }
    return builder.build();
  }

  /** Whether a transaction adds to a set what it added to it before, which changes nothing. */
  private static boolean isAddedBefore(History history, int txn, int op) {
    for (int before = op - 1;
        history.kind(op) == OpKind.ADD && before >= history.firstOp(txn);
        before--) {
      if (history.kind(before) == OpKind.ADD
          && history.key(before) == history.key(op)
          && history.value(before) == history.value(op)) {
        return true;
      }
    }
    return false;
  }
}
