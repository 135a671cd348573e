package dev.assay.check.adya;

import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Finds cycles in a graph of transactions or events that is known to have some, each in linear
 * time.
 *
 * <p>A closed walk over events may visit a transaction twice. Cut there, it splits into two closed
 * walks, at least one of which is still a path of events: at the cut, the entering and leaving
 * edges are re-paired, and if both new pairs were forbidden, one of the old pairs would have been
 * too.
 */
final class AnyCycle {
  private final CyclicSubgraph subgraph;
  private final Events events;
  private final EdgeList steps = new EdgeList();
  private final int nodes;

  /**
   * Over transactions when {@code events} is null.
   *
   * @param kinds the kinds of edges that may be used
   */
  AnyCycle(CyclicSubgraph subgraph, Events events, int kinds) {
    this.subgraph = subgraph;
    this.events = events;
    this.nodes = subgraph.size() + (events == null ? 0 : subgraph.transactions());
    for (int from = 0; from < subgraph.size(); from++) {
      if (events != null && subgraph.isTransaction(from)) {
        steps.add(from, subgraph.commit(from), 0, -1);
      }
      for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
        int kind = subgraph.kind(place);
        if ((kind & kinds) != 0) {
          int to = subgraph.target(place);
          steps.add(
              events == null ? from : subgraph.eventFrom(events, from, kind),
              events == null ? to : subgraph.eventTo(events, to, kind),
              from,
              place);
        }
      }
    }
  }

  /** The edges of a cycle that leave transactions, as edges of the graph. */
  int[] find() {
    return find(1).get(0);
  }

  /** A cycle in each component, up to a number of them; at least one. */
  List<int[]> find(int most) {
    Components components = Components.of(nodes, steps);
    List<int[]> found = new ArrayList<>();
    BitSet done = new BitSet();
    for (int step = 0; step < steps.size() && found.size() < most; step++) {
      int component = components.of(steps.from(step));
      if (components.same(steps.from(step), steps.to(step)) && !done.get(component)) {
        done.set(component);
        found.add(simple(walk(step)));
      }
    }
    if (found.isEmpty()) {
      throw new IllegalStateException("there is no cycle");
    }
    return found;
  }

  /** The shortest path from the end of a step back to its start, with the step first. */
  private List<Integer> walk(int first) {
    Digraph rows = Digraph.successors(nodes, steps);
    BreadthFirstSearch search = new BreadthFirstSearch(nodes);
    search.start(steps.to(first));
    while (!search.hasReached(steps.from(first))) {
      int node = search.next();
      for (int i = rows.first(node); i < rows.end(node); i++) {
        search.reach(rows.neighbour(i), rows.edge(i));
      }
    }
    List<Integer> walk = new ArrayList<>(List.of(first));
    for (int step : search.path(steps.from(first))) {
      walk.add(step);
    }
    walk.removeIf(step -> steps.mark(step) < 0 || !subgraph.isTransaction(steps.label(step)));
    return walk;
  }

  private int[] simple(List<Integer> closed) {
    List<Integer> walk = closed;
    for (int i = 0; i < walk.size(); i++) {
      for (int j = i + 1; j < walk.size(); j++) {
        if (steps.label(walk.get(i)) == steps.label(walk.get(j))) {
          List<Integer> inner = walk.subList(i, j);
          List<Integer> outer = new ArrayList<>(walk.subList(0, i));
          outer.addAll(walk.subList(j, walk.size()));
          return simple(isPath(inner) ? List.copyOf(inner) : outer);
        }
      }
    }
    return walk.stream().mapToInt(step -> subgraph.edge(steps.mark(step))).toArray();
  }

  private boolean isPath(List<Integer> closed) {
    for (int i = 0; i < closed.size() && events != null; i++) {
      int in = subgraph.kind(steps.mark(closed.get(i)));
      int out = subgraph.kind(steps.mark(closed.get((i + 1) % closed.size())));
      if (events.entersCommit(in) && !events.leavesCommit(out)) {
        return false;
      }
    }
    return true;
  }
}
