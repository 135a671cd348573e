package dev.assay.graph;

import java.util.Arrays;

/**
 * Orders nodes so that each comes after its predecessors, by depth-first search from the nodes in a
 * preferred order: the result differs from the preference only where it has to.
 */
public abstract class TopologicalOrder {
  private static final byte UNSEEN = 0;
  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  private final byte[] state;
  private final int[] stack;
  private int depth;
  private final int[] order;
  private int placed;

  protected TopologicalOrder(int nodes) {
    state = new byte[nodes];
    stack = new int[nodes];
    order = new int[nodes];
  }

  /**
   * An order of a graph.
   *
   * @param predecessors of each node
   * @param preferred all nodes; repeated ones count the first time
   * @return null if the graph has a cycle
   */
  public static int[] of(Digraph predecessors, int[] preferred) {
    return new OfGraph(predecessors).find(preferred);
  }

  /** For each node its position in an order of all nodes. */
  public static int[] positions(int[] order) {
    int[] position = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      position[order[i]] = i;
    }
    return position;
  }

  /** The numbers from 0 on. */
  public static int[] natural(int size) {
    int[] order = new int[size];
    Arrays.setAll(order, i -> i);
    return order;
  }

  /**
   * The predecessors of a node, one with each call, and then −1. Those that are {@linkplain
   * #isPlaced placed} already may be left out.
   */
  protected abstract int nextPredecessor(int node);

  /** Whether a node has its place already, after all its predecessors. */
  protected final boolean isPlaced(int node) {
    return state[node] == DONE;
  }

  /** A node goes before one that was preferred to it; all others keep the order preferred. */
  protected void movesUp(int node) {}

  /** Whether a node is part of the order. */
  protected boolean includes(int node) {
    return true;
  }

  /** The nodes included, or null if they have a cycle. */
  public final int[] find(int[] preferred) {
    for (int root : preferred) {
      if (state[root] == UNSEEN && includes(root)) {
        push(root);
        while (depth > 0) {
          if (!step(stack[depth - 1])) {
            return null;
          }
        }
      }
    }
    return placed == order.length ? order : Arrays.copyOf(order, placed);
  }

  private void push(int node) {
    state[node] = OPEN;
    stack[depth++] = node;
  }

  /** Looks at one predecessor; false if that is still open, which closes a cycle. */
  private boolean step(int node) {
    int before = nextPredecessor(node);
    if (before < 0) {
      state[node] = DONE;
      order[placed++] = node;
      depth--;
      return true;
    }
    if (state[before] == UNSEEN) {
      movesUp(before);
      push(before);
      return true;
    }
    return state[before] == DONE;
  }

  private static final class OfGraph extends TopologicalOrder {
    private final Digraph predecessors;
    private final int[] taken;

    OfGraph(Digraph predecessors) {
      super(predecessors.nodes());
      this.predecessors = predecessors;
      this.taken = new int[predecessors.nodes()];
    }

    @Override
    protected int nextPredecessor(int node) {
      int place = predecessors.first(node) + taken[node]++;
      return place < predecessors.end(node) ? predecessors.neighbour(place) : -1;
    }
  }
}
