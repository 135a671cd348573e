package dev.assay.solve;

import java.util.Arrays;

/** The versions of each key in the order of their writers in a topological order. */
final class VersionsInOrder {
  private final Polygraph problem;
  private final IncrementalOrder order;

  /** Versions, key by key; the initial one first. */
  private final int[] sorted;

  private final int[] rank;
  private long[] work = new long[16];

  VersionsInOrder(Polygraph problem, IncrementalOrder order) {
    this.problem = problem;
    this.order = order;
    this.sorted = new int[problem.writer.length];
    this.rank = new int[problem.writer.length];
  }

  /** Sorts the versions by the current order. */
  void sort() {
    for (int key = 0; key < problem.keys(); key++) {
      int from = problem.keyFirst[key];
      int count = problem.keyFirst[key + 1] - from;
      if (count > work.length) {
        work = new long[2 * count];
      }
      for (int i = 0; i < count; i++) {
        int writer = problem.writer[from + i];
        long place = writer == Polygraph.INITIAL ? Polygraph.NONE : order.place(writer);
        work[i] = ((place + 1) << 32) | (from + i);
      }
      Arrays.sort(work, 0, count);
      for (int i = 0; i < count; i++) {
        sorted[from + i] = (int) work[i];
        rank[(int) work[i]] = from + i;
      }
    }
  }

  /** The version after another, or −1. */
  int next(int version) {
    int at = rank[version] + 1;
    return at < problem.keyFirst[problem.keyOf[version] + 1] ? sorted[at] : Polygraph.NONE;
  }

  /** Whether a version of a key comes after another one of it. */
  boolean isAfter(int version, int other) {
    return rank[version] > rank[other];
  }

  /** The version before another, or −1; never the initial one. */
  int previous(int version) {
    int at = rank[version] - 1;
    return at > problem.keyFirst[problem.keyOf[version]] ? sorted[at] : Polygraph.NONE;
  }
}
