package dev.assay.infer;

import dev.assay.graph.EdgeList;

/** Edges that are labelled with keys, key by key. */
final class EdgesByKey {
  private final EdgeList edges;
  private final int[] first;
  private final int[] end;

  /** Edges in groups of one key; null where they stand so already. */
  private final int[] grouped;

  EdgesByKey(EdgeList edges, int keys) {
    this.edges = edges;
    this.first = new int[keys];
    this.end = new int[keys];
    this.grouped = findStretches() ? null : group();
  }

  /** Whether the edges of each key stand together. */
  private boolean findStretches() {
    int e = 0;
    while (e < edges.size()) {
      int key = edges.label(e);
      if (end[key] > 0) {
        return false;
      }
      first[key] = e;
      e = endOfStretch(e);
      end[key] = e;
    }
    return true;
  }

  private int endOfStretch(int start) {
    int e = start + 1;
    while (e < edges.size() && edges.label(e) == edges.label(start)) {
      e++;
    }
    return e;
  }

  private int[] group() {
    int[] count = new int[first.length];
    for (int e = 0; e < edges.size(); e++) {
      count[edges.label(e)]++;
    }
    int before = 0;
    for (int key = 0; key < first.length; key++) {
      first[key] = before;
      end[key] = before;
      before += count[key];
    }
    int[] result = new int[edges.size()];
    for (int e = 0; e < edges.size(); e++) {
      result[end[edges.label(e)]++] = e;
    }
    return result;
  }

  /** The edges of a key are those at these places. */
  int first(int key) {
    return first[key];
  }

  int end(int key) {
    return end[key];
  }

  int edge(int place) {
    return grouped == null ? place : grouped[place];
  }
}
