package dev.assay.format;

import java.util.Arrays;

/** A growing array of longs. */
public final class LongList {
  private long[] items = new long[16];
  private int size;

  public int size() {
    return size;
  }

  public long get(int index) {
    return items[index];
  }

  /** The items, followed by spare room. */
  public long[] array() {
    return items;
  }

  public void add(long item) {
    reserve(1);
    items[size++] = item;
  }

  public void addAll(long[] source, int from, int to) {
    reserve(to - from);
    System.arraycopy(source, from, items, size, to - from);
    size += to - from;
  }

  /** Adds the item until the list has this size. */
  public void fill(int total, long item) {
    while (size < total) {
      add(item);
    }
  }

  public void clear() {
    size = 0;
  }

  private void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > items.length) {
      int grown = (int) Math.min(items.length * 2L, Integer.MAX_VALUE - 8);
      items = Arrays.copyOf(items, Math.max(needed, grown));
    }
  }
}
