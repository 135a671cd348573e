package dev.assay.resolve;

import java.util.Arrays;

/**
 * The writes of one key, by value; reused for the next key. Few writes are searched linearly; many
 * by a chained table, indexed by value where values are dense and by hash otherwise.
 */
final class WritesByValue {
  private static final int FEW = 8;

  private int[] value = new int[64];
  private int[] entry = new int[64];

  /** The next entry of the chain; for few writes, unused. */
  private int[] next = new int[64];

  private int[] heads = new int[0];
  private int mask;
  private int size;
  private boolean chained;

  /** The lowest value, where the place in the table is the distance from it. */
  private int lowest;

  private boolean dense;

  /** Forgets everything; at most {@code capacity} writes will follow. */
  void reset(int capacity) {
    size = 0;
    chained = false;
    if (capacity > value.length) {
      int larger = Math.max(capacity, value.length * 2);
      value = new int[larger];
      entry = new int[larger];
      next = new int[larger];
    }
  }

  void add(int newValue, int newEntry) {
    value[size] = newValue;
    entry[size++] = newEntry;
  }

  /** The first write of this value, or −1. */
  int first(int wanted) {
    if (size <= FEW) {
      return search(0, wanted);
    }
    if (!chained) {
      chain();
    }
    long distance = (long) wanted - lowest;
    if (dense && (distance < 0 || distance > mask)) {
      return -1;
    }
    int write = heads[slot(wanted)];
    while (write >= 0 && value[write] != wanted) {
      write = next[write];
    }
    return write;
  }

  /** The next write of the same value, or −1. */
  int next(int write) {
    int wanted = value[write];
    if (size <= FEW) {
      return search(write + 1, wanted);
    }
    int other = next[write];
    while (other >= 0 && value[other] != wanted) {
      other = next[other];
    }
    return other;
  }

  /** The entry that was added with a write. */
  int entry(int write) {
    return entry[write];
  }

  private int search(int from, int wanted) {
    for (int i = from; i < size; i++) {
      if (value[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private void chain() {
    int capacity = Integer.highestOneBit(size) * 2;
    lowest = value[0];
    int highest = value[0];
    for (int i = 1; i < size; i++) {
      lowest = Math.min(lowest, value[i]);
      highest = Math.max(highest, value[i]);
    }
    // The difference of two ints may overflow.
    dense = (long) highest - lowest < capacity;
    if (heads.length < capacity) {
      heads = new int[capacity];
    }
    mask = capacity - 1;
    Arrays.fill(heads, 0, capacity, -1);
    for (int i = size - 1; i >= 0; i--) {
      int slot = slot(value[i]);
      next[i] = heads[slot];
      heads[slot] = i;
    }
    chained = true;
  }

  private int slot(int wanted) {
    if (dense) {
      return wanted - lowest;
    }
    int mixed = wanted * 0x9E3779B9;
    return (mixed ^ (mixed >>> 16)) & mask;
  }
}
