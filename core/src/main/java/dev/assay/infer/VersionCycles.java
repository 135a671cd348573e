package dev.assay.infer;

import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds short circles of versions. */
final class VersionCycles {
  private final EdgeList edges;
  private final Components components;
  private final Digraph graph;

  /** The edge by which the search reached a version, or −1. */
  private final int[] reachedBy;

  VersionCycles(int versions, EdgeList edges, Components components) {
    this.edges = edges;
    this.components = components;
    this.graph = Digraph.successors(versions, edges);
    this.reachedBy = new int[versions];
  }

  /**
   * A shortest circle through an edge inside a component, as edges, that one first. The versions of
   * its key are numbered from {@code first} to before {@code end}.
   */
  List<Integer> through(int edge, int first, int end) {
    int start = edges.to(edge);
    int goal = edges.from(edge);
    Arrays.fill(reachedBy, first, end, -1);
    int[] queue = new int[components.size(components.of(start))];
    int head = 0;
    int tail = 0;
    queue[tail++] = start;
    while (head < tail && start != goal && reachedBy[goal] < 0) {
      int version = queue[head++];
      for (int place = graph.first(version); place < graph.end(version); place++) {
        int to = edges.to(graph.edge(place));
        if (to != start && reachedBy[to] < 0 && components.same(start, to)) {
          reachedBy[to] = graph.edge(place);
          queue[tail++] = to;
        }
      }
    }
    List<Integer> back = new ArrayList<>();
    for (int at = goal; at != start; at = edges.from(reachedBy[at])) {
      back.add(0, reachedBy[at]);
    }
    back.add(0, edge);
    return back;
  }
}
