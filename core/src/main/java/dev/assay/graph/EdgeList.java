package dev.assay.graph;

import java.util.Arrays;

/** A growing list of edges with up to two labels each, without an object an edge. */
public final class EdgeList {
  private int[] from = new int[16];
  private int[] to = new int[16];
  private int[] label = new int[16];
  private int[] mark = new int[16];
  private int size;

  public int size() {
    return size;
  }

  public void add(int edgeFrom, int edgeTo, int edgeLabel, int edgeMark) {
    if (size == from.length) {
      int capacity = Math.addExact(size, size >>> 1);
      from = Arrays.copyOf(from, capacity);
      to = Arrays.copyOf(to, capacity);
      label = Arrays.copyOf(label, capacity);
      mark = Arrays.copyOf(mark, capacity);
    }
    from[size] = edgeFrom;
    to[size] = edgeTo;
    label[size] = edgeLabel;
    mark[size++] = edgeMark;
  }

  public void addAll(EdgeList other) {
    for (int i = 0; i < other.size; i++) {
      add(other.from[i], other.to[i], other.label[i], other.mark[i]);
    }
  }

  public int from(int edge) {
    return from[edge];
  }

  public int to(int edge) {
    return to[edge];
  }

  public int label(int edge) {
    return label[edge];
  }

  public int mark(int edge) {
    return mark[edge];
  }
}
