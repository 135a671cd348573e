package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import java.util.stream.IntStream;

/**
 * Register operations split by ranges of keys, in operation order inside a range. An entry carries
 * operation, key and value, so that working on a range reads memory in sequence.
 */
final class KeyRanges {
  /** Pieces the operations are split in parallel in. */
  private static final int PIECES = 16;

  private final History history;
  private final int bits;
  private final int count;
  private final int[] first;

  /** The operation; its complement for a write. */
  private final int[] op;

  private final int[] key;
  private final int[] value;

  KeyRanges(History history, int bits) {
    this.history = history;
    this.bits = bits;
    this.count = ((history.keys().count() - 1) >>> bits) + 1;
    int[][] next = new int[PIECES][count];
    IntStream.range(0, PIECES).parallel().forEach(piece -> count(piece, next[piece]));
    this.first = new int[count + 1];
    int total = 0;
    for (int range = 0; range < count; range++) {
      first[range] = total;
      for (int piece = 0; piece < PIECES; piece++) {
        int size = next[piece][range];
        next[piece][range] = total;
        total += size;
      }
    }
    first[count] = total;
    op = new int[total];
    key = new int[total];
    value = new int[total];
    IntStream.range(0, PIECES).parallel().forEach(piece -> place(piece, next[piece]));
  }

  private void count(int piece, int[] sizes) {
    for (int i = start(piece); i < start(piece + 1); i++) {
      if (takesPart(history.kind(i), history.value(i))) {
        sizes[history.key(i) >>> bits]++;
      }
    }
  }

  private void place(int piece, int[] next) {
    for (int i = start(piece); i < start(piece + 1); i++) {
      OpKind kind = history.kind(i);
      if (takesPart(kind, history.value(i))) {
        int slot = next[history.key(i) >>> bits]++;
        op[slot] = kind == OpKind.WRITE ? ~i : i;
        key[slot] = history.key(i);
        value[slot] = history.value(i);
      }
    }
  }

  private static boolean takesPart(OpKind kind, int value) {
    return kind == OpKind.WRITE || (kind == OpKind.READ && value != Values.UNKNOWN);
  }

  private int start(int piece) {
    return (int) ((long) history.operationCount() * piece / PIECES);
  }

  int count() {
    return count;
  }

  boolean isWrite(int entry) {
    return op[entry] < 0;
  }

  int op(int entry) {
    return op[entry] < 0 ? ~op[entry] : op[entry];
  }

  int key(int entry) {
    return key[entry];
  }

  int value(int entry) {
    return value[entry];
  }

  /** The entries of a range by key, in operation order where keys are equal. */
  int[] sortedByKey(int range) {
    int from = first[range];
    int to = first[range + 1];
    int mask = (1 << bits) - 1;
    int[] next = new int[(1 << bits) + 1];
    for (int i = from; i < to; i++) {
      next[(key[i] & mask) + 1]++;
    }
    for (int k = 0; k <= mask; k++) {
      next[k + 1] += next[k];
    }
    int[] sorted = new int[to - from];
    for (int i = from; i < to; i++) {
      sorted[next[key[i] & mask]++] = i;
    }
    return sorted;
  }
}
