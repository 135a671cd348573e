package dev.assay.check.weak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * How many of the edges that an axiom forces a scan collects. Where many transactions read old
 * versions of a key with many writers, there are quadratically many. Up to a bound all are
 * collected; beyond it the scan is repeated for those from which the others follow.
 */
final class Extent {
  /** Number of edges per read that are enough for a search to progress. */
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
   * Limits of a scan.
   *
   * @param edges maximum number of edges to collect
   * @param tests maximum number of tests whether a reader must see a writer
   * @param few number of candidates of a read that are always examined
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
   * Edges from which the others follow by session order, or a few of them per read: a search finds
   * the rest once it has handled these.
   */
  static Extent implying(Bounds bounds, BooleanSupplier stop) {
    return new Extent(false, IMPLYING, bounds, stop);
  }

  /** Edges for every read that has any, to report them, up to a number per read. */
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

  /** Whether there were too many to collect all. */
  boolean exceeded() {
    return all && (edges.get() > bounds.edges || tests.get() > bounds.tests);
  }

  /** The counts of one part of the work. */
  Part part() {
    return new Part();
  }

  /** Counts for one thread. */
  final class Part {
    private long newEdges;
    private long newTests;

    /** Counts work done; returns whether to continue. */
    boolean goesOn(long moreTests, long moreEdges) {
      newTests += moreTests;
      newEdges += moreEdges;
      return newTests + newEdges < AT_A_TIME || addToTotals();
    }

    /** Adds the counts to the totals; returns whether to continue. */
    boolean addToTotals() {
      edges.addAndGet(newEdges);
      tests.addAndGet(newTests);
      newEdges = 0;
      newTests = 0;
      return !exceeded() && !stop.getAsBoolean();
    }
  }
}
