package dev.assay.solve;

import java.util.Arrays;

/** The edges at each node as linked lists; edges are added and removed like on a stack. */
final class Links {
  private final int[] head;
  private int[] next = new int[64];
  private int[] other = new int[64];
  private int[] at = new int[64];
  private int size;

  Links(int nodes) {
    head = new int[nodes];
    Arrays.fill(head, Polygraph.NONE);
  }

  int size() {
    return size;
  }

  /** The first edge at a node, or −1. Edges are numbered in the order they were added. */
  int first(int node) {
    return head[node];
  }

  int next(int edge) {
    return next[edge];
  }

  /** The node an edge leads to. */
  int other(int edge) {
    return other[edge];
  }

  void add(int node, int to) {
    if (size == next.length) {
      int capacity = Math.addExact(size, size);
      next = Arrays.copyOf(next, capacity);
      other = Arrays.copyOf(other, capacity);
      at = Arrays.copyOf(at, capacity);
    }
    next[size] = head[node];
    other[size] = to;
    at[size] = node;
    head[node] = size++;
  }

  void removeLast() {
    size--;
    head[at[size]] = next[size];
  }
}
