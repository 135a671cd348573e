package dev.assay.resolve;

import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import java.util.Arrays;

/**
 * Register operations split by ranges of keys, in operation order inside a range. An entry carries
 * operation, transaction, key and value along, so that working on a range reads memory in sequence.
 */
final class KeyRanges {
  /** Maximum number of pieces that are split in parallel. */
  private static final int PIECES = 16;

  private final History history;
  private final int bits;
  private final int count;
  private final int pieces;
  private final int[] first;

  /** Operation, or its complement for a write, and transaction of each entry. */
  private final long[] opAndTxn;

  /** Key and value of each entry. Two columns of pairs touch half the memory that four would. */
  private final long[] keyAndValue;

  /** The entries of one range by key, in operation order where keys are equal; used again. */
  static final class Range {
    /** The operation; its complement for a write. */
    int[] op = new int[0];

    int[] txn = op;
    int[] value = op;

    /** Scratch space for the code that scans the entries. */
    int[] sourceTxn = op;

    /** For each key, from {@link #firstKey}, one past its last entry. */
    private int[] end = op;

    private int firstKey;
    private int keys;

    boolean isWrite(int entry) {
      return op[entry] < 0;
    }

    int op(int entry) {
      return op[entry] < 0 ? ~op[entry] : op[entry];
    }

    /** Number of keys, those without entries included. */
    int keys() {
      return keys;
    }

    int key(int index) {
      return firstKey + index;
    }

    /** The entries of a key are those from here to before {@link #end}. */
    int start(int index) {
      return index == 0 ? 0 : end[index - 1];
    }

    int end(int index) {
      return end[index];
    }

    private void reset(int newFirstKey, int newKeys, int size) {
      firstKey = newFirstKey;
      keys = newKeys;
      if (end.length <= newKeys) {
        end = new int[newKeys + 1];
      } else {
        Arrays.fill(end, 0, newKeys + 1, 0);
      }
      if (op.length < size) {
        int capacity = size + (size >>> 2);
        op = new int[capacity];
        txn = new int[capacity];
        value = new int[capacity];
        sourceTxn = new int[capacity];
      }
    }
  }

  /**
   * Splits the operations.
   *
   * @param source receives for every operation what it would read if there were no writes: an
   *     initial version, a thin-air value or nothing; may be null
   */
  KeyRanges(History history, int bits, int[] source) {
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
    opAndTxn = new long[total];
    keyAndValue = new long[total];
    Cores.over(history, pieces).forEach(piece -> place(piece, next[piece], source));
  }

  private void count(int piece, int[] sizes) {
    int end = history.firstOp(start(piece + 1));
    for (int i = history.firstOp(start(piece)); i < end; i++) {
      if (takesPart(history.kind(i), history.value(i))) {
        sizes[history.key(i) >>> bits]++;
      }
    }
  }

  private void place(int piece, int[] next, int[] source) {
    for (int txn = start(piece); txn < start(piece + 1); txn++) {
      int end = history.endOp(txn);
      for (int i = history.firstOp(txn); i < end; i++) {
        OpKind kind = history.kind(i);
        int value = history.value(i);
        if (takesPart(kind, value)) {
          int key = history.key(i);
          int slot = next[key >>> bits]++;
          opAndTxn[slot] = pair(kind == OpKind.WRITE ? ~i : i, txn);
          keyAndValue[slot] = pair(key, value);
        }
        if (source != null) {
          source[i] = unwritten(kind, history.key(i), value);
        }
      }
    }
  }

  private int unwritten(OpKind kind, int key, int value) {
    if (kind != OpKind.READ || value == Values.UNKNOWN) {
      return ReadsFrom.NONE;
    }
    return history.isInitial(key, value) ? ReadsFrom.INITIAL : ReadsFrom.THIN_AIR;
  }

  private static long pair(int high, int low) {
    return ((long) high << 32) | (low & 0xFFFFFFFFL);
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

  /** Fills in the entries of a range. */
  void sort(int range, Range sorted) {
    int from = first[range];
    int to = first[range + 1];
    int mask = (1 << bits) - 1;
    sorted.reset(range << bits, 1 << bits, to - from);
    // Where each key begins; filling in moves that to where it ends.
    int[] next = sorted.end;
    for (int i = from; i < to; i++) {
      next[((int) (keyAndValue[i] >>> 32) & mask) + 1]++;
    }
    for (int k = 0; k <= mask; k++) {
      next[k + 1] += next[k];
    }
    for (int i = from; i < to; i++) {
      long pair = keyAndValue[i];
      int slot = next[(int) (pair >>> 32) & mask]++;
      sorted.value[slot] = (int) pair;
      sorted.op[slot] = (int) (opAndTxn[i] >>> 32);
      sorted.txn[slot] = (int) opAndTxn[i];
    }
  }
}
