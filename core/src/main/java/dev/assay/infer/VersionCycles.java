package dev.assay.infer;

import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;

/** Finds short cycles of versions. */
final class VersionCycles {
  private final EdgeList edges;
  private final Components components;
  private final Digraph graph;
  private final BreadthFirstSearch search;

  VersionCycles(int versions, EdgeList edges, Components components) {
    this.edges = edges;
    this.components = components;
    this.graph = Digraph.successors(versions, edges);
    this.search = new BreadthFirstSearch(versions);
  }

  /** A shortest cycle through an edge inside a component, as edges, that one first. */
  int[] through(int edge) {
    int start = edges.to(edge);
    int goal = edges.from(edge);
    search.start(start);
    while (!search.hasReached(goal)) {
      int version = search.next();
      for (int place = graph.first(version); place < graph.end(version); place++) {
        if (components.same(start, graph.neighbour(place))) {
          search.reach(graph.neighbour(place), graph.edge(place));
        }
      }
    }
    int[] back = search.path(goal);
    int[] cycle = new int[back.length + 1];
    cycle[0] = edge;
    System.arraycopy(back, 0, cycle, 1, back.length);
    return cycle;
  }
}
