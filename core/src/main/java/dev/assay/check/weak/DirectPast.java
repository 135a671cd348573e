package dev.assay.check.weak;

import dev.assay.history.History;

/**
 * The direct predecessors of each transaction by session order and reads, as ranks in an order that
 * respects both, so that all predecessors have a lower rank.
 */
final class DirectPast {
  private final History history;
  private final CommitOrder order;
  private final int[] first;
  private final int[] predecessor;

  /** Scratch of {@link #contains}: which search saw a rank last. */
  private int[] seenBy;

  private int[] stack;
  private int searches;
  private long steps;

  DirectPast(CommitOrder.Constraints constraints, CommitOrder order) {
    Causality causality = constraints.causality();
    this.history = causality.history();
    this.order = order;
    this.first = new int[order.size() + 1];
    this.predecessor = new int[Math.addExact(causality.sources(), order.size())];
    int size = 0;
    for (int rank = 0; rank < order.size(); rank++) {
      int txn = order.at(rank);
      if (constraints.sessions() && causality.previous(txn) != Causality.NONE) {
        predecessor[size++] = order.rank(causality.previous(txn));
      }
      for (int s = causality.firstSource(txn); s < causality.endSource(txn); s++) {
        if (constraints.keeps(causality.source(s), txn)) {
          predecessor[size++] = order.rank(causality.source(s));
        }
      }
      first[rank + 1] = size;
    }
  }

  History history() {
    return history;
  }

  CommitOrder order() {
    return order;
  }

  int edges() {
    return first[order.size()];
  }

  int first(int rank) {
    return first[rank];
  }

  int end(int rank) {
    return first[rank + 1];
  }

  int predecessor(int place) {
    return predecessor[place];
  }

  /** Steps that {@link #contains} has taken so far. */
  long steps() {
    return steps;
  }

  /** Whether a transaction causally precedes another, by a search between their ranks. */
  boolean contains(int earlier, int later) {
    if (seenBy == null) {
      seenBy = new int[order.size()];
      stack = new int[order.size()];
    }
    searches++;
    int lowest = order.rank(earlier);
    int depth = 0;
    stack[depth++] = order.rank(later);
    while (depth > 0) {
      int rank = stack[--depth];
      steps += first[rank + 1] - first[rank];
      for (int i = first[rank]; i < first[rank + 1]; i++) {
        int before = predecessor[i];
        if (before == lowest) {
          return true;
        }
        if (before > lowest && seenBy[before] != searches) {
          seenBy[before] = searches;
          stack[depth++] = before;
        }
      }
    }
    return false;
  }
}
