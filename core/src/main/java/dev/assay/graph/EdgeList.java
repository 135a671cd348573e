package dev.assay.graph;

import java.util.Arrays;

/** A growing list of edges with up to two labels each, without an object for each. */
public final class EdgeList {
  private static final int FIRST_CAPACITY = 16;

  private int[] from;
  private int[] to;
  private int[] label;
  private int[] mark;
  private int size;

  public EdgeList() {
    this(FIRST_CAPACITY);
  }

  /** An empty list with room for this many edges before it grows. */
  public EdgeList(int capacity) {
    int room = Math.max(capacity, FIRST_CAPACITY);
    from = new int[room];
    to = new int[room];
    label = new int[room];
    mark = new int[room];
  }

  public int size() {
    return size;
  }

  public void add(int edgeFrom, int edgeTo, int edgeLabel, int edgeMark) {
    if (size == from.length) {
      grow(Math.addExact(size, size >>> 1));
    }
    from[size] = edgeFrom;
    to[size] = edgeTo;
    label[size] = edgeLabel;
    mark[size++] = edgeMark;
  }

  public void clear() {
    size = 0;
  }

  public void addAll(EdgeList other) {
    int total = Math.addExact(size, other.size);
    if (total > from.length) {
      grow(Math.max(total, Math.addExact(size, size >>> 1)));
    }
    System.arraycopy(other.from, 0, from, size, other.size);
    System.arraycopy(other.to, 0, to, size, other.size);
    System.arraycopy(other.label, 0, label, size, other.size);
    System.arraycopy(other.mark, 0, mark, size, other.size);
    size = total;
  }

  /** Adds the edges of another list with one label, marked with the labels they have there. */
  public void addAll(EdgeList other, int newLabel) {
    int before = size;
    addAll(other);
    System.arraycopy(label, before, mark, before, other.size);
    Arrays.fill(label, before, size, newLabel);
  }

  private void grow(int capacity) {
    from = Arrays.copyOf(from, capacity);
    to = Arrays.copyOf(to, capacity);
    label = Arrays.copyOf(label, capacity);
    mark = Arrays.copyOf(mark, capacity);
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
