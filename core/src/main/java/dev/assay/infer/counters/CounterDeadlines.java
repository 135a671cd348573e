package dev.assay.infer.counters;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * The deadline of each increment: a sum of its counter by which it must have applied, because a
 * transaction that began after the increment had ended, or came later in its session, read that
 * sum. Increments due by a sum must never add up to more than is missing to that sum.
 */
final class CounterDeadlines {
  private static final int NONE = -1;

  /** Number of deadlines to look ahead. */
  private static final int AHEAD = 64;

  private final History history;
  private final CounterUse use;

  /** For each increment its place among the deadlines of its counter, or −1. */
  private final int[] place;

  /** For each counter its deadlines, ascending, and the amounts still due by each. */
  private final long[][] deadlines;

  private final long[][] left;

  /** The first deadline of each counter by which something is left. */
  private final int[] first;

  CounterDeadlines(History history, CounterUse use) {
    this.history = history;
    this.use = use;
    this.place = new int[use.increments()];
    int counters = history.keys().count();
    this.deadlines = new long[counters][];
    this.left = new long[counters][];
    this.first = new int[counters];
    long[] deadline = new long[use.increments()];
    Arrays.fill(deadline, Long.MAX_VALUE);
    int[][] byCounter = grouped(use.increments(), counters, use::counter);
    int[][] readsOf = grouped(use.reads(), counters, use::readCounter);
    for (int counter = 0; counter < counters; counter++) {
      lowerByTime(byCounter[counter], readsOf[counter], deadline);
    }
    lowerBySession(deadline);
    for (int counter = 0; counter < counters; counter++) {
      enter(counter, byCounter[counter], deadline);
    }
  }

  /** The numbers up to a size by their groups, ascending. */
  private static int[][] grouped(int size, int groups, IntUnaryOperator group) {
    int[] sizes = new int[groups];
    for (int i = 0; i < size; i++) {
      sizes[group.applyAsInt(i)]++;
    }
    int[][] result = new int[groups][];
    Arrays.setAll(result, g -> new int[sizes[g]]);
    for (int i = size - 1; i >= 0; i--) {
      int of = group.applyAsInt(i);
      result[of][--sizes[of]] = i;
    }
    return result;
  }

  private void lowerByTime(int[] increments, int[] reads, long[] deadline) {
    int[] byStart = Sorted.by(reads, read -> history.start(use.readBy(read)));
    int[] byEnd = Sorted.by(increments, i -> history.knownEnd(use.incrementBy(i)));
    int next = byStart.length - 1;
    long lowest = Long.MAX_VALUE;
    for (int i = byEnd.length - 1; i >= 0; i--) {
      long end = history.knownEnd(use.incrementBy(byEnd[i]));
      if (end != History.ABSENT) {
        while (next >= 0 && history.start(use.readBy(byStart[next])) > end) {
          lowest = Math.min(lowest, use.sum(byStart[next--]));
        }
        deadline[byEnd[i]] = lowest;
      }
    }
  }

  private void lowerBySession(long[] deadline) {
    long[] lowest = new long[history.keys().count()];
    Arrays.fill(lowest, Long.MAX_VALUE);
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int i = history.sessionSize(session) - 1; i >= 0; i--) {
        int txn = history.sessionTransaction(session, i);
        for (int own = use.firstIncrement(txn); own < use.endIncrement(txn); own++) {
          deadline[own] = Math.min(deadline[own], lowest[use.counter(own)]);
        }
        for (int read = use.firstRead(txn); read < use.endRead(txn); read++) {
          int counter = use.readCounter(read);
          lowest[counter] = Math.min(lowest[counter], use.sum(read));
        }
      }
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        for (int read = use.firstRead(txn); read < use.endRead(txn); read++) {
          lowest[use.readCounter(read)] = Long.MAX_VALUE;
        }
      }
    }
  }

  private void enter(int counter, int[] increments, long[] deadline) {
    long[] distinct =
        Arrays.stream(increments)
            .mapToLong(i -> deadline[i])
            .filter(due -> due != Long.MAX_VALUE)
            .sorted()
            .distinct()
            .toArray();
    deadlines[counter] = distinct;
    left[counter] = new long[distinct.length];
    for (int i : increments) {
      place[i] = deadline[i] == Long.MAX_VALUE ? NONE : Arrays.binarySearch(distinct, deadline[i]);
      if (place[i] >= 0) {
        left[counter][place[i]] += use.amount(i);
      }
    }
  }

  /** Whether all deadlines can still be met if an increment is the next to apply to a sum. */
  boolean mayBeNext(int increment, long sum) {
    int counter = use.counter(increment);
    long due = 0;
    int end = Math.min(deadlines[counter].length, first[counter] + AHEAD);
    for (int i = first[counter]; i < end; i++) {
      due += left[counter][i];
      boolean own = place[increment] >= 0 && place[increment] <= i;
      long needed = due + (own ? 0 : use.amount(increment));
      if (due > 0 && sum + needed > deadlines[counter][i]) {
        return false;
      }
    }
    return true;
  }

  /** Records that an increment was applied or undone. */
  void note(int increment, boolean made) {
    if (place[increment] < 0) {
      return;
    }
    int counter = use.counter(increment);
    long[] open = left[counter];
    open[place[increment]] -= made ? use.amount(increment) : -use.amount(increment);
    int next = Math.min(first[counter], place[increment]);
    while (next < open.length && open[next] == 0) {
      next++;
    }
    first[counter] = next;
  }
}
