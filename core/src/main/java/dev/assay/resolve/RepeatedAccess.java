package dev.assay.resolve;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Transactions that access a register more than once, and writes that are not their transaction's
 * last on the key. Marked from several threads while sources are resolved, because the operations
 * of a transaction on a key are adjacent then.
 */
final class RepeatedAccess {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] repeating;
  private final long[] overwritten;

  RepeatedAccess(History history) {
    repeating = new long[(history.transactionCount() >>> 6) + 1];
    overwritten = new long[(history.operationCount() >>> 6) + 1];
    if (history.uses(OpKind.Type.LIST)) {
      markAppends(history);
    }
  }

  /** Marks repeated accesses among the operations on one key, given in order. */
  void mark(KeyRanges.Range entries, int from, int to) {
    int lastWrite = -1;
    for (int i = from + 1; i < to; i++) {
      if (entries.isWrite(i - 1)) {
        lastWrite = i - 1;
      }
      if (entries.txn[i] != entries.txn[i - 1]) {
        lastWrite = -1;
        continue;
      }
      set(repeating, entries.txn[i]);
      if (entries.isWrite(i) && lastWrite >= 0) {
        set(overwritten, entries.op(lastWrite));
      }
    }
  }

  /** Appends to one list in one transaction; lists are few enough to compare pairs. */
  private void markAppends(History history) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.APPEND && isFollowed(history, op, history.endOp(txn))) {
          set(overwritten, op);
        }
      }
    }
  }

  private static boolean isFollowed(History history, int append, int end) {
    for (int op = append + 1; op < end; op++) {
      if (history.kind(op) == OpKind.APPEND && history.key(op) == history.key(append)) {
        return true;
      }
    }
    return false;
  }

  boolean isRepeating(int txn) {
    return get(repeating, txn);
  }

  boolean isOverwritten(int op) {
    return get(overwritten, op);
  }

  private static void set(long[] words, int bit) {
    if (!get(words, bit)) {
      WORDS.getAndBitwiseOr(words, bit >>> 6, 1L << bit);
    }
  }

  private static boolean get(long[] words, int bit) {
    return (words[bit >>> 6] & (1L << bit)) != 0;
  }
}
