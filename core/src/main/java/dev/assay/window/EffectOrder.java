package dev.assay.window;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import dev.assay.history.History;

/**
 * An order of the transactions of a window in which they may have taken effect: the candidate
 * order, changed where dependencies require it. It only decides which versions are tried as the
 * last ones before a cut; no verdict rests on it.
 */
final class EffectOrder {
  private final EdgeList edges = new EdgeList();
  private final int size;

  EffectOrder(History history) {
    this.size = history.transactionCount();
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int place = 1; place < history.sessionSize(session); place++) {
        before(
            history.sessionTransaction(session, place - 1),
            history.sessionTransaction(session, place));
      }
    }
  }

  /** One transaction took effect before another. */
  void before(int one, int other) {
    if (one != other) {
      edges.add(one, other, 0, 0);
    }
  }

  /** For each transaction its place. */
  int[] places() {
    int[] natural = TopologicalOrder.natural(size);
    int[] order = TopologicalOrder.of(Digraph.predecessors(size, edges), natural);
    return order == null ? natural : TopologicalOrder.positions(order);
  }
}
