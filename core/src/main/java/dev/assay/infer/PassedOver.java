package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether some update by a predicate changed a row of which another version came before its own:
 * then it read an old one. Deletions only need a row to match, and leave none.
 */
final class PassedOver {
  private final History history;
  private final RowVersions rows;
  private boolean any;

  PassedOver(History history, RowVersions rows, VersionCertificate certificate) {
    this.history = history;
    this.rows = rows;
    List<Integer> updates = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.UPDATE) {
        updates.add(op);
      }
    }
    SeenVersions seen = new SeenVersions(history, rows, certificate);
    seen.visit(updates, (txn, op) -> look(txn, op, seen));
  }

  boolean isAny() {
    return any;
  }

  private void look(int txn, int op, SeenVersions seen) {
    for (int row = op + 1; row < history.nextOp(op); row++) {
      int key = history.key(row);
      int own = rows.versionOf(history.lastWrite(txn, key));
      boolean leaves = history.value(row) != Values.NIL && own >= 0;
      if (leaves && !isWrittenBefore(txn, op, key)) {
        any |= seen.version(key) + 1 != own;
      }
    }
  }

  private boolean isWrittenBefore(int txn, int op, int key) {
    for (int before = history.firstOp(txn); before < op; before++) {
      if (history.kind(before) == OpKind.WRITE && history.key(before) == key) {
        return true;
      }
    }
    return false;
  }
}
