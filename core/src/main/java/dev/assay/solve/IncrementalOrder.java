package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.IntList;
import dev.assay.graph.TopologicalOrder;
import java.util.Arrays;

/**
 * A topological order of a graph to which edges are added and from which the latest are removed
 * again, by the algorithm of Pearce and Kelly (ACM JEA 11, 2006): only nodes between the two ends
 * of an edge that points backwards are moved.
 */
final class IncrementalOrder {
  private final Digraph after;
  private final Digraph before;
  private final Links addedAfter;
  private final Links addedBefore;
  private final int[] at;
  private final int[] place;

  // Search.
  private final int[] seen;
  private int stamp;
  private final int[] parent;
  private final int[] parentEdge;
  private final IntList forward = new IntList(64);
  private final IntList backward = new IntList(64);

  /** The nodes and edges of the cycle found last; added edges by number, others as −1 − e. */
  final IntList cycleNodes = new IntList(64);

  final IntList cycleEdges = new IntList(64);

  /** Nodes moved since this was cleared, some of them several times. */
  final IntList moved = new IntList(64);

  IncrementalOrder(int[] order, Digraph after, Digraph before) {
    this.after = after;
    this.before = before;
    this.at = order.clone();
    this.place = TopologicalOrder.positions(order);
    this.addedAfter = new Links(order.length);
    this.addedBefore = new Links(order.length);
    this.seen = new int[order.length];
    this.parent = new int[order.length];
    this.parentEdge = new int[order.length];
  }

  int place(int node) {
    return place[node];
  }

  int[] toArray() {
    return at.clone();
  }

  /** Number of edges added. */
  int added() {
    return addedAfter.size();
  }

  void removeLast() {
    addedAfter.removeLast();
    addedBefore.removeLast();
  }

  /**
   * Adds an edge, whose number is {@link #added} before. False when it closes a cycle: then it is
   * not added, and the rest of the cycle is in {@link #cycleNodes} and {@link #cycleEdges}.
   */
  boolean add(int from, int to) {
    if (place[from] >= place[to]) {
      if (!searchForward(from, to)) {
        return false;
      }
      searchBackward(from, to);
      reorder();
    }
    addedAfter.add(from, to);
    addedBefore.add(to, from);
    return true;
  }

  private boolean searchForward(int from, int to) {
    stamp++;
    forward.clear();
    visitForward(to, Polygraph.NONE, Polygraph.NONE);
    if (from == to) {
      collectCycle(from);
      return false;
    }
    int limit = place[from];
    for (int i = 0; i < forward.size(); i++) {
      int node = forward.get(i);
      for (int p = after.first(node); p < after.end(node); p++) {
        int next = after.neighbour(p);
        if (place[next] <= limit && seen[next] != stamp) {
          visitForward(next, node, -1 - after.edge(p));
        }
      }
      for (int e = addedAfter.first(node); e != Polygraph.NONE; e = addedAfter.next(e)) {
        int next = addedAfter.other(e);
        if (place[next] <= limit && seen[next] != stamp) {
          visitForward(next, node, e);
        }
      }
      if (seen[from] == stamp) {
        collectCycle(from);
        return false;
      }
    }
    return true;
  }

  private void visitForward(int node, int via, int edge) {
    seen[node] = stamp;
    parent[node] = via;
    parentEdge[node] = edge;
    forward.add(node);
  }

  private void collectCycle(int last) {
    cycleNodes.clear();
    cycleEdges.clear();
    for (int node = last; node != Polygraph.NONE; node = parent[node]) {
      cycleNodes.add(node);
      if (parent[node] != Polygraph.NONE) {
        cycleEdges.add(parentEdge[node]);
      }
    }
  }

  private void searchBackward(int from, int to) {
    stamp++;
    backward.clear();
    seen[from] = stamp;
    backward.add(from);
    int limit = place[to];
    for (int i = 0; i < backward.size(); i++) {
      int node = backward.get(i);
      for (int p = before.first(node); p < before.end(node); p++) {
        visitBackward(before.neighbour(p), limit);
      }
      for (int e = addedBefore.first(node); e != Polygraph.NONE; e = addedBefore.next(e)) {
        visitBackward(addedBefore.other(e), limit);
      }
    }
  }

  private void visitBackward(int node, int limit) {
    if (place[node] >= limit && seen[node] != stamp) {
      seen[node] = stamp;
      backward.add(node);
    }
  }

  /** Redistributes the places of the nodes visited: first those that must come first. */
  private void reorder() {
    int first = backward.size();
    int size = first + forward.size();
    int[] places = new int[size];
    for (int i = 0; i < size; i++) {
      places[i] = place[i < first ? backward.get(i) : forward.get(i - first)];
    }
    Arrays.sort(places, 0, first);
    Arrays.sort(places, first, size);
    int[] nodes = new int[size];
    for (int i = 0; i < size; i++) {
      nodes[i] = at[places[i]];
    }
    Arrays.sort(places);
    for (int i = 0; i < size; i++) {
      if (place[nodes[i]] != places[i]) {
        place[nodes[i]] = places[i];
        at[places[i]] = nodes[i];
        moved.add(nodes[i]);
      }
    }
  }
}
