package dev.assay.graph;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Numbers in the order of a key. */
public final class Sorted {
  private Sorted() {}

  /** The same numbers by their keys; where keys are equal they stay as they stood. */
  public static int[] by(int[] numbers, IntToLongFunction key) {
    long[] keys = new long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      keys[i] = key.applyAsLong(numbers[i]);
    }
    long[] ascending = keys.clone();
    Arrays.parallelSort(ascending);
    int[] taken = new int[numbers.length];
    int[] sorted = new int[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      int place = firstPlace(ascending, keys[i]);
      sorted[place + taken[place]++] = numbers[i];
    }
    return sorted;
  }

  private static int firstPlace(long[] ascending, long key) {
    int low = 0;
    int high = ascending.length;
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
