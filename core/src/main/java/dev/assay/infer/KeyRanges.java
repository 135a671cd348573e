package dev.assay.infer;

import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;

/**
 * Register operations split by ranges of keys, in operation order inside a range. An entry carries
 * operation, transaction, key and value along, so that working on a range reads memory in sequence.
 */
final class KeyRanges {
  /** At most so many pieces are split in parallel. */
  private static final int PIECES = 16;

  private final History history;
  private final int bits;
  private final int count;
  private final int pieces;
  private final int[] first;
  private final Range all;

  /** Entries, as columns. */
  static final class Range {
    /** The operation; its complement for a write. */
    final int[] op;

    final int[] txn;
    final int[] key;
    final int[] value;

    Range(int size) {
      op = new int[size];
      txn = new int[size];
      key = new int[size];
      value = new int[size];
    }

    int size() {
      return op.length;
    }

    boolean isWrite(int entry) {
      return op[entry] < 0;
    }

    int op(int entry) {
      return op[entry] < 0 ? ~op[entry] : op[entry];
    }
  }

  KeyRanges(History history, int bits) {
    this.history = history;
    this.bits = bits;
    this.count = ((history.keys().count() - 1) >>> bits) + 1;
    this.pieces = Cores.pieces(history, PIECES);
    int[][] next = new int[pieces][count];
    Cores.over(history, pieces).forEach(piece -> count(piece, next[piece]));
    this.first = new int[count + 1];
    int total = 0;
    for (int range = 0; range < count; range++) {
      first[range] = total;
      for (int piece = 0; piece < pieces; piece++) {
        int size = next[piece][range];
        next[piece][range] = total;
        total += size;
      }
    }
    first[count] = total;
    all = new Range(total);
    Cores.over(history, pieces).forEach(piece -> place(piece, next[piece]));
  }

  private void count(int piece, int[] sizes) {
    int end = history.firstOp(start(piece + 1));
    for (int i = history.firstOp(start(piece)); i < end; i++) {
      if (takesPart(history.kind(i), history.value(i))) {
        sizes[history.key(i) >>> bits]++;
      }
    }
  }

  private void place(int piece, int[] next) {
    for (int txn = start(piece); txn < start(piece + 1); txn++) {
      int end = history.endOp(txn);
      for (int i = history.firstOp(txn); i < end; i++) {
        OpKind kind = history.kind(i);
        if (takesPart(kind, history.value(i))) {
          int slot = next[history.key(i) >>> bits]++;
          all.op[slot] = kind == OpKind.WRITE ? ~i : i;
          all.txn[slot] = txn;
          all.key[slot] = history.key(i);
          all.value[slot] = history.value(i);
        }
      }
    }
  }

  private static boolean takesPart(OpKind kind, int value) {
    return kind == OpKind.WRITE || (kind == OpKind.READ && value != Values.UNKNOWN);
  }

  /** The first transaction of a piece. */
  private int start(int piece) {
    return (int) ((long) history.transactionCount() * piece / pieces);
  }

  int count() {
    return count;
  }

  /** The entries of a range by key, in operation order where keys are equal. */
  Range sorted(int range) {
    int from = first[range];
    int to = first[range + 1];
    int mask = (1 << bits) - 1;
    int[] next = new int[(1 << bits) + 1];
    for (int i = from; i < to; i++) {
      next[(all.key[i] & mask) + 1]++;
    }
    for (int k = 0; k <= mask; k++) {
      next[k + 1] += next[k];
    }
    Range sorted = new Range(to - from);
    for (int i = from; i < to; i++) {
      int slot = next[all.key[i] & mask]++;
      sorted.op[slot] = all.op[i];
      sorted.txn[slot] = all.txn[i];
      sorted.key[slot] = all.key[i];
      sorted.value[slot] = all.value[i];
    }
    return sorted;
  }
}
