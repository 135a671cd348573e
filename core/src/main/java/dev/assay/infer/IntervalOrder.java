package dev.assay.infer;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import java.util.Arrays;

/**
 * An interval order: v is before u when v ended before u began. Either time may be missing ({@link
 * History#ABSENT}), and an interval may begin after it ended: a version provably exists when its
 * first witness ends and is provably current when its last witness begins.
 *
 * <p>The order has a cycle only if two intervals are before each other. Suppose there is a cycle
 * v1, v2, … but no such pair: then end(v(i+2)) ≥ begin(v(i+1)) > end(v(i)), so the ends of every
 * second interval grow forever along the cycle.
 *
 * <p>Without a cycle, {@link #forEach} lists the transitive reduction: v before u is left out when
 * some w is between them. So an interval has as many predecessors as overlapped each other just
 * before it began.
 */
final class IntervalOrder {
  /** Receives a pair of the order. */
  interface Pairs {
    void add(int earlier, int later);
  }

  private static final int NONE = -1;

  private final int count;
  private final long[] end;
  private final long[] begin;

  /** The intervals that have an end, sorted by it. */
  private final int[] byEnd;

  /** The ends in that order. */
  private final long[] ends;

  /** For each prefix of {@link #byEnd}, the three intervals that begin last, latest first. */
  private final int[] latest;

  /** The first {@code count} entries of the arrays are the intervals. */
  IntervalOrder(int count, long[] end, long[] begin) {
    this.count = count;
    this.end = end;
    this.begin = begin;
    int ended = 0;
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      if (end[i] != History.ABSENT) {
        order[ended++] = i;
      }
    }
    this.byEnd = Sorted.by(Arrays.copyOf(order, ended), i -> end[i]);
    this.ends = new long[ended];
    this.latest = new int[3 * (ended + 1)];
    latest[0] = latest[1] = latest[2] = NONE;
    for (int i = 0; i < ended; i++) {
      ends[i] = end[byEnd[i]];
      insertLatest(i);
    }
  }

  private void insertLatest(int place) {
    int thing = byEnd[place];
    int from = 3 * place;
    int to = from + 3;
    boolean inserted = false;
    for (int i = 0, j = 0; j < 3; j++) {
      int known = latest[from + i];
      if (!inserted && (known == NONE || begin[thing] > begin[known])) {
        latest[to + j] = thing;
        inserted = true;
      } else {
        latest[to + j] = known;
        i++;
      }
    }
  }

  /** The number of intervals that ended before a time. */
  private int endedBefore(long time) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Of the first {@code prefix} by end, the one that begins last, except for two; or −1. */
  private int latestBut(int prefix, int one, int other) {
    for (int i = 3 * prefix; i < 3 * prefix + 3; i++) {
      if (latest[i] == NONE || (latest[i] != one && latest[i] != other)) {
        return latest[i];
      }
    }
    return NONE;
  }

  /** Two intervals that are before each other, or null. */
  int[] cycle() {
    for (int u = 0; u < count; u++) {
      if (begin[u] == History.ABSENT || end[u] == History.ABSENT) {
        continue;
      }
      int v = latestBut(endedBefore(begin[u]), u, NONE);
      if (v != NONE && begin[v] > end[u]) {
        return new int[] {u, v};
      }
    }
    return null;
  }

  /** How many pairs {@link #forEach} lists. */
  long size() {
    long[] size = new long[1];
    for (int u = 0; u < count; u++) {
      size[0] += predecessors(u, null);
    }
    return size[0];
  }

  /** Lists the transitive reduction; only for orders without a cycle. */
  void forEach(Pairs pairs) {
    for (int u = 0; u < count; u++) {
      predecessors(u, pairs);
    }
  }

  private long predecessors(int u, Pairs pairs) {
    if (begin[u] == History.ABSENT) {
      return 0;
    }
    int prefix = endedBefore(begin[u]);
    int last = latestBut(prefix, u, NONE);
    if (last == NONE) {
      return 0;
    }
    // Whatever ended before the last one began is before that one, which is before u.
    int from = begin[last] == History.ABSENT ? 0 : endedBefore(begin[last]);
    int next = latestBut(prefix, u, last);
    boolean keepsLast = next == NONE || begin[next] <= end[last];
    if (pairs == null) {
      long kept = Math.max(0, prefix - from);
      kept -= isBetween(u, from, prefix) ? 1 : 0;
      kept -= isBetween(last, from, prefix) ? 1 : 0;
      return kept + (keepsLast ? 1 : 0);
    }
    for (int place = from; place < prefix; place++) {
      if (byEnd[place] != u && byEnd[place] != last) {
        pairs.add(byEnd[place], u);
      }
    }
    if (keepsLast) {
      pairs.add(last, u);
    }
    return 0;
  }

  /** Whether an interval is at one of these places in the order of ends. */
  private boolean isBetween(int thing, int from, int to) {
    return from < to
        && end[thing] != History.ABSENT
        && end[thing] >= ends[from]
        && end[thing] <= ends[to - 1];
  }
}
