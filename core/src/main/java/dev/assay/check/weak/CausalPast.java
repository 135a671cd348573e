package dev.assay.check.weak;

/**
 * Which transactions causally precede which, as vector clocks over a window of {@link Lanes}: for
 * each transaction the number of transactions of each lane in its past. The entry for its own lane
 * is its place there and is not stored, so a transaction that learns nothing new shares the clock
 * of one before it; and a source already in the past brings nothing, so most joins are skipped.
 *
 * <p>The window bounds memory where there are very many lanes; callers go over the windows one by
 * one.
 */
final class CausalPast {
  private final Lanes lanes;
  private final int firstLane;
  private final int width;
  private final int[][] clocks;

  CausalPast(
      CommitOrder.Constraints constraints, CommitOrder order, Lanes lanes, int from, int to) {
    Causality causality = constraints.causality();
    this.lanes = lanes;
    this.firstLane = from;
    this.width = to - from;
    this.clocks = new int[causality.transactions()][];
    int[] empty = new int[width];
    int[] scratch = new int[width];
    for (int i = 0; i < order.size(); i++) {
      int txn = order.at(i);
      int previous = causality.previous(txn);
      boolean copied = false;
      int[] base = empty;
      if (previous != Causality.NONE) {
        base = clocks[previous];
        if (lanes.lane(previous) != lanes.lane(txn) && covers(previous)) {
          System.arraycopy(base, 0, scratch, 0, width);
          learn(scratch, previous);
          copied = true;
        }
      }
      for (int s = causality.firstSource(txn); s < causality.endSource(txn); s++) {
        int source = causality.source(s);
        if (!constraints.keeps(source, txn) || known(copied ? scratch : base, source, txn)) {
          continue;
        }
        if (!copied) {
          System.arraycopy(base, 0, scratch, 0, width);
          copied = true;
        }
        join(scratch, clocks[source]);
        learn(scratch, source);
      }
      clocks[txn] = copied ? scratch.clone() : base;
    }
  }

  /** Whether this window can tell what a transaction precedes. */
  boolean covers(int txn) {
    int lane = lanes.lane(txn);
    return lane >= firstLane && lane < firstLane + width;
  }

  /** Whether {@code earlier}, which this window covers, causally precedes {@code later}. */
  boolean contains(int earlier, int later) {
    if (lanes.lane(earlier) == lanes.lane(later)) {
      return lanes.place(earlier) < lanes.place(later);
    }
    return clocks[later][lanes.lane(earlier) - firstLane] > lanes.place(earlier);
  }

  /** Whether a source is in the past already, and with it everything in its own past. */
  private boolean known(int[] clock, int source, int txn) {
    return lanes.lane(source) != lanes.lane(txn)
        && covers(source)
        && clock[lanes.lane(source) - firstLane] > lanes.place(source);
  }

  private void learn(int[] clock, int source) {
    if (covers(source)) {
      int entry = lanes.lane(source) - firstLane;
      clock[entry] = Math.max(clock[entry], lanes.place(source) + 1);
    }
  }

  private static void join(int[] into, int[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], other[i]);
    }
  }
}
