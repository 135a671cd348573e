package dev.assay.type;

import java.util.Arrays;

/**
 * A small map from the keys of one transaction to ints. Clearing it for the next transaction takes
 * constant time: a slot is in use only if it carries the current stamp.
 */
final class KeyTable {
  /** Returned for a key that is not in the map. */
  static final int NONE = -1;

  private int[] keys = new int[64];
  private int[] values = new int[64];
  private int[] stamps = new int[64];
  private int stamp;

  /** Forgets everything; at most {@code size} keys will be put. */
  void reset(int size) {
    if (size * 2L > keys.length) {
      int capacity = Integer.highestOneBit(Math.max(size, 32) - 1) * 4;
      keys = new int[capacity];
      values = new int[capacity];
      stamps = new int[capacity];
      stamp = 0;
    }
    if (++stamp == 0) {
      Arrays.fill(stamps, 0);
      stamp = 1;
    }
  }

  int get(int key) {
    int slot = slot(key);
    return stamps[slot] == stamp ? values[slot] : NONE;
  }

  /** Maps the key to the value; returns what it mapped to before. */
  int put(int key, int value) {
    int slot = slot(key);
    int before = NONE;
    if (stamps[slot] == stamp) {
      before = values[slot];
    } else {
      stamps[slot] = stamp;
      keys[slot] = key;
    }
    values[slot] = value;
    return before;
  }

  private int slot(int key) {
    int mask = keys.length - 1;
    int mixed = key * 0x9E3779B9;
    int slot = (mixed ^ (mixed >>> 15)) & mask;
    while (stamps[slot] == stamp && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
