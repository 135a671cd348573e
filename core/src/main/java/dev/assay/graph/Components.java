package dev.assay.graph;

import java.util.Arrays;

/**
 * Strongly connected components, by Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) without
 * recursion.
 */
public final class Components {
  private static final int UNSEEN = -1;

  private final int[] component;
  private final int[] sizes;

  private Components(int[] component, int[] sizes) {
    this.component = component;
    this.sizes = sizes;
  }

  public static Components of(int nodes, EdgeList edges) {
    int[] first = new int[nodes + 1];
    for (int e = 0; e < edges.size(); e++) {
      first[edges.from(e) + 1]++;
    }
    for (int n = 0; n < nodes; n++) {
      first[n + 1] += first[n];
    }
    int[] next = first.clone();
    int[] target = new int[edges.size()];
    for (int e = 0; e < edges.size(); e++) {
      target[next[edges.from(e)]++] = edges.to(e);
    }
    return of(first, target);
  }

  /**
   * The same of edges that are grouped by the node they leave.
   *
   * @param first for each node the place of its first edge, and then the end of the last one's
   * @param target for each edge the node it enters
   */
  public static Components of(int[] first, int[] target) {
    return new Search(first, target).run();
  }

  /** The component of a node; successors have lower numbers. */
  public int of(int node) {
    return component[node];
  }

  public int count() {
    return sizes.length;
  }

  public int size(int ofComponent) {
    return sizes[ofComponent];
  }

  /** Whether two nodes reach each other. */
  public boolean same(int a, int b) {
    return component[a] == component[b];
  }

  private static final class Search {
    private final int nodes;
    private final int[] first;
    private final int[] target;
    private final int[] index;
    private final int[] low;
    private final int[] component;
    private final int[] next;
    private final int[] path;
    private final int[] open;
    private int pathSize;
    private int openSize;
    private int seen;
    private int[] sizes = new int[16];
    private int count;

    Search(int[] first, int[] target) {
      this.nodes = first.length - 1;
      this.first = first;
      this.target = target;
      index = new int[nodes];
      low = new int[nodes];
      component = new int[nodes];
      next = new int[nodes];
      path = new int[nodes];
      open = new int[nodes];
      Arrays.fill(index, UNSEEN);
      Arrays.fill(component, UNSEEN);
    }

    Components run() {
      for (int root = 0; root < nodes; root++) {
        if (index[root] == UNSEEN) {
          visit(root);
          while (pathSize > 0) {
            step(path[pathSize - 1]);
          }
        }
      }
      return new Components(component, Arrays.copyOf(sizes, count));
    }

    private void visit(int node) {
      index[node] = seen;
      low[node] = seen++;
      next[node] = first[node];
      path[pathSize++] = node;
      open[openSize++] = node;
    }

    private void step(int node) {
      if (next[node] < first[node + 1]) {
        int to = target[next[node]++];
        if (index[to] == UNSEEN) {
          visit(to);
        } else if (component[to] == UNSEEN) {
          low[node] = Math.min(low[node], index[to]);
        }
        return;
      }
      pathSize--;
      if (pathSize > 0) {
        int parent = path[pathSize - 1];
        low[parent] = Math.min(low[parent], low[node]);
      }
      if (low[node] == index[node]) {
        close(node);
      }
    }

    private void close(int root) {
      if (count == sizes.length) {
        sizes = Arrays.copyOf(sizes, count * 2);
      }
      int member;
      do {
        member = open[--openSize];
        component[member] = count;
        sizes[count]++;
      } while (member != root);
      count++;
    }
  }
}
