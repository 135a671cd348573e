package dev.assay.format.jsonl;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;

/**
 * For each key and value written to it a number: an open-addressing table a key, all in one array,
 * so that look-ups for one key after another stay in a few cache lines.
 */
final class WritesByKey {
  private static final int EMPTY = Integer.MIN_VALUE;
  private static final int MIX = 0x9E3779B9;

  private final History history;
  private final int[] first;
  private final int[] codes;
  private final int[] entries;

  WritesByKey(History history) {
    this.history = history;
    int[] counts = new int[history.keys().count()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      count(txn, counts);
    }
    first = new int[counts.length + 1];
    for (int key = 0; key < counts.length; key++) {
      first[key + 1] = Math.addExact(first[key], room(counts[key]));
    }
    codes = new int[first[counts.length]];
    entries = new int[codes.length];
    Arrays.fill(entries, EMPTY);
  }

  /** A power of two that leaves a third of the places free at least. */
  private static int room(int count) {
    return count == 0 ? 0 : Integer.highestOneBit(count + count / 2) * 2;
  }

  private void count(int txn, int[] counts) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (isListed(history.kind(op))) {
        counts[history.key(op)]++;
      }
    }
  }

  /** Whether writes of a kind have a place here. */
  static boolean isListed(OpKind kind) {
    return kind.isWrite() && !kind.isPredicate();
  }

  /** Enters a number, combined with the one that is there. */
  void put(int key, int code, int entry, IntBinaryOperator combine) {
    int place = place(key, code);
    codes[place] = code;
    entries[place] = entries[place] == EMPTY ? entry : combine.applyAsInt(entries[place], entry);
  }

  /** The number of a value of a key, or another one where it was never written. */
  int get(int key, int code, int otherwise) {
    if (first[key] == first[key + 1]) {
      return otherwise;
    }
    int place = place(key, code);
    return entries[place] == EMPTY ? otherwise : entries[place];
  }

  private int place(int key, int code) {
    int mask = first[key + 1] - first[key] - 1;
    int hash = code * MIX;
    int slot = (hash ^ (hash >>> 16)) & mask;
    while (entries[first[key] + slot] != EMPTY && codes[first[key] + slot] != code) {
      slot = (slot + 1) & mask;
    }
    return first[key] + slot;
  }
}
