package dev.assay.graph;

/**
 * A directed graph as compressed sparse rows: for each node the edges that leave it (or that enter
 * it, if built that way), as numbers of an {@link EdgeList}.
 */
public final class Digraph {
  private final int[] first;
  private final int[] edge;

  private Digraph(int[] first, int[] edge) {
    this.first = first;
    this.edge = edge;
  }

  /** Rows by the node an edge leaves. */
  public static Digraph byFrom(int nodes, EdgeList edges) {
    return group(nodes, edges, true);
  }

  /** Rows by the node an edge enters. */
  public static Digraph byTo(int nodes, EdgeList edges) {
    return group(nodes, edges, false);
  }

  private static Digraph group(int nodes, EdgeList edges, boolean byFrom) {
    int[] first = new int[nodes + 1];
    for (int e = 0; e < edges.size(); e++) {
      first[(byFrom ? edges.from(e) : edges.to(e)) + 1]++;
    }
    for (int n = 0; n < nodes; n++) {
      first[n + 1] += first[n];
    }
    int[] next = first.clone();
    int[] edge = new int[edges.size()];
    for (int e = 0; e < edges.size(); e++) {
      edge[next[byFrom ? edges.from(e) : edges.to(e)]++] = e;
    }
    return new Digraph(first, edge);
  }

  public int first(int node) {
    return first[node];
  }

  public int end(int node) {
    return first[node + 1];
  }

  /** The edge at a place of a row. */
  public int edge(int place) {
    return edge[place];
  }
}
