package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.level.EdgeKind;
import java.util.Arrays;

/**
 * Adds an rw edge from each of some readers to each of some writers, except from a transaction to
 * itself, in linear size. Where there are many, they go through places that are no transactions: a
 * chain s₀ → s₁ → … in which sᵢ leads to writer i reaches all writers from s₀, and all after writer
 * i from sᵢ₊₁; a second chain in the other direction reaches those before it.
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
  void add(int[] readers, int readerCount, int[] writers, int writerCount, int key) {
    if ((long) readerCount * writerCount <= 4L * (readerCount + writerCount)) {
      for (int i = 0; i < readerCount; i++) {
        for (int j = 0; j < writerCount; j++) {
          if (readers[i] != writers[j]) {
            edges.add(readers[i], writers[j], RW, key);
          }
        }
      }
      return;
    }
    int forward = chain(writers, writerCount, 1, key);
    int backward = -1;
    for (int i = 0; i < readerCount; i++) {
      int own = Arrays.binarySearch(writers, 0, writerCount, readers[i]);
      if (own < 0) {
        edges.add(readers[i], forward, RW, key);
        continue;
      }
      if (own + 1 < writerCount) {
        edges.add(readers[i], forward + own + 1, RW, key);
      }
      if (own > 0) {
        backward = backward < 0 ? chain(writers, writerCount, -1, key) : backward;
        edges.add(readers[i], backward + own - 1, RW, key);
      }
    }
  }

  private int chain(int[] writers, int count, int step, int key) {
    int first = nodes;
    nodes += count;
    for (int i = 0; i < count; i++) {
      edges.add(first + i, writers[i], RW, key);
      int next = i + step;
      if (next >= 0 && next < count) {
        edges.add(first + i, first + next, RW, key);
      }
    }
    return first;
  }
}
