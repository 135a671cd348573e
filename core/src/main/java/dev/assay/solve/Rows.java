package dev.assay.solve;

import dev.assay.graph.EdgeList;

/** Neighbours of each node in one array, with the numbers of the edges that lead to them. */
final class Rows {
  private final int[] first;
  final int[] node;
  final int[] edge;

  private Rows(int[] first) {
    this.first = first;
    this.node = new int[first[first.length - 1]];
    this.edge = new int[node.length];
  }

  /** Successors of each node over several lists, whose edges are numbered on. */
  static Rows successors(int nodes, EdgeList... lists) {
    return of(nodes, false, lists);
  }

  /** Predecessors of each node over several lists, whose edges are numbered on. */
  static Rows predecessors(int nodes, EdgeList... lists) {
    return of(nodes, true, lists);
  }

  private static Rows of(int nodes, boolean reversed, EdgeList... lists) {
    int[] first = new int[nodes + 1];
    for (EdgeList list : lists) {
      for (int e = 0; e < list.size(); e++) {
        first[(reversed ? list.to(e) : list.from(e)) + 1]++;
      }
    }
    for (int n = 0; n < nodes; n++) {
      first[n + 1] += first[n];
    }
    Rows rows = new Rows(first);
    int[] next = first.clone();
    int number = 0;
    for (EdgeList list : lists) {
      for (int e = 0; e < list.size(); e++) {
        int place = next[reversed ? list.to(e) : list.from(e)]++;
        rows.node[place] = reversed ? list.from(e) : list.to(e);
        rows.edge[place] = number++;
      }
    }
    return rows;
  }

  int first(int ofNode) {
    return first[ofNode];
  }

  int end(int ofNode) {
    return first[ofNode + 1];
  }
}
