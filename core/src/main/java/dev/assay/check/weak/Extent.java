package dev.assay.check.weak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * How much of what an axiom forces a scan gathers. Where many transactions read old versions of a
 * key that many wrote, the edges are as many as pairs of these. Up to a bound all are gathered;
 * where there are more, the scan is repeated for those from which the others follow.
 */
final class Extent {
  /** So many edges for a read are enough for a search to go on. */
  private static final int IMPLYING = 8;

  private static final int TESTS_PER_OPERATION = 16;
  private static final int EDGES_PER_TRANSACTION = 4;
  private static final int AT_A_TIME = 1 << 14;

  private final boolean all;
  private final int perRead;
  private final Bounds bounds;
  private final BooleanSupplier stop;
  private final AtomicLong edges = new AtomicLong();
  private final AtomicLong tests = new AtomicLong();

  private Extent(boolean all, int perRead, Bounds bounds, BooleanSupplier stop) {
    this.all = all;
    this.perRead = perRead;
    this.bounds = bounds;
    this.stop = stop;
  }

  /**
   * What is too much.
   *
   * @param edges edges that are gathered, if there are not more
   * @param tests questions whether a reader was bound to see a writer
   * @param few candidates of one read that are all looked at in any case
   */
  record Bounds(long edges, long tests, int few) {
    static Bounds of(Causality causality) {
      long transactions = causality.transactions();
      long operations = causality.history().operationCount();
      return new Bounds(
          Math.max(1 << 20, EDGES_PER_TRANSACTION * transactions),
          Math.max(1 << 24, TESTS_PER_OPERATION * operations),
          16);
    }
  }

  /** All edges, unless there are too many. */
  static Extent all(Bounds bounds, BooleanSupplier stop) {
    return new Extent(true, Integer.MAX_VALUE, bounds, stop);
  }

  /**
   * Edges from which the others follow by session order, or a few of them for each read that has
   * any: a search finds the rest once it has dealt with these.
   */
  static Extent implying(Bounds bounds, BooleanSupplier stop) {
    return new Extent(false, IMPLYING, bounds, stop);
  }

  /** Edges for every read that has any, to tell them of, but not more than these for a read. */
  static Extent some(Bounds bounds, int perRead, BooleanSupplier stop) {
    return new Extent(false, perRead, bounds, stop);
  }

  int few() {
    return bounds.few;
  }

  boolean isAll() {
    return all;
  }

  int perRead() {
    return perRead;
  }

  /** Whether there were too many to gather all. */
  boolean exceeded() {
    return all && (edges.get() > bounds.edges || tests.get() > bounds.tests);
  }

  /** What one part of the work does. */
  Part part() {
    return new Part();
  }

  /** Counts for one thread. */
  final class Part {
    private long newEdges;
    private long newTests;

    /** Takes note of work done; returns whether to go on. */
    boolean goesOn(long moreTests, long moreEdges) {
      newTests += moreTests;
      newEdges += moreEdges;
      return newTests + newEdges < AT_A_TIME || addToTotals();
    }

    /** Adds the counts to those of other parts; returns whether to go on. */
    boolean addToTotals() {
      edges.addAndGet(newEdges);
      tests.addAndGet(newTests);
      newEdges = 0;
      newTests = 0;
      return !exceeded() && !stop.getAsBoolean();
    }
  }
}
