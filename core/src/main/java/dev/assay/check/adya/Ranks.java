package dev.assay.check.adya;

import dev.assay.check.LikelyOrder;
import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import dev.assay.history.History;
import java.util.Arrays;

/**
 * Ranks of the nodes of a subgraph that never fall along edges other than rw: nodes on a cycle of
 * these edges share a rank, and otherwise the ranks follow the likely commit order. So every cycle
 * with an rw has an rw that does not rise, and in a history that is nearly correct there are few of
 * those.
 */
final class Ranks {
  private final CyclicSubgraph subgraph;
  private final Components components;

  /** For each node. */
  private final int[] rank;

  /**
   * Ranks the nodes.
   *
   * @param kinds the kinds of edges other than rw that count
   */
  Ranks(CyclicSubgraph subgraph, int kinds) {
    this.subgraph = subgraph;
    EdgeList paths = new EdgeList();
    for (int from = 0; from < subgraph.size(); from++) {
      for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
        // An rw that leaves a hub continues one that entered it.
        boolean continuing = !subgraph.isTransaction(from) && subgraph.kind(place) == AdyaGraph.RW;
        if (continuing || (subgraph.kind(place) & kinds & ~AdyaGraph.RW) != 0) {
          paths.add(from, subgraph.target(place), 0, place);
        }
      }
    }
    this.components = Components.of(subgraph.size(), paths);
    this.rank = rank(paths);
  }

  private int[] rank(EdgeList paths) {
    EdgeList between = new EdgeList();
    for (int i = 0; i < paths.size(); i++) {
      if (!components.same(paths.from(i), paths.to(i))) {
        between.add(components.of(paths.from(i)), components.of(paths.to(i)), 0, 0);
      }
    }
    Digraph predecessors = Digraph.predecessors(components.count(), between);
    int[] ofComponent = TopologicalOrder.positions(TopologicalOrder.of(predecessors, preferred()));
    int[] ofNode = new int[subgraph.size()];
    for (int node = 0; node < ofNode.length; node++) {
      ofNode[node] = ofComponent[components.of(node)];
    }
    return ofNode;
  }

  /** The components in the likely order of their transactions; then all others. */
  private int[] preferred() {
    History history = subgraph.history();
    int[] local = new int[history.transactionCount()];
    Arrays.fill(local, -1);
    for (int i = 0; i < subgraph.transactions(); i++) {
      local[subgraph.node(i)] = i;
    }
    int[] preferred = new int[subgraph.size()];
    int size = 0;
    for (int txn : LikelyOrder.of(history)) {
      if (local[txn] >= 0) {
        preferred[size++] = components.of(local[txn]);
      }
    }
    for (int node = subgraph.transactions(); node < subgraph.size(); node++) {
      preferred[size++] = components.of(node);
    }
    return preferred;
  }

  /** Whether edges other than rw have a cycle. */
  boolean isCyclic() {
    return Conditions.isCyclic(components);
  }

  /** The nodes by rank; all ranks differ if there is no cycle. */
  int[] order() {
    int[] order = new int[subgraph.size()];
    for (int node = 0; node < order.length; node++) {
      order[rank(node)] = node;
    }
    return order;
  }

  int rank(int node) {
    return rank[node];
  }

  /** Whether an edge from a node does not lead to a higher rank. */
  boolean turnsBack(int from, int place) {
    return rank(subgraph.target(place)) <= rank(from);
  }
}
