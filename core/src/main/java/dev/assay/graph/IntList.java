package dev.assay.graph;

import java.util.Arrays;

/** A growing list of ints, also used as a stack. */
public final class IntList {
  private static final int MIN_GROWTH = 4;

  private int[] items;
  private int size;

  public IntList() {
    this(16);
  }

  /** An empty list with room for this many ints before it grows. */
  public IntList(int capacity) {
    items = new int[capacity];
  }

  public void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, Math.addExact(size, Math.max(size >>> 1, MIN_GROWTH)));
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

  /** Sorts the items in ascending order and drops what is there twice. */
  public void sortDistinct() {
    Arrays.sort(items, 0, size);
    int all = size;
    size = Math.min(all, 1);
    for (int i = 1; i < all; i++) {
      if (items[i] != items[size - 1]) {
        items[size++] = items[i];
      }
    }
  }

  /** The index of an item in a list that is ascending; negative if it is not there. */
  public int binarySearch(int item) {
    return Arrays.binarySearch(items, 0, size, item);
  }

  /** A copy that takes no more memory than it needs; this list is empty then. */
  public IntList take() {
    IntList copy = new IntList(0);
    copy.items = toArray();
    copy.size = size;
    size = 0;
    return copy;
  }

  public int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
