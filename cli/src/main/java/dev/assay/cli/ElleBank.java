package dev.assay.cli;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.ArrayList;
import java.util.List;

/** What elle-cli asks of a bank that no level is about: the total it began with, and no debt. */
record ElleBank(boolean debt, Long total) {
  /** The names of what is wrong. */
  List<String> errors(History history) {
    List<String> errors = new ArrayList<>();
    boolean wrong = false;
    boolean negative = false;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      long sum = 0;
      boolean reads = false;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean balance = history.kind(op) == OpKind.COUNTER_READ;
        if (balance && history.operation(op).value() instanceof Long amount) {
          sum += amount;
          reads = true;
          negative |= amount < 0 && history.isAcknowledged(txn);
        }
      }
      wrong |= reads && total != null && sum != total && history.isAcknowledged(txn);
    }
    if (wrong) {
      errors.add("wrong-total");
    }
    if (negative && !debt) {
      errors.add("negative-value");
    }
    return errors;
  }
}
