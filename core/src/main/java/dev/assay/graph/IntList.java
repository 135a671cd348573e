package dev.assay.graph;

import java.util.Arrays;

/** A growing list of ints, also used as a stack. */
public final class IntList {
  private static final int MIN_CAPACITY = 4;

  private int[] items;
  private int size;

  public IntList() {
    this(16);
  }

  /** An empty list with room for this many ints before it grows. */
  public IntList(int capacity) {
    items = new int[Math.max(capacity, MIN_CAPACITY)];
  }

  public void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, Math.addExact(size, size >>> 1));
    }
    items[size++] = item;
  }

  public int get(int index) {
    return items[index];
  }

  public void set(int index, int item) {
    items[index] = item;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int last() {
    return items[size - 1];
  }

  public int removeLast() {
    return items[--size];
  }

  /** Keeps only the first items. */
  public void truncate(int newSize) {
    size = newSize;
  }

  public void clear() {
    size = 0;
  }

  /** Sorts the items in ascending order. */
  public void sort() {
    Arrays.sort(items, 0, size);
  }

  public int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
