package dev.assay.type;

import dev.assay.history.History;

/** Finds the write that overwrote another of the same transaction. */
final class LaterWrite {
  private LaterWrite() {}

  /** The next operation of the same kind on the same key in the same transaction, or −1. */
  static int of(History history, int write) {
    int end = history.endOp(history.transactionOf(write));
    for (int op = write + 1; op < end; op++) {
      if (history.kind(op) == history.kind(write) && history.key(op) == history.key(write)) {
        return op;
      }
    }
    return -1;
  }
}
