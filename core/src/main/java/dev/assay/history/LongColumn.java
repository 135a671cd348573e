package dev.assay.history;

import java.util.Arrays;

/** A column that most histories leave empty. */
final class LongColumn {
  private final long absent;
  private long[] items;

  LongColumn(long absent) {
    this.absent = absent;
  }

  void set(int index, long item) {
    if (items == null) {
      if (item == absent) {
        return;
      }
      items = new long[0];
    }
    if (index >= items.length) {
      int before = items.length;
      items = Arrays.copyOf(items, HistoryBuilder.grown(index + 1));
      Arrays.fill(items, before, items.length, absent);
    }
    items[index] = item;
  }

  long[] finish(int size) {
    if (items == null) {
      return null;
    }
    int before = items.length;
    long[] result = Arrays.copyOf(items, size);
    if (size > before) {
      Arrays.fill(result, before, size, absent);
    }
    items = null;
    return result;
  }

  int[] finishInts(int size) {
    long[] longs = finish(size);
    return longs == null ? null : Arrays.stream(longs).mapToInt(Math::toIntExact).toArray();
  }
}
