package dev.assay.graph;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Numbers in the order of a key. */
public final class Sorted {
  private Sorted() {}

  /** The same numbers by their keys; equal keys keep their order. */
  public static int[] by(int[] numbers, IntToLongFunction key) {
    long[] keys = new long[numbers.length];
    boolean inOrder = true;
    for (int i = 0; i < numbers.length; i++) {
      keys[i] = key.applyAsLong(numbers[i]);
      inOrder &= i == 0 || keys[i - 1] <= keys[i];
    }
    if (inOrder) {
      return numbers.clone();
    }
    long[] ascending = keys.clone();
    Arrays.parallelSort(ascending);
    int[] taken = new int[numbers.length];
    int[] sorted = new int[numbers.length];
    int place = 0;
    for (int i = 0; i < numbers.length; i++) {
      place = firstPlace(ascending, keys[i], place);
      sorted[place + taken[place]++] = numbers[i];
    }
    return sorted;
  }

  /** Looks near the place found last: neighbours often have similar keys. */
  private static int firstPlace(long[] ascending, long key, int near) {
    int low = near;
    int high = near;
    for (int step = 1; low > 0 && ascending[low - 1] >= key; step <<= 1) {
      high = low - 1;
      low = Math.max(0, low - step);
    }
    for (int step = 1; high < ascending.length && ascending[high] < key; step <<= 1) {
      low = high + 1;
      high = step < ascending.length - high ? high + step : ascending.length;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
