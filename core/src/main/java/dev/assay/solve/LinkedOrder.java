package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.TopologicalOrder;

/** A topological order of a graph to which edges have been added. */
final class LinkedOrder extends TopologicalOrder {
  private final Digraph known;
  private final Links added;

  /** For each node how many of its known predecessors were returned, and one more at the end. */
  private final int[] taken;

  /** For each node the next link to follow, once all known predecessors were returned. */
  private final int[] link;

  private LinkedOrder(Digraph known, Links added) {
    super(known.nodes());
    this.known = known;
    this.added = added;
    this.taken = new int[known.nodes()];
    this.link = new int[known.nodes()];
  }

  /**
   * An order that differs from the preferred one only where it has to, or null when there is a
   * cycle.
   *
   * @param known predecessors
   * @param added further predecessors
   */
  static int[] find(int[] preferred, Digraph known, Links added) {
    return new LinkedOrder(known, added).find(preferred);
  }

  @Override
  protected int nextPredecessor(int node) {
    int place = known.first(node) + taken[node];
    if (place < known.end(node)) {
      taken[node]++;
      return known.neighbour(place);
    }
    if (place == known.end(node)) {
      taken[node]++;
      link[node] = added.first(node);
    }
    int edge = link[node];
    if (edge == Polygraph.NONE) {
      return Polygraph.NONE;
    }
    link[node] = added.next(edge);
    return added.other(edge);
  }
}
