package dev.assay.solve;

import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * The transactions that a contradiction rests on: those on its cycle, and for each inferred edge on
 * it those on the path that forced the edge, and so on.
 */
final class Blame {
  private final Polygraph problem;
  private final EdgeList added;
  private final Digraph after;
  private final BooleanSupplier expired;
  private final BitSet blamed = new BitSet();
  private final BitSet open = new BitSet();
  private final BreadthFirstSearch search;

  Blame(Polygraph problem, EdgeList added, BooleanSupplier expired) {
    this.problem = problem;
    this.added = added;
    this.expired = expired;
    this.after = Digraph.successors(problem.nodes, problem.known, added);
    this.search = new BreadthFirstSearch(problem.nodes);
  }

  /** Blame for a cycle of known and added edges. */
  BitSet ofCycle() {
    int enough = shortestCyclicPrefix();
    if (expired.getAsBoolean()) {
      return all();
    }
    if (enough == 0) {
      blameShortCycle();
    } else {
      int last = enough - 1;
      blamePath(added.to(last), added.from(last), last);
      open.set(last);
    }
    return close();
  }

  /** Blame for conflicts on these edges. */
  BitSet of(BitSet transactions, BitSet edges) {
    blamed.or(transactions);
    open.or(edges);
    return close();
  }

  /** Blame for paths between pairs of nodes over known and added edges. */
  BitSet ofPaths(EdgeList paths) {
    for (int i = 0; i < paths.size(); i++) {
      blamePath(paths.from(i), paths.to(i), added.size());
    }
    return close();
  }

  /** Adds what forced the edges, transitively. */
  private BitSet close() {
    for (int e = open.length() - 1; e >= 0; e = open.previousSetBit(e - 1)) {
      if (expired.getAsBoolean()) {
        return all();
      }
      blame(added.from(e));
      blame(added.to(e));
      blamePath(added.label(e), added.mark(e), e);
    }
    return blamed;
  }

  /** All transactions, if there is no time left. */
  private BitSet all() {
    blamed.set(0, problem.transactions);
    return blamed;
  }

  private void blame(int node) {
    if (problem.owner[node] >= 0) {
      blamed.set(problem.owner[node]);
    }
  }

  /** The smallest prefix of the added edges that has a cycle, unless time is up. */
  private int shortestCyclicPrefix() {
    int low = 0;
    int high = added.size();
    while (low < high && !expired.getAsBoolean()) {
      int middle = (low + high) >>> 1;
      if (isCyclic(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private boolean isCyclic(int prefix) {
    Digraph known = Digraph.predecessors(problem.nodes, problem.known);
    Links some = new Links(problem.nodes);
    for (int e = 0; e < prefix; e++) {
      some.add(added.to(e), added.from(e));
    }
    return LinkedOrder.find(TopologicalOrder.natural(problem.nodes), known, some) == null;
  }

  /** Blames the shortest of the cycles of known edges through a few nodes. */
  private void blameShortCycle() {
    Components components = Components.of(problem.nodes, problem.known);
    int tried = 0;
    int best = Polygraph.NONE;
    int bestLength = Integer.MAX_VALUE;
    for (int node = 0; node < problem.nodes && tried < 64 && !isEnough(best); node++) {
      if (components.size(components.of(node)) > 1) {
        tried++;
        for (int i = after.first(node); i < after.end(node) && !isEnough(best); i++) {
          int length =
              after.edge(i) < problem.known.size() ? path(after.neighbour(i), node, 0) : -1;
          if (length >= 0 && length < bestLength) {
            bestLength = length;
            best = node;
          }
        }
      }
    }
    if (best == Polygraph.NONE) {
      throw new IllegalStateException("there is no cycle");
    }
    for (int i = after.first(best); i < after.end(best); i++) {
      if (after.edge(i) < problem.known.size() && path(after.neighbour(i), best, 0) == bestLength) {
        blame(best);
        blamePath(after.neighbour(i), best, 0);
        return;
      }
    }
  }

  /** When the time is up, any cycle will do. */
  private boolean isEnough(int best) {
    return best != Polygraph.NONE && expired.getAsBoolean();
  }

  private void blamePath(int from, int to, int before) {
    if (path(from, to, before) < 0) {
      throw new IllegalStateException("an edge was added without a reason");
    }
    blame(from);
    for (int edge : search.path(to)) {
      int number = edge - problem.known.size();
      if (number >= 0) {
        open.set(number);
      }
      blame(number >= 0 ? added.to(number) : problem.known.to(edge));
    }
  }

  /** The length of a shortest path over what is known and the first edges added, or −1. */
  private int path(int from, int to, int before) {
    search.start(from);
    if (from == to) {
      return 0;
    }
    int limit = problem.known.size() + before;
    for (int node = search.next(); node >= 0; node = search.next()) {
      for (int p = after.first(node); p < after.end(node); p++) {
        boolean counts = after.edge(p) < limit;
        if (counts && search.reach(after.neighbour(p), after.edge(p)) && after.neighbour(p) == to) {
          return search.distance() + 1;
        }
      }
    }
    return Polygraph.NONE;
  }
}
