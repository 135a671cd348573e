package dev.assay.solve;

import dev.assay.graph.IntList;
import dev.assay.graph.Sorted;
import dev.assay.graph.TopologicalOrder;
import java.util.Arrays;

/**
 * An order of units in which single units are moved, with the spans it violates and the total
 * weight of these violations.
 */
final class Arrangement {
  /**
   * The cost of a span whose end comes before its start; otherwise it is the number of writers in
   * between.
   */
  private static final int REVERSED = 3;

  /** Maximum number of versions before a place whose later reads are counted. */
  private static final int NEAR = 16;

  /** Distance between consecutive units before any has been moved. */
  static final long ROOM = 1L << 32;

  private static final long BEFORE_ALL = Long.MIN_VALUE;

  private final Polygraph problem;
  private final Spans spans;

  /** The weight of each span. */
  final int[] weight;

  private final long[] place;

  /** The versions of each key, except for the initial one, in the order of their writers. */
  private final int[] sorted;

  // The spans known to be violated.
  private final int[] wrong;
  private final int[] indexInWrong;
  private int wrongCount;

  /** Spans whose state a move may have changed. */
  private final IntList touched = new IntList(64);

  Arrangement(Polygraph problem, Spans spans) {
    this.problem = problem;
    this.spans = spans;
    this.weight = new int[spans.count()];
    this.place = new long[spans.units];
    this.sorted = new int[problem.writer.length];
    this.wrong = new int[spans.count()];
    this.indexInWrong = new int[spans.count()];
    Arrays.fill(indexInWrong, Polygraph.NONE);
  }

  /** Starts from an order of all units, with equal weights. */
  void start(int[] order) {
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = (i + 1) * ROOM;
    }
    Arrays.fill(weight, 1);
    long[] work = new long[0];
    for (int key = 0; key < problem.keys(); key++) {
      int from = problem.keyFirst[key] + 1;
      int count = problem.keyFirst[key + 1] - from;
      work = work.length < count ? new long[2 * count] : work;
      for (int i = 0; i < count; i++) {
        work[i] = (place[problem.writer[from + i]] / ROOM << 32) | (from + i);
      }
      Arrays.sort(work, 0, count);
      for (int i = 0; i < count; i++) {
        sorted[from + i] = (int) work[i];
      }
    }
    for (int span = spans.firstChoice; span < spans.firstEdge; span++) {
      int choice = span - spans.firstChoice;
      spans.choose(span, problem.choices.item(problem.choices.first(choice)));
      chooseNearest(span);
    }
    findWrong();
  }

  /**
   * Resolves a choice to the candidate of least cost: the fewest writers between it and the read.
   */
  void chooseNearest(int span) {
    int choice = span - spans.firstChoice;
    int best = spans.chosen(span);
    int least = cost(span, startOf(span), endOf(span));
    for (int i = problem.choices.first(choice); i < problem.choices.end(choice); i++) {
      int version = problem.choices.item(i);
      int writer = problem.writer[version];
      int cost = cost(span, writer == Polygraph.INITIAL ? BEFORE_ALL : place[writer], endOf(span));
      if (cost < least) {
        least = cost;
        best = version;
      }
    }
    spans.choose(span, best);
  }

  /** Examines all spans; returns how many are violated. */
  int findWrong() {
    for (int span = 0; span < spans.count(); span++) {
      note(span);
    }
    return wrongCount;
  }

  /** The units in order. */
  int[] order() {
    int[] units = TopologicalOrder.natural(spans.units);
    return Sorted.by(units, unit -> place[unit]);
  }

  int wrongCount() {
    return wrongCount;
  }

  int wrong(int index) {
    return wrong[index];
  }

  long place(int unit) {
    return place[unit];
  }

  long startOf(int span) {
    return spans.start[span] == Polygraph.INITIAL ? BEFORE_ALL : place[spans.start[span]];
  }

  long endOf(int span) {
    return place[spans.end[span]];
  }

  /** The version at a place among those of its key, which {@link #firstAfter} counts. */
  int version(int index) {
    return sorted[index];
  }

  /** The index of the first version of a key whose writer comes after a place. */
  int firstAfter(int key, long after) {
    int low = problem.keyFirst[key] + 1;
    int high = problem.keyFirst[key + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (place[problem.writer[sorted[middle]]] > after) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private int cost(int span, long from, long to) {
    if (to <= from) {
      return REVERSED;
    }
    int key = spans.key[span];
    return key == Polygraph.NONE ? 0 : firstAfter(key, to - 1) - firstAfter(key, from);
  }

  /** The total cost of all spans. */
  long total() {
    long sum = 0;
    for (int span = 0; span < spans.count(); span++) {
      sum += cost(span, startOf(span), endOf(span));
    }
    return sum;
  }

  /** The change of the total cost if a unit is moved; negative for a gain. */
  long change(int unit, long to) {
    long from = place[unit];
    long change = 0;
    for (int i = spans.at.first(unit); i < spans.at.end(unit); i++) {
      int span = spans.at.item(i);
      if (spans.start[span] != unit && spans.end[span] != unit) {
        continue;
      }
      long start = startOf(span);
      long end = endOf(span);
      int before = cost(span, start, end);
      boolean begins = spans.start[span] == unit;
      long newStart = begins ? to : start;
      long newEnd = begins ? end : to;
      int after = cost(span, newStart, newEnd);
      boolean writes = spans.key[span] != Polygraph.NONE && (begins || spans.overwrites[span]);
      if (writes && newStart < from && from < newEnd) {
        after--;
      }
      change += (long) weight[span] * (after - before);
    }
    if (unit < problem.transactions) {
      for (int i = problem.writes.first(unit); i < problem.writes.end(unit); i++) {
        int key = problem.keyOf[problem.writes.item(i)];
        change += across(key, to, unit, null) - across(key, from, unit, null);
      }
    }
    return change;
  }

  /**
   * The weight of the spans of a key across a place, except for those at a unit; near ones only.
   */
  private long across(int key, long at, int except, IntList found) {
    long sum = 0;
    int from = problem.keyFirst[key] + 1;
    int last = firstAfter(key, at - 1) - 1;
    for (int i = last; i >= from && i > last - NEAR; i--) {
      sum += acrossOf(sorted[i], at, except, found);
    }
    return sum + acrossOf(problem.keyFirst[key], at, except, found);
  }

  private long acrossOf(int version, long at, int except, IntList found) {
    if (problem.writer[version] == except) {
      return 0;
    }
    long sum = 0;
    for (int span = spans.firstOf[version]; span < spans.firstOf[version + 1]; span++) {
      sum += acrossOne(span, at, except, found);
    }
    for (int i = spans.choicesOf.first(version); i < spans.choicesOf.end(version); i++) {
      int span = spans.choicesOf.item(i);
      if (spans.chosen(span) == version) {
        sum += acrossOne(span, at, except, found);
      }
    }
    return sum;
  }

  private long acrossOne(int span, long at, int except, IntList found) {
    if (place[spans.end[span]] <= at || spans.end[span] == except) {
      return 0;
    }
    if (found != null) {
      found.add(span);
    }
    return weight[span];
  }

  void move(int unit, long to) {
    touched.clear();
    for (int i = spans.at.first(unit); i < spans.at.end(unit); i++) {
      touched.add(spans.at.item(i));
    }
    long from = place[unit];
    if (unit < problem.transactions) {
      for (int i = problem.writes.first(unit); i < problem.writes.end(unit); i++) {
        int version = problem.writes.item(i);
        int key = problem.keyOf[version];
        across(key, from, unit, touched);
        across(key, to, unit, touched);
        shift(version, key, from, to);
      }
    }
    place[unit] = to;
    for (int i = 0; i < touched.size(); i++) {
      note(touched.get(i));
    }
  }

  /** Moves a version to its place among those of its key. */
  private void shift(int version, int key, long from, long to) {
    int target = firstAfter(key, to);
    int at = firstAfter(key, from - 1);
    while (sorted[at] != version) {
      at++;
    }
    if (target > at) {
      System.arraycopy(sorted, at + 1, sorted, at, target - 1 - at);
      sorted[target - 1] = version;
    } else {
      System.arraycopy(sorted, target, sorted, target + 1, at - target);
      sorted[target] = version;
    }
  }

  /** Whether a span is violated; records it if so. */
  boolean note(int span) {
    boolean isWrong = cost(span, startOf(span), endOf(span)) > 0;
    if (isWrong && spans.isChoice(span)) {
      chooseNearest(span);
      isWrong = cost(span, startOf(span), endOf(span)) > 0;
    }
    int index = indexInWrong[span];
    if (isWrong && index == Polygraph.NONE) {
      indexInWrong[span] = wrongCount;
      wrong[wrongCount++] = span;
    } else if (!isWrong && index != Polygraph.NONE) {
      int last = wrong[--wrongCount];
      wrong[index] = last;
      indexInWrong[last] = index;
      indexInWrong[span] = Polygraph.NONE;
    }
    return isWrong;
  }
}
