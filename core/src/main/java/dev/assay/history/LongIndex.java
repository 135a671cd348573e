package dev.assay.history;

import java.util.Arrays;

/** Numbers distinct longs in order of first appearance, in an open-addressing table. */
public final class LongIndex {
  private static final int EMPTY = -1;

  private int[] slots = filled(16);
  private long[] items = new long[8];
  private int size;

  public int size() {
    return size;
  }

  public long get(int index) {
    return items[index];
  }

  /** The number of this item; the next free one when it is new. */
  public int indexOf(long item) {
    int slot = slot(item);
    if (slots[slot] != EMPTY) {
      return slots[slot];
    }
    if (size == items.length) {
      items = Arrays.copyOf(items, Math.addExact(size, Math.max(size >>> 1, 8)));
    }
    items[size] = item;
    slots[slot] = size++;
    if (size > slots.length / 8 * 5) {
      grow();
    }
    return size - 1;
  }

  /** The number of this item, or −1. */
  public int find(long item) {
    return slots[slot(item)];
  }

  private int slot(long item) {
    int mask = slots.length - 1;
    int slot = (int) mix(item) & mask;
    while (slots[slot] != EMPTY && items[slots[slot]] != item) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    slots = filled(Math.multiplyExact(slots.length, 2));
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = (int) mix(items[i]) & mask;
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

  private static long mix(long x) {
    long z = x * 0x9E3779B97F4A7C15L;
    return z ^ (z >>> 32);
  }
}
