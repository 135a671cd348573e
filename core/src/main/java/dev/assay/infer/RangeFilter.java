package dev.assay.infer;

import dev.assay.predicate.Range;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A range that a column of a version must be in to match a condition: cheaper to ask than the
 * condition, and with an index that finds the next version inside or outside the range without
 * looking at all between.
 */
final class RangeFilter {
  /** The index does not help: versions have to be asked one after another. */
  static final int UNTOLD = -2;

  /** There is no such version. */
  static final int NONE = -1;

  private final Range range;
  private final RowVersions rows;
  private final long[] integers;
  private final int[] sorted;
  private final int[] others;

  /**
   * A range of a column.
   *
   * @param integers the column of each version, or {@link RowTable#NO_INTEGER}
   * @param sorted the versions of each key by their integers, those without one first
   * @param others keys with versions in which the column is neither null nor an integer, ascending
   */
  RangeFilter(Range range, RowVersions rows, long[] integers, int[] sorted, int[] others) {
    this.range = range;
    this.rows = rows;
    this.integers = integers;
    this.sorted = sorted;
    this.others = others;
  }

  /** Whether a version that has an integer in the column matches if that is in the range. */
  boolean isExact() {
    return range.exact();
  }

  boolean hasInteger(int version) {
    return integers[version] != RowTable.NO_INTEGER;
  }

  boolean contains(int version) {
    return range.contains(integers[version]);
  }

  /**
   * The version nearest to one end of some versions of a key that matches, or that does not.
   *
   * @param from the first of these versions
   * @param to one past the last
   * @param matching whether one is looked for that matches
   * @param forward whether the first is looked for rather than the last
   * @param matches the condition itself
   */
  int nearest(int key, int from, int to, boolean matching, boolean forward, IntPredicate matches) {
    if (Arrays.binarySearch(others, key) >= 0 || (!matching && !range.exact())) {
      return UNTOLD;
    }
    int first = rows.first(key);
    int end = rows.end(key);
    // Nothing is as low as the least integer, which stands for nothing.
    int low = lowerBound(first, end, Math.max(range.low(), RowTable.NO_INTEGER + 1));
    int high = range.high() == Long.MAX_VALUE ? end : lowerBound(low, end, range.high() + 1);
    int candidates = matching ? high - low : end - first - (high - low);
    if (candidates >= to - from) {
      return UNTOLD;
    }
    if (!matching) {
      int below = nearest(first, low, from, to, forward);
      int above = nearest(high, end, from, to, forward);
      return nearer(below, above, forward);
    }
    return range.exact()
        ? nearest(low, high, from, to, forward)
        : nearestMatching(low, high, from, to, forward, matches);
  }

  private static int nearer(int a, int b, boolean forward) {
    if (a == NONE || b == NONE) {
      return Math.max(a, b);
    }
    return forward ? Math.min(a, b) : Math.max(a, b);
  }

  private int nearest(int first, int end, int from, int to, boolean forward) {
    int found = NONE;
    for (int i = first; i < end; i++) {
      int version = sorted[i];
      if (version >= from && version < to) {
        found = nearer(found, version, forward);
      }
    }
    return found;
  }

  private int nearestMatching(
      int first, int end, int from, int to, boolean forward, IntPredicate matches) {
    int[] within =
        Arrays.stream(sorted, first, end).filter(v -> v >= from && v < to).sorted().toArray();
    for (int i = 0; i < within.length; i++) {
      int version = within[forward ? i : within.length - 1 - i];
      if (matches.test(version)) {
        return version;
      }
    }
    return NONE;
  }

  private int lowerBound(int first, int end, long bound) {
    int low = first;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (integers[sorted[middle]] < bound) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
