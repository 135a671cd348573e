package dev.assay.graph;

import java.util.Arrays;

/**
 * A breadth-first search over nodes numbered from 0, whose edges the caller lists:
 *
 * <pre>{@code
 * search.start(from);
 * for (int node = search.next(); node >= 0; node = search.next()) {
 *   for (int place = graph.first(node); place < graph.end(node); place++) {
 *     search.reach(graph.neighbour(place), graph.edge(place));
 *   }
 * }
 * }</pre>
 *
 * <p>A search can be started again; that takes as long as the number of nodes reached before.
 */
public final class BreadthFirstSearch {
  private static final int NONE = -1;
  private static final int UNSEEN = -2;

  /** For each node the one it was reached from. */
  private final int[] parent;

  /** For each node the edge by which it was reached. */
  private final int[] by;

  private final IntList seen = new IntList();
  private IntList current = new IntList();
  private IntList further = new IntList();
  private int taken;
  private int node = NONE;
  private int distance;

  public BreadthFirstSearch(int nodes) {
    parent = new int[nodes];
    by = new int[nodes];
    Arrays.fill(parent, UNSEEN);
  }

  /** Forgets the search before and begins at a node. */
  public void start(int root) {
    for (int i = 0; i < seen.size(); i++) {
      parent[seen.get(i)] = UNSEEN;
    }
    seen.clear();
    current.clear();
    further.clear();
    taken = 0;
    distance = 0;
    node = NONE;
    reachHere(root, NONE);
  }

  /** The next node whose neighbours are to be listed, or −1 when there are no more. */
  public int next() {
    if (taken == current.size()) {
      IntList done = current;
      current = further;
      further = done;
      further.clear();
      taken = 0;
      distance++;
    }
    node = taken < current.size() ? current.get(taken++) : NONE;
    return node;
  }

  /** Reaches a neighbour of the node taken last; false if it had been reached before. */
  public boolean reach(int neighbour, int edge) {
    return mark(neighbour, edge, further);
  }

  /**
   * The same over an edge that does not count as a step. Distances are correct if whether an edge
   * is such depends only on the node reached.
   */
  public boolean reachHere(int neighbour, int edge) {
    return mark(neighbour, edge, current);
  }

  private boolean mark(int neighbour, int edge, IntList list) {
    if (parent[neighbour] != UNSEEN) {
      return false;
    }
    parent[neighbour] = node;
    by[neighbour] = edge;
    seen.add(neighbour);
    list.add(neighbour);
    return true;
  }

  public boolean hasReached(int some) {
    return parent[some] != UNSEEN;
  }

  /** The number of steps from the start to the node taken last. */
  public int distance() {
    return distance;
  }

  /** The node from which another was reached first, or −1 for the start. */
  public int parent(int reached) {
    return parent[reached];
  }

  /** The edges of the path by which a node was reached, from the start on. */
  public int[] path(int reached) {
    int length = 0;
    for (int at = reached; parent[at] != NONE; at = parent[at]) {
      length++;
    }
    int[] path = new int[length];
    for (int at = reached; parent[at] != NONE; at = parent[at]) {
      path[--length] = by[at];
    }
    return path;
  }
}
