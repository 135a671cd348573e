package dev.assay.graph;

import java.util.Arrays;

/**
 * Orders nodes so that each comes after all that must precede it, by depth-first search from the
 * nodes in a preferred order: the result differs from the preference only where it has to.
 */
public abstract class PreferredOrder {
  private static final byte UNSEEN = 0;
  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  private final byte[] state;
  private final int[] stack;
  private int depth;
  private final int[] order;
  private int placed;

  protected PreferredOrder(int nodes) {
    state = new byte[nodes];
    stack = new int[nodes];
    order = new int[nodes];
  }

  /**
   * What must precede a node, each of them once, and then −1. What is {@linkplain #isPlaced placed}
   * already may be left out.
   */
  protected abstract int nextBefore(int node);

  /** Whether a node has its place already, with everything before it. */
  protected final boolean isPlaced(int node) {
    return state[node] == DONE;
  }

  /** Whether a node has a place in the order. */
  protected abstract boolean counts(int node);

  /** The nodes that count, or null where some precede each other in a circle. */
  public final int[] find(int[] preferred) {
    for (int root : preferred) {
      if (state[root] == UNSEEN && counts(root)) {
        push(root);
        while (depth > 0) {
          if (!step(stack[depth - 1])) {
            return null;
          }
        }
      }
    }
    return Arrays.copyOf(order, placed);
  }

  private void push(int node) {
    state[node] = OPEN;
    stack[depth++] = node;
  }

  /** Looks at what precedes a node; false when that is still open, which closes a circle. */
  private boolean step(int node) {
    int before = nextBefore(node);
    if (before < 0) {
      state[node] = DONE;
      order[placed++] = node;
      depth--;
      return true;
    }
    if (state[before] == UNSEEN) {
      push(before);
      return true;
    }
    return state[before] == DONE;
  }
}
