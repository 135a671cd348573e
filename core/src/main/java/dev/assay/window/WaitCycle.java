package dev.assay.window;

import dev.assay.graph.IntList;

/** Transactions of a {@link SerialOrder} that wait for each other, so that none of them can run. */
final class WaitCycle {
  /** In place of a writer: that a transaction waits for the other one is not a choice. */
  static final int FORCED = -1;

  /** Transactions are not followed further than this. */
  private static final int MOST_STEPS = 200;

  private final SerialOrder order;

  /** The transactions, each of which waits for the next. */
  private final IntList waiting = new IntList();

  /**
   * For each of them why: the writer that would have to come later to end that; {@link #FORCED}; or
   * −2, −3 and so on for the pairs that were learned.
   */
  private final IntList why = new IntList();

  private final boolean[] onPath;
  private final boolean[] isDone;
  private boolean found;

  private WaitCycle(SerialOrder order, int size) {
    this.order = order;
    this.onPath = new boolean[size];
    this.isDone = new boolean[size];
  }

  /** A cycle among transactions that cannot run; empty if there is none. */
  static WaitCycle find(SerialOrder order, int size) {
    WaitCycle cycle = new WaitCycle(order, size);
    for (int i = 0; i < order.deferring() && !cycle.found; i++) {
      cycle.visit(order.deferred(i));
    }
    return cycle;
  }

  int length() {
    return waiting.size();
  }

  int waiting(int place) {
    return waiting.get(place);
  }

  int why(int place) {
    return why.get(place);
  }

  private void visit(int txn) {
    if (isDone[txn] || waiting.size() > MOST_STEPS) {
      return;
    }
    onPath[txn] = true;
    order.forEachAwaited(txn, (awaited, reason) -> follow(txn, awaited, reason));
    onPath[txn] = false;
    isDone[txn] = true;
  }

  private void follow(int from, int to, int reason) {
    if (found || from == to) {
      return;
    }
    waiting.add(from);
    why.add(reason);
    if (onPath[to]) {
      found = true;
      leaveOutBefore(to);
      return;
    }
    visit(to);
    if (!found) {
      waiting.removeLast();
      why.removeLast();
    }
  }

  private void leaveOutBefore(int begin) {
    int from = 0;
    while (waiting.get(from) != begin) {
      from++;
    }
    for (int i = from; i < waiting.size(); i++) {
      waiting.set(i - from, waiting.get(i));
      why.set(i - from, why.get(i));
    }
    waiting.truncate(waiting.size() - from);
    why.truncate(waiting.size());
  }
}
