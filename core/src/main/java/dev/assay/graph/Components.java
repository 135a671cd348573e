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
    Grouping.Builder builder = new Grouping.Builder(nodes);
    for (int e = 0; e < edges.size(); e++) {
      builder.count(edges.from(e));
    }
    int[] successors = new int[builder.total()];
    for (int e = 0; e < edges.size(); e++) {
      successors[builder.place(edges.from(e))] = edges.to(e);
    }
    return of(builder.build(successors));
  }

  public static Components of(Digraph successors) {
    return of(successors.neighbours());
  }

  /** The components of a graph given as the successors of each node. */
  public static Components of(Grouping successors) {
    return new Search(successors).run();
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
    private final Grouping successors;
    private final int[] index;
    private final int[] low;
    private final int[] component;
    private final int[] next;
    private final int[] path;
    private final int[] open;
    private int pathSize;
    private int openSize;
    private int seen;
    private final IntList sizes = new IntList();

    Search(Grouping successors) {
      this.nodes = successors.groups();
      this.successors = successors;
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
      return new Components(component, sizes.toArray());
    }

    private void visit(int node) {
      index[node] = seen;
      low[node] = seen++;
      next[node] = successors.first(node);
      path[pathSize++] = node;
      open[openSize++] = node;
    }

    private void step(int node) {
      if (next[node] < successors.end(node)) {
        int to = successors.item(next[node]++);
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
      int before = openSize;
      int member;
      do {
        member = open[--openSize];
        component[member] = sizes.size();
      } while (member != root);
      sizes.add(before - openSize);
    }
  }
}
