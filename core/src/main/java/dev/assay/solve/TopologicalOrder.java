package dev.assay.solve;

import java.util.Arrays;

/** A depth-first search for an order in which every node follows its predecessors. */
final class TopologicalOrder {
  private final Rows known;
  private final Links more;
  private final byte[] state;
  private final int[] cursor;
  private final int[] link;
  private final int[] stack;
  private final int[] order;
  private int placed;

  private TopologicalOrder(int nodes, Rows known, Links more) {
    this.known = known;
    this.more = more;
    state = new byte[nodes];
    cursor = new int[nodes];
    link = new int[nodes];
    stack = new int[nodes];
    order = new int[nodes];
  }

  /**
   * An order that differs from the preferred one only where it has to, or null when there is a
   * circle.
   *
   * @param known predecessors
   * @param more further predecessors
   */
  static int[] find(int[] preferred, Rows known, Links more) {
    TopologicalOrder search = new TopologicalOrder(preferred.length, known, more);
    for (int root : preferred) {
      if (search.state[root] == 0 && !search.visit(root)) {
        return null;
      }
    }
    return search.order;
  }

  /** For each node its place in an order. */
  static int[] places(int[] order) {
    int[] place = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    return place;
  }

  private boolean visit(int root) {
    int depth = 0;
    stack[depth++] = root;
    open(root);
    while (depth > 0) {
      int node = stack[depth - 1];
      int before = next(node);
      if (before == Polygraph.NONE) {
        state[node] = 2;
        order[placed++] = node;
        depth--;
      } else if (state[before] == 1) {
        return false;
      } else if (state[before] == 0) {
        open(before);
        stack[depth++] = before;
      }
    }
    return true;
  }

  private void open(int node) {
    state[node] = 1;
    cursor[node] = known.first(node);
    link[node] = more.first(node);
  }

  private int next(int node) {
    if (cursor[node] < known.end(node)) {
      return known.node[cursor[node]++];
    }
    int edge = link[node];
    if (edge == Polygraph.NONE) {
      return Polygraph.NONE;
    }
    link[node] = more.next(edge);
    return more.other(edge);
  }

  /** The numbers from 0. */
  static int[] natural(int size) {
    int[] order = new int[size];
    Arrays.setAll(order, i -> i);
    return order;
  }
}
