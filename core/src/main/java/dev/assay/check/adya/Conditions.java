package dev.assay.check.adya;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import java.util.Arrays;

/**
 * The conditions on the graph that decide levels. None of them needs a search for cycles of a given
 * kind, so none of them depends on how much time there is.
 */
final class Conditions {
  private static final int DEPENDENCIES = CycleKind.G1C.kinds();

  private final Tangle tangle;

  Conditions(Tangle tangle) {
    this.tangle = tangle;
  }

  boolean writesAreCyclic(Orders orders) {
    return isCyclic(tangle.components(AdyaGraph.WW | orders.kinds()));
  }

  boolean readsAreCyclic(Orders orders) {
    return isCyclic(tangle.components(DEPENDENCIES | orders.kinds()));
  }

  boolean allIsCyclic(Orders orders) {
    return isCyclic(tangle.components(DEPENDENCIES | AdyaGraph.RW | orders.kinds()));
  }

  boolean eventsAreCyclic(Events events, Orders orders) {
    int kinds = DEPENDENCIES | AdyaGraph.RW | orders.kinds();
    return isCyclic(tangle.eventComponents(events, kinds));
  }

  static boolean isCyclic(Components components) {
    for (int i = 0; i < components.count(); i++) {
      if (components.size(i) > 1) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a cycle has at most one rw. Where the other edges have no cycle, each of 64 readers at
   * a time has a bit; the bit starts where the reader's rw edges lead, goes on along the other
   * edges in topological order, and closes a cycle when it comes back to the reader.
   */
  boolean oneAntiDependencyIsCyclic(Orders orders) {
    int kinds = DEPENDENCIES | orders.kinds();
    EdgeList paths = new EdgeList();
    for (int from = 0; from < tangle.size(); from++) {
      for (int place = tangle.first(from); place < tangle.end(from); place++) {
        boolean continuing = !tangle.isTransaction(from) && tangle.kind(place) == AdyaGraph.RW;
        if (continuing || (tangle.kind(place) & kinds) != 0) {
          paths.add(from, tangle.target(place), 0, place);
        }
      }
    }
    Components components = Components.of(tangle.size(), paths);
    if (isCyclic(components)) {
      return true;
    }
    int[] order = topological(components, tangle.size());
    long[] bits = new long[tangle.size()];
    int[] readers = new int[Long.SIZE];
    int count = 0;
    for (int reader = 0; reader < tangle.transactions(); reader++) {
      if (seed(reader, 1L << count, bits)) {
        readers[count++] = reader;
      }
      if (count == Long.SIZE || (reader + 1 == tangle.transactions() && count > 0)) {
        spread(order, kinds, bits);
        for (int i = 0; i < count; i++) {
          if ((bits[readers[i]] & (1L << i)) != 0) {
            return true;
          }
        }
        Arrays.fill(bits, 0);
        count = 0;
      }
    }
    return false;
  }

  private boolean seed(int reader, long bit, long[] bits) {
    boolean any = false;
    for (int place = tangle.first(reader); place < tangle.end(reader); place++) {
      if (tangle.kind(place) == AdyaGraph.RW) {
        bits[tangle.target(place)] |= bit;
        any = true;
      }
    }
    return any;
  }

  private void spread(int[] order, int kinds, long[] bits) {
    for (int node : order) {
      long own = bits[node];
      if (own == 0) {
        continue;
      }
      boolean real = tangle.isTransaction(node);
      for (int place = tangle.first(node); place < tangle.end(node); place++) {
        int kind = tangle.kind(place);
        if ((kind & kinds) != 0 || (!real && kind == AdyaGraph.RW)) {
          bits[tangle.target(place)] |= own;
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
