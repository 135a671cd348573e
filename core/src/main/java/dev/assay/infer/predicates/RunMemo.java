package dev.assay.infer.predicates;

import java.util.Arrays;

/**
 * A cache of runs of versions, of bounded size: a new run replaces another. Operations visit
 * versions in order, so the next one often needs the same run.
 */
final class RunMemo {
  private static final int SLOTS = 1 << 16;

  private final long[] of = new long[SLOTS];
  private final int[] start = new int[SLOTS];
  private final int[] end = new int[SLOTS];

  RunMemo() {
    Arrays.fill(of, -1);
  }

  private static long pair(int filter, int key) {
    return ((long) filter << 32) | key;
  }

  /** Where runs of a key for a filter are kept. */
  int slot(int filter, int key) {
    return (int) ((pair(filter, key) * 0x9E3779B97F4A7C15L) >>> 48);
  }

  /** Whether a run with this version is kept there. */
  boolean holds(int slot, int filter, int key, int version) {
    return of[slot] == pair(filter, key) && start[slot] <= version && version < end[slot];
  }

  void note(int slot, int filter, int key, int runStart, int runEnd) {
    of[slot] = pair(filter, key);
    start[slot] = runStart;
    end[slot] = runEnd;
  }

  int start(int slot) {
    return start[slot];
  }

  /** One past the last version of a run. */
  int end(int slot) {
    return end[slot];
  }
}
