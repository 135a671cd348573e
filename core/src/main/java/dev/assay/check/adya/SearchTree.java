package dev.assay.check.adya;

import java.util.Arrays;

/**
 * The states that a breadth-first search has reached, with their predecessors. A node has up to 32
 * states, of which few are reached; {@link dev.assay.graph.BreadthFirstSearch} would need room for
 * all of them.
 */
final class SearchTree {
  private int[] node = new int[64];
  private int[] state = new int[64];
  private int[] parent = new int[64];
  private int[] place = new int[64];
  private int entries;

  private int[] current = new int[64];
  private int currentSize;
  private int[] next = new int[64];
  private int nextSize;

  void clear(int[] visited) {
    for (int i = 0; i < entries; i++) {
      visited[node[i]] = 0;
    }
    entries = 0;
    currentSize = 0;
    nextSize = 0;
  }

  /** Adds a state one step further. */
  void add(int ofNode, int ofState, int from, int by, int[] visited) {
    if (nextSize == next.length) {
      next = Arrays.copyOf(next, nextSize * 2);
    }
    next[nextSize++] = entry(ofNode, ofState, from, by, visited);
  }

  /** Adds a state at the current distance: a hub between two transactions. */
  void addNow(int ofNode, int ofState, int from, int by, int[] visited) {
    if (currentSize == current.length) {
      current = Arrays.copyOf(current, currentSize * 2);
    }
    current[currentSize++] = entry(ofNode, ofState, from, by, visited);
  }

  private int entry(int ofNode, int ofState, int from, int by, int[] visited) {
    if (entries == node.length) {
      int capacity = Math.addExact(entries, entries);
      node = Arrays.copyOf(node, capacity);
      state = Arrays.copyOf(state, capacity);
      parent = Arrays.copyOf(parent, capacity);
      place = Arrays.copyOf(place, capacity);
    }
    node[entries] = ofNode;
    state[entries] = ofState;
    parent[entries] = from;
    place[entries] = by;
    visited[ofNode] |= 1 << ofState;
    return entries++;
  }

  /** Goes to the states one step further. */
  void advance() {
    int[] done = current;
    current = next;
    currentSize = nextSize;
    next = done;
    nextSize = 0;
  }

  boolean isEmpty() {
    return currentSize == 0;
  }

  int size() {
    return currentSize;
  }

  int entry(int index) {
    return current[index];
  }

  int node(int entry) {
    return node[entry];
  }

  int state(int entry) {
    return state[entry];
  }

  /**
   * The edges of the graph from the start to an entry and then the closing one, without those that
   * leave hubs; null if a transaction occurs twice.
   */
  int[] cycle(int entry, int closing, CyclicSubgraph subgraph) {
    int length = 1;
    for (int e = entry; e >= 0; e = parent[e]) {
      length++;
    }
    int[] places = new int[length];
    int[] nodes = new int[length];
    places[length - 1] = closing;
    nodes[length - 1] = node[entry];
    int at = length - 2;
    for (int e = entry; e >= 0; e = parent[e]) {
      places[at] = place[e];
      nodes[at--] = parent[e] < 0 ? -1 : node[parent[e]];
    }
    int[] edges = new int[length];
    int size = 0;
    for (int i = 0; i < length; i++) {
      boolean real = nodes[i] < 0 || subgraph.isTransaction(nodes[i]);
      if (!real) {
        continue;
      }
      for (int j = 0; j < i; j++) {
        if (nodes[j] == nodes[i]) {
          return null;
        }
      }
      edges[size++] = subgraph.edge(places[i]);
    }
    return Arrays.copyOf(edges, size);
  }
}
