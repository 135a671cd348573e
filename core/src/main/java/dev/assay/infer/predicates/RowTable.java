package dev.assay.infer.predicates;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.infer.RowVersions;
import dev.assay.predicate.Columns;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Range;
import dev.assay.predicate.RowValue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The versions as rows, and an index of the keys that had a value in a range at some time. */
final class RowTable {
  /** In columns: not an integer of 64 bits. */
  static final long NO_INTEGER = Long.MIN_VALUE;

  /** Number of consecutive versions, whatever their keys, that share bounds; a power of two. */
  static final int BLOCK = 64;

  private final RowVersions rows;
  private final List<String> names;
  private final Object[] key;
  private final Object[] value;
  private final Map<String, Index> indexes = new HashMap<>();
  private int filters;
  private int[] last;
  private int[] next;

  /**
   * One column of all versions.
   *
   * @param integers the column of each version, or {@link #NO_INTEGER}
   * @param values the integers in order, each with a key in {@code keys}
   * @param others keys with versions in which the column is neither null nor an integer
   * @param sorted the versions of each key by their integers, those without one first; a key has
   *     the same places here as in the versions
   * @param least the least of {@code integers} in each block of versions
   * @param greatest the greatest of them
   * @param runs runs of versions that filters found
   */
  record Index(
      long[] integers,
      long[] values,
      int[] keys,
      int[] others,
      int[] sorted,
      long[] least,
      long[] greatest,
      RunMemo runs) {
    /** Whether a key has versions in which the column is neither null nor an integer. */
    boolean isOdd(int key) {
      return others.length > 0 && Arrays.binarySearch(others, key) >= 0;
    }

    /** The first place in a range of {@code sorted} that is not below a bound. */
    int lowerBound(int first, int end, long bound) {
      int from = first;
      int to = end;
      while (from < to) {
        int middle = (from + to) >>> 1;
        if (integers[sorted[middle]] < bound) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return from;
    }
  }

  RowTable(History history, RowVersions rows, List<String> names) {
    this.rows = rows;
    this.names = names;
    this.key = new Object[rows.keys()];
    this.value = new Object[rows.versions()];
    for (int k = 0; k < key.length; k++) {
      key[k] = history.keys().get(k);
      for (int version = rows.first(k) + 1; version < rows.end(k); version++) {
        value[version] = history.values().get(history.value(rows.write(version)));
      }
    }
  }

  /** The last version up to one with which the row came or went, or −1. */
  int lastComing(int version) {
    return comings()[version];
  }

  /** The first version after one with which the row comes or goes, or −1. */
  int nextComing(int version) {
    comings();
    return next[version];
  }

  private int[] comings() {
    if (last == null) {
      last = new int[value.length];
      next = new int[value.length];
      for (int k = 0; k < key.length; k++) {
        int coming = -1;
        for (int v = rows.first(k); v < rows.end(k); v++) {
          boolean comes = v > rows.first(k) && (value[v] == null) != (value[v - 1] == null);
          coming = comes ? v : coming;
          last[v] = coming;
        }
        coming = -1;
        for (int v = rows.end(k) - 1; v >= rows.first(k); v--) {
          next[v] = coming;
          boolean comes = v > rows.first(k) && (value[v] == null) != (value[v - 1] == null);
          coming = comes ? v : coming;
        }
      }
    }
    return last;
  }

  RowVersions rows() {
    return rows;
  }

  /** The names of all keys; not to be changed. */
  Object[] keys() {
    return key;
  }

  Object key(int k) {
    return key[k];
  }

  /** What reads a column of a row. */
  RowValue column(String column) throws ConditionException {
    return Columns.column(names, column);
  }

  /** The row that a version is; null if there is none. */
  Object value(int version) {
    return value[version];
  }

  /**
   * The keys that may have been in a range at some time, without repetition; null if that is hardly
   * fewer than all.
   */
  int[] keysIn(String column, long low, long high) throws ConditionException {
    Index index = index(column);
    int from = lowerBound(index.values, low);
    int to = high == Long.MAX_VALUE ? index.values.length : lowerBound(index.values, high + 1);
    if (to - from + index.others.length >= rows.keys()) {
      return null;
    }
    int[] found = Arrays.copyOf(index.others, index.others.length + Math.max(0, to - from));
    for (int i = from; i < to; i++) {
      found[index.others.length + i - from] = index.keys[i];
    }
    return Arrays.stream(found).sorted().distinct().toArray();
  }

  /** A range of a column, to be compared with versions. */
  RangeFilter filter(Range range) throws ConditionException {
    Index index = index(range.column());
    return new RangeFilter(range, rows, index, filters++);
  }

  private static int lowerBound(long[] sorted, long bound) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] < bound) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private Index index(String column) throws ConditionException {
    Index index = indexes.get(column);
    if (index == null) {
      index = build(column(column));
      indexes.put(column, index);
    }
    return index;
  }

  private Index build(RowValue column) {
    long[] integers = new long[value.length];
    int[] keyOf = new int[value.length];
    boolean[] isOther = new boolean[rows.keys()];
    int count = 0;
    for (int k = 0; k < rows.keys(); k++) {
      for (int version = rows.first(k); version < rows.end(k); version++) {
        keyOf[version] = k;
        Object item = value[version] == null ? null : column.of(key[k], value[version]);
        boolean integer = item instanceof Long && (Long) item != NO_INTEGER;
        integers[version] = integer ? (Long) item : NO_INTEGER;
        isOther[k] |= item != null && !integer;
        count += integer ? 1 : 0;
      }
    }
    int[] order =
        Sorted.by(IntStream.range(0, value.length).toArray(), version -> integers[version]);
    long[] values = new long[count];
    int[] keys = new int[count];
    int size = 0;
    int[] next = rows.firsts();
    int[] sorted = new int[value.length];
    for (int version : order) {
      sorted[next[keyOf[version]]++] = version;
      boolean repeated =
          size > 0 && values[size - 1] == integers[version] && keys[size - 1] == keyOf[version];
      if (!repeated && integers[version] != NO_INTEGER) {
        values[size] = integers[version];
        keys[size++] = keyOf[version];
      }
    }
    int[] others = IntStream.range(0, rows.keys()).filter(k -> isOther[k]).toArray();
    return new Index(
        integers,
        Arrays.copyOf(values, size),
        Arrays.copyOf(keys, size),
        others,
        sorted,
        extremes(integers, false),
        extremes(integers, true),
        new RunMemo());
  }

  private static long[] extremes(long[] integers, boolean greatest) {
    long[] extremes = new long[(integers.length + BLOCK - 1) / BLOCK];
    Arrays.fill(extremes, greatest ? Long.MIN_VALUE : Long.MAX_VALUE);
    for (int i = 0; i < integers.length; i++) {
      long before = extremes[i / BLOCK];
      extremes[i / BLOCK] =
          greatest ? Math.max(before, integers[i]) : Math.min(before, integers[i]);
    }
    return extremes;
  }
}
