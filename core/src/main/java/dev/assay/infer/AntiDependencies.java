package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.level.EdgeKind;

/**
 * Adds an rw edge from each reader to each writer, except from a transaction to itself, in linear
 * size. Where there are many, the edges pass through hubs, nodes that are not transactions: in a
 * chain s₀ → s₁ → … where sᵢ leads to writer i, s₀ reaches all writers and sᵢ₊₁ all after writer i;
 * a second chain in the opposite direction reaches those before it.
 */
final class AntiDependencies {
  private static final int RW = EdgeKind.RW.ordinal();

  private final EdgeList edges;
  private int nodes;

  AntiDependencies(int transactions, EdgeList edges) {
    this.nodes = transactions;
    this.edges = edges;
  }

  int nodes() {
    return nodes;
  }

  /** Both ascending and without repetition. */
  void add(IntList readers, IntList writers, int key) {
    if ((long) readers.size() * writers.size() <= 4L * (readers.size() + writers.size())) {
      for (int i = 0; i < readers.size(); i++) {
        for (int j = 0; j < writers.size(); j++) {
          if (readers.get(i) != writers.get(j)) {
            edges.add(readers.get(i), writers.get(j), RW, key);
          }
        }
      }
      return;
    }
    int forward = chain(writers, 1, key);
    int backward = -1;
    for (int i = 0; i < readers.size(); i++) {
      int reader = readers.get(i);
      int own = writers.binarySearch(reader);
      if (own < 0) {
        edges.add(reader, forward, RW, key);
        continue;
      }
      if (own + 1 < writers.size()) {
        edges.add(reader, forward + own + 1, RW, key);
      }
      if (own > 0) {
        backward = backward < 0 ? chain(writers, -1, key) : backward;
        edges.add(reader, backward + own - 1, RW, key);
      }
    }
  }

  private int chain(IntList writers, int step, int key) {
    int first = nodes;
    int count = writers.size();
    nodes += count;
    for (int i = 0; i < count; i++) {
      edges.add(first + i, writers.get(i), RW, key);
      int next = i + step;
      if (next >= 0 && next < count) {
        edges.add(first + i, first + next, RW, key);
      }
    }
    return first;
  }
}
