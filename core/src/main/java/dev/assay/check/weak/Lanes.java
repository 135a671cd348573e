package dev.assay.check.weak;

import dev.assay.history.History;
import java.util.Arrays;

/**
 * Transactions arranged in lanes, each of which causal order follows from front to back; a vector
 * clock needs one entry a lane. Sessions are such lanes. Where they are many and short, following
 * reads from one session to the next gives fewer.
 */
final class Lanes {
  private static final int NONE = -1;

  private final int[] lane;
  private final int[] place;
  private int count;

  private Lanes(int transactions) {
    lane = new int[transactions];
    place = new int[transactions];
    Arrays.fill(lane, NONE);
  }

  /** Sessions, or lanes along an order that respects causal order where those are fewer. */
  static Lanes of(CommitOrder order, CommitOrder.Constraints constraints) {
    History history = constraints.causality().history();
    Lanes along = along(order, constraints);
    if (along.count < history.sessionCount()) {
      return along;
    }
    Lanes sessions = new Lanes(history.transactionCount());
    sessions.count = history.sessionCount();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      sessions.lane[txn] = history.session(txn);
      sessions.place[txn] = history.placeInSession(txn);
    }
    return sessions;
  }

  /** Every transaction goes behind the latest one before it that has none behind it yet. */
  private static Lanes along(CommitOrder order, CommitOrder.Constraints constraints) {
    Causality causality = constraints.causality();
    Lanes lanes = new Lanes(causality.transactions());
    boolean[] followed = new boolean[causality.transactions()];
    for (int i = 0; i < order.size(); i++) {
      int txn = order.at(i);
      int best = NONE;
      int previous = causality.previous(txn);
      if (previous != NONE && !followed[previous]) {
        best = previous;
      }
      for (int s = causality.firstSource(txn); s < causality.endSource(txn); s++) {
        int source = causality.source(s);
        boolean later = best == NONE || order.rank(source) > order.rank(best);
        if (later && !followed[source] && constraints.keeps(source, txn)) {
          best = source;
        }
      }
      if (best == NONE) {
        lanes.lane[txn] = lanes.count++;
      } else {
        followed[best] = true;
        lanes.lane[txn] = lanes.lane[best];
        lanes.place[txn] = lanes.place[best] + 1;
      }
    }
    return lanes;
  }

  int count() {
    return count;
  }

  int lane(int txn) {
    return lane[txn];
  }

  /** The place of a transaction in its lane, from 0. */
  int place(int txn) {
    return place[txn];
  }
}
