package dev.assay.format.checkers;

import java.util.Arrays;

/** Numbers distinct pairs of longs in order of first appearance, in an open-addressing table. */
final class PairIndex {
  private static final int EMPTY = -1;

  private int[] slots = filled(16);

  /** The pairs, both halves side by side. */
  private long[] items = new long[16];

  private int size;

  int size() {
    return size;
  }

  long first(int pair) {
    return items[2 * pair];
  }

  long second(int pair) {
    return items[2 * pair + 1];
  }

  /** The number of this pair; the next free one when it is new. */
  int indexOf(long first, long second) {
    int slot = slot(first, second);
    return slots[slot] != EMPTY ? slots[slot] : insert(slot, first, second);
  }

  /** The number of this pair, or −1. */
  int find(long first, long second) {
    return slots[slot(first, second)];
  }

  private int slot(long first, long second) {
    int mask = slots.length - 1;
    int slot = hash(first, second) & mask;
    while (slots[slot] != EMPTY
        && (items[2 * slots[slot]] != first || items[2 * slots[slot] + 1] != second)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int insert(int slot, long first, long second) {
    if (2 * size == items.length) {
      items = Arrays.copyOf(items, Math.multiplyExact(items.length, 2));
    }
    items[2 * size] = first;
    items[2 * size + 1] = second;
    slots[slot] = size++;
    if (size > slots.length / 8 * 5) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    slots = filled(Math.multiplyExact(slots.length, 2));
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = hash(items[2 * i], items[2 * i + 1]) & mask;
      while (slots[slot] != EMPTY) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i;
    }
  }

  private static int[] filled(int length) {
    int[] slots = new int[length];
    Arrays.fill(slots, EMPTY);
    return slots;
  }

  private static int hash(long first, long second) {
    long z = (first * 0x9E3779B97F4A7C15L ^ second) * 0xC2B2AE3D27D4EB4FL;
    z ^= z >>> 29;
    z *= 0x165667B19E3779F9L;
    return (int) (z ^ (z >>> 32));
  }
}
