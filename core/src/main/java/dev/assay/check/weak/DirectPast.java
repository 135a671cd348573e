package dev.assay.check.weak;

import java.util.Arrays;

/**
 * What directly precedes each transaction by session order and reads, as ranks in an order that
 * respects both, so that everything before a transaction has a lower rank.
 */
final class DirectPast {
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
    this.order = order;
    this.first = new int[order.size() + 1];
    int[] found = new int[Math.max(64, order.size())];
    int size = 0;
    for (int rank = 0; rank < order.size(); rank++) {
      int txn = order.at(rank);
      int most = size + 1 + causality.endSource(txn) - causality.firstSource(txn);
      if (most > found.length) {
        found = Arrays.copyOf(found, Math.max(most, Math.addExact(size, size >>> 1)));
      }
      if (causality.previous(txn) != Causality.NONE) {
        found[size++] = order.rank(causality.previous(txn));
      }
      for (int s = causality.firstSource(txn); s < causality.endSource(txn); s++) {
        if (constraints.keeps(causality.source(s), txn)) {
          found[size++] = order.rank(causality.source(s));
        }
      }
      first[rank + 1] = size;
    }
    this.predecessor = Arrays.copyOf(found, size);
  }

  CommitOrder order() {
    return order;
  }

  int edges() {
    return predecessor.length;
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
