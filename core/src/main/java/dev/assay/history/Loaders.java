package dev.assay.history;

/**
 * Finds the transactions that load initial values, so that reads of these name them: those that
 * read nothing, write only initial values, took effect and came first. Nothing in their session
 * came before them, and no transaction that read an initial value had ended when they began;
 * otherwise it would have read a version before it was written. A write of nil deletes what was
 * there and loads nothing.
 */
public final class Loaders {
  private final History history;
  private long firstReadEnd;
  private boolean looked;

  public Loaders(History history) {
    this.history = history;
  }

  /** Whether a transaction is a loader. */
  public boolean isLoader(int txn) {
    if (!history.isCommitted(txn) || history.placeInSession(txn) > 0) {
      return false;
    }
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      boolean deletes = history.value(op) == Values.NIL;
      boolean loads = history.kind(op) == OpKind.WRITE && history.hasInitialValue(op);
      if (!loads || deletes) {
        return false;
      }
    }
    return history.endOp(txn) > history.firstOp(txn) && !followsRead(txn);
  }

  private boolean followsRead(int txn) {
    return history.hasTimes()
        && history.start(txn) != History.ABSENT
        && firstReadEnd() < history.start(txn);
  }

  /** When the first transaction that read an initial value ended. */
  private synchronized long firstReadEnd() {
    if (!looked) {
      looked = true;
      firstReadEnd = Long.MAX_VALUE;
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        long end = history.knownEnd(txn);
        if (end != History.ABSENT && end < firstReadEnd && readsInitial(txn)) {
          firstReadEnd = end;
        }
      }
    }
    return firstReadEnd;
  }

  private boolean readsInitial(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.READ && history.hasInitialValue(op)) {
        return true;
      }
    }
    return false;
  }
}
