package dev.assay.infer;

/** Sorts ints by longs that belong to them, without an object an item. */
final class Sorting {
  private Sorting() {}

  /** The first {@code size} items by ascending key, equal keys in the order they were in. */
  static int[] byKey(int[] items, int size, long[] keys) {
    int[] from = java.util.Arrays.copyOf(items, size);
    int[] to = new int[size];
    for (int width = 1; width < size; width *= 2) {
      for (int start = 0; start < size; start += 2 * width) {
        int middle = Math.min(start + width, size);
        merge(from, to, start, middle, Math.min(middle + width, size), keys);
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void merge(int[] from, int[] to, int start, int middle, int end, long[] keys) {
    int a = start;
    int b = middle;
    for (int i = start; i < end; i++) {
      boolean first = b == end || (a < middle && keys[from[a]] <= keys[from[b]]);
      to[i] = first ? from[a++] : from[b++];
    }
  }
}
