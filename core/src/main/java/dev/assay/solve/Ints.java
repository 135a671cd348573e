package dev.assay.solve;

import java.util.Arrays;

/** A growing array of ints. */
public final class Ints {
  private int[] items;
  private int size;

  public Ints(int capacity) {
    items = new int[Math.max(capacity, 4)];
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

  void set(int index, int item) {
    items[index] = item;
  }

  public int size() {
    return size;
  }

  int last() {
    return items[size - 1];
  }

  public int removeLast() {
    return items[--size];
  }

  void truncate(int newSize) {
    size = newSize;
  }

  public void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
