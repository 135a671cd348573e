package dev.assay.check.adya;

import dev.assay.check.Budget;
import dev.assay.graph.Components;
import dev.assay.level.CycleKind;
import dev.assay.level.Orders;
import java.util.Arrays;

/**
 * The conditions on the graph that decide levels. None of them needs a search for cycles of a given
 * kind; all but one are linear.
 */
final class Conditions {
  private static final int DEPENDENCIES = CycleKind.G1C.dependencies();

  private final CyclicSubgraph subgraph;
  private final Budget budget;
  private boolean gaveUp;

  Conditions(CyclicSubgraph subgraph, Budget budget) {
    this.subgraph = subgraph;
    this.budget = budget;
  }

  /** Whether time ran out before a condition was decided; the result is then meaningless. */
  boolean gaveUp() {
    return gaveUp;
  }

  /**
   * Whether the dependencies that a kind of cycle may use, together with these orders, have a
   * cycle.
   */
  boolean areCyclic(CycleKind kind, Orders orders) {
    return isCyclic(subgraph.components(kind.dependencies() | orders.kinds()));
  }

  boolean eventsAreCyclic(Events events, Orders orders) {
    int kinds = DEPENDENCIES | AdyaGraph.RW | orders.kinds();
    return isCyclic(subgraph.eventComponents(events, kinds));
  }

  static boolean isCyclic(Components components) {
    for (int i = 0; i < components.count(); i++) {
      if (components.size(i) > 1) {
        return true;
      }
    }
    return false;
  }

  /** Whether a cycle has at most one rw. */
  boolean oneAntiDependencyIsCyclic(Orders orders) {
    return subgraph.ranks(DEPENDENCIES | orders.kinds()).isCyclic() || missesOnce(orders) >= 0;
  }

  /**
   * A transaction whose rw closes a cycle without other rw edges, or −1 if there is none or the
   * other edges have cycles. Each of 64 readers at a time has a bit; the bit starts where the
   * reader's rw edges lead, propagates along the other edges in topological order, and closes a
   * cycle when it comes back to the reader.
   */
  int missesOnce(Orders orders) {
    int kinds = DEPENDENCIES | orders.kinds();
    Ranks ranks = subgraph.ranks(kinds);
    if (ranks.isCyclic()) {
      return -1;
    }
    int[] order = ranks.order();
    long[] bits = new long[subgraph.size()];
    int[] readers = new int[Long.SIZE];
    int count = 0;
    int lowest = subgraph.size();
    int highest = 0;
    for (int reader = 0; reader < subgraph.transactions(); reader++) {
      int from = seed(reader, 1L << count, bits, ranks);
      if (from < subgraph.size()) {
        readers[count++] = reader;
        lowest = Math.min(lowest, from);
        highest = Math.max(highest, ranks.rank(reader));
      }
      if (count == Long.SIZE || (reader + 1 == subgraph.transactions() && count > 0)) {
        if (budget.expired()) {
          gaveUp = true;
          return -1;
        }
        spread(order, lowest, highest, kinds, bits);
        for (int i = 0; i < count; i++) {
          if ((bits[readers[i]] & (1L << i)) != 0) {
            return readers[i];
          }
        }
        Arrays.fill(bits, 0);
        count = 0;
        lowest = subgraph.size();
        highest = 0;
      }
    }
    return -1;
  }

  /**
   * Returns the lowest rank that the rw edges of a reader lead back to; one past all if none does.
   */
  private int seed(int reader, long bit, long[] bits, Ranks ranks) {
    int lowest = subgraph.size();
    for (int place = subgraph.first(reader); place < subgraph.end(reader); place++) {
      if (subgraph.kind(place) == AdyaGraph.RW && ranks.turnsBack(reader, place)) {
        bits[subgraph.target(place)] |= bit;
        lowest = Math.min(lowest, ranks.rank(subgraph.target(place)));
      }
    }
    return lowest;
  }

  private void spread(int[] order, int lowest, int highest, int kinds, long[] bits) {
    for (int i = lowest; i <= highest; i++) {
      int node = order[i];
      long own = bits[node];
      if (own == 0) {
        continue;
      }
      boolean real = subgraph.isTransaction(node);
      for (int place = subgraph.first(node); place < subgraph.end(node); place++) {
        int kind = subgraph.kind(place);
        if ((kind & kinds) != 0 || (!real && kind == AdyaGraph.RW)) {
          bits[subgraph.target(place)] |= own;
        }
      }
    }
  }

  /** Nodes of an acyclic graph, each before those it leads to. */
  static int[] topological(Components components, int nodes) {
    int[] order = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      order[nodes - 1 - components.of(node)] = node;
    }
    return order;
  }
}
