package dev.assay.infer.predicates;

import dev.assay.infer.RowVersions;
import dev.assay.predicate.Range;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A range that a column of a version must be in to match a condition: cheaper to evaluate than the
 * condition, and with an index that finds the next version inside or outside the range without
 * visiting all in between.
 */
final class RangeFilter {
  /** The index does not help: versions have to be evaluated one by one. */
  static final int UNDECIDED = -2;

  /** There is no such version. */
  static final int NONE = -1;

  /**
   * Number of versions evaluated before the index is used: being adjacent in memory, they are
   * cheap.
   */
  private static final int STEPS = 1024;

  private final boolean exact;
  private final long low;
  private final long high;
  private final RowVersions rows;
  private final RowTable.Index index;
  private final long[] integers;
  private final int number;

  /**
   * A range of a column.
   *
   * @param number distinguishes this filter from others of the index
   */
  RangeFilter(Range range, RowVersions rows, RowTable.Index index, int number) {
    this.exact = range.exact();
    // The least integer marks the absence of an integer, so it is excluded.
    this.low = Math.max(range.low(), RowTable.NO_INTEGER + 1);
    this.high = range.high();
    this.rows = rows;
    this.index = index;
    this.integers = index.integers();
    this.number = number;
  }

  /** Whether a version that has an integer in the column matches if that is in the range. */
  boolean isExact() {
    return exact;
  }

  boolean hasInteger(int version) {
    return integers[version] != RowTable.NO_INTEGER;
  }

  boolean contains(int version) {
    long integer = integers[version];
    return low <= integer && integer <= high;
  }

  /** Whether the range alone decides whether versions of a key match. */
  boolean decides(int key) {
    return exact && !index.isOdd(key);
  }

  /** The first of the versions around one that are all in the range, or all not. */
  int runStart(int key, int version) {
    RunMemo memo = index.runs();
    int slot = memo.slot(number, key);
    return memo.holds(slot, number, key, version)
        ? memo.start(slot)
        : memo.start(note(memo, slot, key, version));
  }

  /** One past the last of the versions around one that are all in the range, or all not. */
  int runEnd(int key, int version) {
    RunMemo memo = index.runs();
    int slot = memo.slot(number, key);
    return memo.holds(slot, number, key, version)
        ? memo.end(slot)
        : memo.end(note(memo, slot, key, version));
  }

  private int note(RunMemo memo, int slot, int key, int version) {
    boolean other = !contains(version);
    int first = rows.first(key);
    int near = Math.max(first, version - STEPS);
    int before = last(near, version, other);
    if (before == NONE && near > first) {
      before = indexed(key, first, near, other, false);
    }
    int end = rows.end(key);
    near = Math.min(end, version + 1 + STEPS);
    int after = first(version + 1, near, other);
    if (after == NONE && near < end) {
      after = indexed(key, near, end, other, true);
    }
    int start = before == NONE ? first : before + 1;
    memo.note(slot, number, key, start, after == NONE ? end : after);
    return slot;
  }

  private int first(int from, int to, boolean inside) {
    int v = from;
    while (v < to) {
      if ((v & (RowTable.BLOCK - 1)) == 0 && !mayHave(v / RowTable.BLOCK, inside)) {
        v += RowTable.BLOCK;
      } else if (contains(v) == inside) {
        return v;
      } else {
        v++;
      }
    }
    return NONE;
  }

  private int last(int from, int to, boolean inside) {
    int v = to - 1;
    while (v >= from) {
      if (((v + 1) & (RowTable.BLOCK - 1)) == 0 && !mayHave(v / RowTable.BLOCK, inside)) {
        v -= RowTable.BLOCK;
      } else if (contains(v) == inside) {
        return v;
      } else {
        v--;
      }
    }
    return NONE;
  }

  /** Whether a version of a block may be inside or outside; ends of ranges rule out most blocks. */
  private boolean mayHave(int block, boolean inside) {
    long least = index.least()[block];
    long greatest = index.greatest()[block];
    return inside ? least <= high && greatest >= low : least < low || greatest > high;
  }

  /** The first or last of some versions that is inside or outside, by way of the index. */
  private int indexed(int key, int from, int to, boolean inside, boolean forward) {
    int first = rows.first(key);
    int end = rows.end(key);
    int least = index.lowerBound(first, end, low);
    int beyond = beyond(least, end);
    int candidates = inside ? beyond - least : end - first - (beyond - least);
    if (candidates >= to - from) {
      return forward ? first(from, to, inside) : last(from, to, inside);
    }
    if (inside) {
      return nearest(least, beyond, from, to, forward);
    }
    int below = nearest(first, least, from, to, forward);
    return nearer(below, nearest(beyond, end, from, to, forward), forward);
  }

  private int beyond(int least, int end) {
    return high == Long.MAX_VALUE ? end : index.lowerBound(least, end, high + 1);
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
      int version = index.sorted()[i];
      if (version >= from && version < to) {
        found = nearer(found, version, forward);
      }
    }
    return found;
  }

  /**
   * The first or last of some versions of a key that matches, where the range is only part of the
   * condition.
   *
   * @param from the first of these versions
   * @param to one past the last
   * @param matches the condition itself
   */
  int nearestMatch(int key, int from, int to, boolean forward, IntPredicate matches) {
    int least = index.lowerBound(rows.first(key), rows.end(key), low);
    int beyond = beyond(least, rows.end(key));
    if (index.isOdd(key) || beyond - least >= to - from) {
      return UNDECIDED;
    }
    int[] within =
        Arrays.stream(index.sorted(), least, beyond)
            .filter(version -> version >= from && version < to)
            .sorted()
            .toArray();
    for (int i = 0; i < within.length; i++) {
      int version = within[forward ? i : within.length - 1 - i];
      if (matches.test(version)) {
        return version;
      }
    }
    return NONE;
  }
}
