package dev.assay.check.weak;

import dev.assay.history.History;

/**
 * Which transactions causally precede which, as vector clocks over a window of sessions: for each
 * transaction the number of transactions of each session in its past. The entry for its own session
 * is its place there and is not stored, so a transaction without new predecessors shares the clock
 * of the previous one; a source already in the past adds nothing, so most joins are skipped.
 *
 * <p>The window bounds memory where there are very many sessions; callers iterate over the windows.
 */
final class CausalPast {
  private final History history;
  private final int firstSession;
  private final int width;
  private final int[][] clocks;

  CausalPast(CommitOrder.Constraints constraints, CommitOrder order, int from, int to) {
    Causality causality = constraints.causality();
    this.history = causality.history();
    this.firstSession = from;
    this.width = to - from;
    this.clocks = new int[causality.transactions()][];
    int[] empty = new int[width];
    int[] scratch = new int[width];
    for (int i = 0; i < order.size(); i++) {
      int txn = order.at(i);
      int previous = causality.previous(txn);
      boolean copied = false;
      int[] base = previous == Causality.NONE ? empty : clocks[previous];
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

  /** Whether this window contains the session of a transaction. */
  boolean covers(int txn) {
    int session = history.session(txn);
    return session >= firstSession && session < firstSession + width;
  }

  /** Whether {@code earlier}, which this window covers, causally precedes {@code later}. */
  boolean contains(int earlier, int later) {
    if (history.session(earlier) == history.session(later)) {
      return history.placeInSession(earlier) < history.placeInSession(later);
    }
    return clocks[later][history.session(earlier) - firstSession] > history.placeInSession(earlier);
  }

  /** Whether a source is in the past already, and with it everything in its own past. */
  private boolean known(int[] clock, int source, int txn) {
    return history.session(source) != history.session(txn)
        && covers(source)
        && clock[history.session(source) - firstSession] > history.placeInSession(source);
  }

  private void learn(int[] clock, int source) {
    if (covers(source)) {
      int entry = history.session(source) - firstSession;
      clock[entry] = Math.max(clock[entry], history.placeInSession(source) + 1);
    }
  }

  private static void join(int[] into, int[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], other[i]);
    }
  }
}
