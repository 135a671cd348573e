package dev.assay.solve;

import java.util.Arrays;

/** A heap of numbers, smallest first. */
final class RankHeap {
  private long[] items = new long[4];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void push(long item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    int at = size++;
    while (at > 0 && items[(at - 1) >> 1] > item) {
      items[at] = items[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    items[at] = item;
  }

  long pop() {
    long top = items[0];
    long last = items[--size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && items[child + 1] < items[child]) {
        child++;
      }
      if (items[child] >= last) {
        break;
      }
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return top;
  }
}
