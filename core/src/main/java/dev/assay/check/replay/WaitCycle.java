package dev.assay.check.replay;

import dev.assay.graph.IntList;
import java.util.HashSet;
import java.util.Set;

/** Transactions of a {@link SerialOrder} that wait for each other, so that none of them can run. */
final class WaitCycle {
  /** In place of a writer: that a transaction waits for the other one is not a choice. */
  static final int FORCED = -1;

  /** Transactions are not followed further than this. */
  private static final int MOST_STEPS = 200;

  /** Takes a transaction that another one waits for, and why. */
  interface Awaited {
    void accept(int txn, int why);
  }

  private final SerialOrder order;

  /** The transactions, each of which waits for the next. */
  private final IntList waiting = new IntList();

  /**
   * For each of them why: the writer that would have to come later to end that; {@link #FORCED}; or
   * −2, −3 and so on for the pairs that were learned.
   */
  private final IntList why = new IntList();

  /** Those on the path to the one that is visited, and those that lead to no cycle. */
  private final Set<Integer> onPath = new HashSet<>();

  private final Set<Integer> isDone = new HashSet<>();
  private boolean found;

  private WaitCycle(SerialOrder order) {
    this.order = order;
  }

  /** A cycle among transactions that cannot run; empty if there is none. */
  static WaitCycle find(SerialOrder order) {
    WaitCycle cycle = new WaitCycle(order);
    for (int i = 0; i < order.deferring() && !cycle.found; i++) {
      cycle.visit(order.deferred(i));
    }
    return cycle;
  }

  /**
   * Learns that a writer came too early, or that it was put after another one wrongly.
   *
   * @param place for each transaction that has run its place in the order
   * @return the transaction before which nothing changes by that; −1 if nothing was learned
   */
  int learn(LearnedPairs pairs, int[] place) {
    int latest = -1;
    int wrong = -1;
    for (int i = 0; i < waiting.size(); i++) {
      int early = why.get(i);
      if (early < FORCED) {
        wrong = FORCED - 1 - early;
      } else if (early != FORCED && pairs.find(early, waiting.get(i)) >= 0) {
        // It came first because that was learned.
        wrong = pairs.find(early, waiting.get(i));
      } else if (early != FORCED && !pairs.isMistake(waiting.get(i), early)) {
        latest = latest < 0 || place[early] > place[why.get(latest)] ? i : latest;
      }
    }
    if (latest >= 0) {
      pairs.add(waiting.get(latest), why.get(latest));
      return why.get(latest);
    }
    return wrong >= 0 ? pairs.takeBack(wrong) : -1;
  }

  private void visit(int txn) {
    if (isDone.contains(txn) || waiting.size() > MOST_STEPS) {
      return;
    }
    onPath.add(txn);
    order.forEachAwaited(txn, (awaited, reason) -> follow(txn, awaited, reason));
    onPath.remove(txn);
    isDone.add(txn);
  }

  private void follow(int from, int to, int reason) {
    if (found || from == to && reason == FORCED) {
      return;
    }
    waiting.add(from);
    why.add(reason);
    if (onPath.contains(to)) {
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
