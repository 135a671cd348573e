package dev.assay.graph;

import java.util.function.IntPredicate;

/**
 * A directed graph as compressed sparse rows: for each node its neighbours in one direction, with
 * the numbers of the edges that lead to them. Edges of several lists are numbered on from list to
 * list; the neighbours of a node are in the order of those numbers.
 */
public final class Digraph {
  private final Grouping neighbours;
  private final int[] edge;

  private Digraph(Grouping neighbours, int[] edge) {
    this.neighbours = neighbours;
    this.edge = edge;
  }

  /** For each node the nodes that its edges lead to. */
  public static Digraph successors(int nodes, EdgeList... lists) {
    return of(nodes, false, lists);
  }

  /** For each node the nodes from which edges lead to it. */
  public static Digraph predecessors(int nodes, EdgeList... lists) {
    return of(nodes, true, lists);
  }

  private static Digraph of(int nodes, boolean reversed, EdgeList... lists) {
    Grouping.Builder builder = new Grouping.Builder(nodes);
    for (EdgeList list : lists) {
      for (int e = 0; e < list.size(); e++) {
        builder.count(reversed ? list.to(e) : list.from(e));
      }
    }
    int[] neighbour = new int[builder.total()];
    int[] edge = new int[neighbour.length];
    int number = 0;
    for (EdgeList list : lists) {
      for (int e = 0; e < list.size(); e++) {
        int place = builder.place(reversed ? list.to(e) : list.from(e));
        neighbour[place] = reversed ? list.from(e) : list.to(e);
        edge[place] = number++;
      }
    }
    return new Digraph(builder.build(neighbour), edge);
  }

  /** The same nodes with only the edges at some places. */
  public Digraph filter(IntPredicate places) {
    int[] first = new int[nodes() + 1];
    IntList kept = new IntList();
    IntList keptEdges = new IntList();
    for (int node = 0; node < nodes(); node++) {
      for (int place = first(node); place < end(node); place++) {
        if (places.test(place)) {
          kept.add(neighbour(place));
          keptEdges.add(edge[place]);
        }
      }
      first[node + 1] = kept.size();
    }
    return new Digraph(new Grouping(first, kept.toArray()), keptEdges.toArray());
  }

  public int nodes() {
    return neighbours.groups();
  }

  /** Number of edges. */
  public int size() {
    return edge.length;
  }

  /** The neighbours alone, without the numbers of edges. */
  Grouping neighbours() {
    return neighbours;
  }

  /** The neighbours of a node are those from this place on, to before {@link #end}. */
  public int first(int node) {
    return neighbours.first(node);
  }

  public int end(int node) {
    return neighbours.end(node);
  }

  /** The neighbour at a place. */
  public int neighbour(int place) {
    return neighbours.item(place);
  }

  /** The number of the edge at a place. */
  public int edge(int place) {
    return edge[place];
  }
}
