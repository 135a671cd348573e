package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.stream.IntStream;

/**
 * The register writes and list appends that are not their transaction's last on the key: whoever
 * else sees one of them as the latest saw an intermediate version.
 */
final class OverwrittenWrites {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PIECES = 64;

  private final long[] bits;

  private OverwrittenWrites(int operations) {
    bits = new long[(operations >>> 6) + 1];
  }

  static OverwrittenWrites of(History history) {
    OverwrittenWrites overwritten = new OverwrittenWrites(history.operationCount());
    IntStream.range(0, PIECES)
        .parallel()
        .forEach(
            piece -> {
              KeyTable later = new KeyTable();
              int from = (int) ((long) history.transactionCount() * piece / PIECES);
              int to = (int) ((long) history.transactionCount() * (piece + 1) / PIECES);
              for (int txn = from; txn < to; txn++) {
                overwritten.mark(history, txn, later);
              }
            });
    return overwritten;
  }

  private void mark(History history, int txn, KeyTable later) {
    later.reset(history.endOp(txn) - history.firstOp(txn));
    for (int op = history.endOp(txn) - 1; op >= history.firstOp(txn); op--) {
      OpKind kind = history.kind(op);
      boolean replaces = kind == OpKind.WRITE || kind == OpKind.APPEND;
      if (replaces && later.put(history.key(op), op) != KeyTable.NONE) {
        // Atomic, because the first and last transactions of two pieces may share a word.
        WORDS.getAndBitwiseOr(bits, op >>> 6, 1L << op);
      }
    }
  }

  boolean contains(int op) {
    return (bits[op >>> 6] & (1L << op)) != 0;
  }

  /** The next write of the same kind to the same key in the same transaction. */
  static int next(History history, int write) {
    int end = history.endOp(history.transactionOf(write));
    for (int op = write + 1; op < end; op++) {
      if (history.kind(op) == history.kind(write) && history.key(op) == history.key(write)) {
        return op;
      }
    }
    return -1;
  }
}
