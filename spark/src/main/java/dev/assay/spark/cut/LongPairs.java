package dev.assay.spark.cut;

import java.util.Arrays;

/** Pairs of longs. */
final class LongPairs {
  /** Takes pairs one by one. */
  interface Taking {
    void accept(long first, long second);
  }

  private long[] firsts = new long[4];
  private long[] seconds = new long[4];
  private int size;

  int size() {
    return size;
  }

  long first(int place) {
    return firsts[place];
  }

  long second(int place) {
    return seconds[place];
  }

  void add(long first, long second) {
    if (size == firsts.length) {
      firsts = Arrays.copyOf(firsts, Math.addExact(size, size));
      seconds = Arrays.copyOf(seconds, firsts.length);
    }
    set(size++, first, second);
  }

  void set(int place, long first, long second) {
    firsts[place] = first;
    seconds[place] = second;
  }

  /** Keeps only the first ones. */
  void truncate(int length) {
    size = length;
  }

  /** Sorts them by the first, then by the second; those in order already take a look at each. */
  void sort() {
    long[] toFirsts = null;
    long[] toSeconds = null;
    for (int width = 1; width < size; width *= 2) {
      if (isSorted(width)) {
        continue;
      }
      if (toFirsts == null) {
        toFirsts = new long[firsts.length];
        toSeconds = new long[firsts.length];
      }
      for (int from = 0; from < size; from += 2 * width) {
        int middle = Math.min(from + width, size);
        merge(from, middle, Math.min(middle + width, size), toFirsts, toSeconds);
      }
      long[] swapped = firsts;
      firsts = toFirsts;
      toFirsts = swapped;
      swapped = seconds;
      seconds = toSeconds;
      toSeconds = swapped;
    }
  }

  /** Whether runs of some width follow each other in order. */
  private boolean isSorted(int width) {
    for (int middle = width; middle < size; middle += 2 * width) {
      if (isAfter(middle - 1, middle)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAfter(int one, int other) {
    return firsts[one] > firsts[other]
        || firsts[one] == firsts[other] && seconds[one] > seconds[other];
  }

  private void merge(int from, int middle, int to, long[] toFirsts, long[] toSeconds) {
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takesLeft = right == to || left < middle && !isAfter(left, right);
      int next = takesLeft ? left++ : right++;
      toFirsts[i] = firsts[next];
      toSeconds[i] = seconds[next];
    }
  }
}
