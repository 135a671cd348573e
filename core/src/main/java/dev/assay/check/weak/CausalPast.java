package dev.assay.check.weak;

import dev.assay.history.History;

/**
 * Which transactions causally precede which, as vector clocks over a window of sessions: for each
 * transaction the number of transactions of each session in its past. The entry for its own session
 * is its place there and is not stored, so a transaction that learns nothing new shares the clock
 * of the one before it; and a source already in the past brings nothing, so most joins are skipped.
 *
 * <p>The window bounds memory for histories of very many sessions; callers go over the windows one
 * by one.
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
      int[] base = previous == Causality.NONE ? empty : clocks[previous];
      boolean copied = false;
      for (int s = causality.firstSource(txn); s < causality.endSource(txn); s++) {
        int source = causality.source(s);
        if (!constraints.keeps(source, txn)
            || history.session(source) == history.session(txn)
            || known(copied ? scratch : base, source)) {
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

  boolean covers(int session) {
    return session >= firstSession && session < firstSession + width;
  }

  /** Whether {@code earlier}, of a session this window covers, causally precedes {@code later}. */
  boolean contains(int earlier, int later) {
    int session = history.session(earlier);
    int place = history.placeInSession(earlier);
    if (session == history.session(later)) {
      return place < history.placeInSession(later);
    }
    return clocks[later][session - firstSession] > place;
  }

  private boolean known(int[] clock, int source) {
    int session = history.session(source);
    return covers(session) && clock[session - firstSession] > history.placeInSession(source);
  }

  private void learn(int[] clock, int source) {
    int session = history.session(source);
    if (covers(session)) {
      clock[session - firstSession] =
          Math.max(clock[session - firstSession], history.placeInSession(source) + 1);
    }
  }

  private static void join(int[] into, int[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], other[i]);
    }
  }
}
