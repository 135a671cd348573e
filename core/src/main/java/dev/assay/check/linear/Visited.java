package dev.assay.check.linear;

import java.util.Arrays;

/** Sequences of ints that were seen, in one array and a table of their places. */
final class Visited {
  /** A place is the index of the length; 0 is none. */
  private int[] items = new int[1 << 10];

  private int used = 1;
  private int[] table = new int[1 << 8];
  private int count;

  /** Adds a sequence; false if it was there. */
  boolean add(int[] sequence, int length) {
    int slot = slot(hash(sequence, 0, length));
    while (table[slot] != 0) {
      int place = table[slot];
      boolean same =
          items[place] == length
              && Arrays.equals(items, place + 1, place + 1 + length, sequence, 0, length);
      if (same) {
        return false;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    if (used + length + 1 > items.length) {
      items = Arrays.copyOf(items, grown(used + (long) length + 1));
    }
    items[used] = length;
    System.arraycopy(sequence, 0, items, used + 1, length);
    table[slot] = used;
    used += length + 1;
    if (++count > table.length / 2) {
      rehash();
    }
    return true;
  }

  private static int grown(long needed) {
    long size = Math.max(needed, needed + (needed >> 1));
    if (needed > Integer.MAX_VALUE - 16) {
      throw new OutOfMemoryError("the states of a search do not fit into one array");
    }
    return (int) Math.min(size, Integer.MAX_VALUE - 16);
  }

  private void rehash() {
    table = new int[table.length * 2];
    for (int place = 1; place < used; place += items[place] + 1) {
      int slot = slot(hash(items, place + 1, place + 1 + items[place]));
      while (table[slot] != 0) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = place;
    }
  }

  private int slot(int hash) {
    return hash & (table.length - 1);
  }

  private static int hash(int[] sequence, int from, int to) {
    long hash = to - from;
    for (int i = from; i < to; i++) {
      hash = (hash ^ sequence[i]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash ^ (hash >>> 32));
  }
}
