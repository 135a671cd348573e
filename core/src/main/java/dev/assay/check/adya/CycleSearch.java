package dev.assay.check.adya;

import dev.assay.check.Budget;
import dev.assay.graph.Components;
import dev.assay.level.CycleKind;
import dev.assay.level.Orders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Finds short cycles of one kind, at most one per component, by breadth-first search from anchor
 * edges, of which every such cycle has one. The states are pairs of a node and what the cycle has
 * used so far, each visited once, so a search is linear in the component; a search over paths would
 * be exponential.
 *
 * <p>The work is bounded by steps rather than time, so that reports are deterministic. Verdicts
 * depend on what is found here only where {@link #exhaustive}.
 */
final class CycleSearch {
  private static final long MAX_STEPS = 30_000_000;

  /** The same if cycles of the kind are known and the search is for others. */
  private static final long MAX_STEPS_FOR_OTHERS = 3_000_000;

  // What a cycle has used so far.
  private static final int LAST_RW = 1;
  private static final int ADJACENT = 1 << 1;
  private static final int SECOND_RW = 1 << 2;
  private static final int SEEN_WR = 1 << 3;
  private static final int SEEN_ORDER = 1 << 4;

  private final CyclicSubgraph subgraph;
  private final CycleKind kind;
  private final Orders orders;
  private final Budget budget;
  private final int allowed;
  private final int required;

  /** Null if the cycles have no rw. */
  private final Ranks ranks;

  /** Transactions to avoid. */
  private final BitSet without;

  /** Whether cycles must have an rw by a predicate. */
  private final boolean byPredicate;

  private long maxSteps;

  private final int[] visited;
  private final SearchTree tree = new SearchTree();
  private long steps;
  private boolean exhaustive = true;

  CycleSearch(CyclicSubgraph subgraph, CycleKind kind, Orders orders, Budget budget) {
    this(subgraph, kind, orders, budget, new BitSet(), false);
  }

  /**
   * A search for some cycles only.
   *
   * @param without transactions of the subgraph to avoid
   * @param byPredicate whether they must have an rw by a predicate
   */
  CycleSearch(
      CyclicSubgraph subgraph,
      CycleKind kind,
      Orders orders,
      Budget budget,
      BitSet without,
      boolean byPredicate) {
    this.without = without;
    this.byPredicate = byPredicate;
    this.maxSteps = without.isEmpty() ? MAX_STEPS : MAX_STEPS_FOR_OTHERS;
    this.subgraph = subgraph;
    this.kind = kind;
    this.orders = orders;
    this.budget = budget;
    this.allowed = kind.dependencies() | orders.kinds();
    this.required =
        (kind == CycleKind.G1C ? SEEN_WR : 0) | (orders == Orders.NONE ? 0 : SEEN_ORDER);
    this.visited = new int[subgraph.size()];
    this.ranks = anchor() == AdyaGraph.RW ? subgraph.ranks(allowed) : null;
  }

  /** Takes no more steps than these, either. */
  CycleSearch atMost(long most) {
    maxSteps = Math.min(maxSteps, most);
    return this;
  }

  /** The number of edges that were followed. */
  long steps() {
    return steps;
  }

  /** Whether the search was complete: if it found no cycle of the kind, there is none. */
  boolean exhaustive() {
    return exhaustive;
  }

  /** The shortest cycle found in each component, as edges of the graph; shortest first. */
  List<int[]> run() {
    Components components =
        kind == CycleKind.NONADJACENT
            ? subgraph.eventComponents(Events.SNAPSHOT, allowed)
            : subgraph.components(allowed);
    int[] best = new int[components.count()];
    Arrays.fill(best, Integer.MAX_VALUE);
    List<int[]> found = new ArrayList<>();
    int[] indexOf = new int[components.count()];
    for (int from = 0; from < subgraph.transactions(); from++) {
      for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
        int component = anchorComponent(components, from, place);
        if (component < 0 || best[component] == 2) {
          continue;
        }
        if (steps > maxSteps || budget.expired()) {
          exhaustive = false;
          return sorted(found);
        }
        int[] cycle = shortestThrough(from, place, best[component]);
        if (cycle == null) {
          continue;
        }
        if (best[component] == Integer.MAX_VALUE) {
          indexOf[component] = found.size();
          found.add(cycle);
        } else {
          found.set(indexOf[component], cycle);
        }
        best[component] = cycle.length;
      }
    }
    return sorted(found);
  }

  /** Whether there is a cycle that starts at one of these transactions; tries no others. */
  boolean anyFrom(BitSet transactions) {
    for (int from = transactions.nextSetBit(0);
        from >= 0;
        from = transactions.nextSetBit(from + 1)) {
      for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
        if (isAnchor(from, place) && shortestThrough(from, place, Integer.MAX_VALUE) != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** Some cycle through an edge that leaves a transaction, without a bound on the work. */
  int[] first(int from) {
    for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
      if (isAnchor(from, place)) {
        int[] cycle = shortestThrough(from, place, Integer.MAX_VALUE);
        if (cycle != null) {
          return cycle;
        }
      }
    }
    throw new IllegalStateException("there is no cycle");
  }

  /** Whether an edge is an anchor: every cycle has an rw that does not rise. */
  private boolean isAnchor(int from, int place) {
    if ((subgraph.kind(place) & anchor()) == 0 || without.get(from)) {
      return false;
    }
    return byPredicate
        ? subgraph.isByPredicate(place)
        : ranks == null || ranks.turnsBack(from, place);
  }

  private static List<int[]> sorted(List<int[]> cycles) {
    cycles.sort(Comparator.comparingInt(cycle -> cycle.length));
    return cycles;
  }

  /** The component in which a cycle may start with an edge, or −1. */
  private int anchorComponent(Components components, int from, int place) {
    if (!isAnchor(from, place)) {
      return -1;
    }
    int edgeKind = subgraph.kind(place);
    int a = from;
    int b = subgraph.target(place);
    if (kind == CycleKind.NONADJACENT) {
      a = subgraph.eventFrom(Events.SNAPSHOT, a, edgeKind);
      b = subgraph.eventTo(Events.SNAPSHOT, b, edgeKind);
    }
    return components.same(a, b) ? components.of(a) : -1;
  }

  /** The kinds of edges of which every cycle searched for has one. */
  private int anchor() {
    return switch (kind) {
      case G0 -> orders == Orders.NONE ? AdyaGraph.WW : orders.own();
      case G1C -> AdyaGraph.WR;
      default -> AdyaGraph.RW;
    };
  }

  /** The shortest cycle through an edge that has fewer edges than a bound, or null. */
  private int[] shortestThrough(int start, int anchorPlace, int bound) {
    tree.clear(visited);
    if (without.get(subgraph.target(anchorPlace))) {
      return null;
    }
    tree.add(subgraph.target(anchorPlace), firstState(anchorPlace), -1, anchorPlace, visited);
    tree.advance();
    for (int length = 1; length + 1 < bound && !tree.isEmpty(); length++) {
      boolean last = length + 2 == bound;
      for (int i = 0; i < tree.size(); i++) {
        int[] cycle = expand(tree.entry(i), start, last);
        if (cycle != null) {
          return cycle;
        }
      }
      tree.advance();
    }
    return null;
  }

  /**
   * Follows the edges from an entry until one closes a cycle.
   *
   * @param last whether longer paths are of no use, so that only edges to the start matter
   */
  private int[] expand(int entry, int start, boolean last) {
    int from = tree.node(entry);
    int state = tree.state(entry);
    boolean real = subgraph.isTransaction(from);
    for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
      steps++;
      int to = subgraph.target(place);
      if (last && to != start && subgraph.isTransaction(to)) {
        continue;
      }
      int edgeKind = subgraph.kind(place);
      if ((edgeKind & allowed) == 0 || (real && !permitted(state, edgeKind))) {
        continue;
      }
      int next = real ? after(state, edgeKind) : state;
      // The start is never one to avoid.
      if (to == start) {
        int[] cycle = accepts(next) ? tree.cycle(entry, place, subgraph) : null;
        if (cycle != null) {
          return cycle;
        }
      } else if ((visited[to] & (1 << next)) == 0 && mayReturn(to, start) && !without.get(to)) {
        if (subgraph.isTransaction(to)) {
          tree.add(to, next, entry, place, visited);
        } else {
          tree.addNow(to, next, entry, place, visited);
        }
      }
    }
    return null;
  }

  /** Without another rw no edge leads to a lower rank. */
  private boolean mayReturn(int node, int start) {
    return kind != CycleKind.SINGLE || ranks.rank(node) <= ranks.rank(start);
  }

  private boolean permitted(int state, int edgeKind) {
    if (edgeKind != AdyaGraph.RW) {
      return true;
    }
    return switch (kind) {
      case G0, G1C, SINGLE -> false;
      case NONADJACENT -> (state & LAST_RW) == 0;
      case G2 -> true;
    };
  }

  private int firstState(int anchorPlace) {
    int edgeKind = subgraph.kind(anchorPlace);
    boolean adjacencyMatters = kind == CycleKind.NONADJACENT || kind == CycleKind.G2;
    return edgeKind == AdyaGraph.RW ? (adjacencyMatters ? LAST_RW : 0) : after(0, edgeKind);
  }

  /** The state after one more edge; only what the kind of cycle depends on is kept. */
  private int after(int state, int edgeKind) {
    if (edgeKind == AdyaGraph.RW) {
      return state | LAST_RW | SECOND_RW | ((state & LAST_RW) != 0 ? ADJACENT : 0);
    }
    int next = state & ~LAST_RW;
    if (edgeKind == AdyaGraph.WR && kind == CycleKind.G1C) {
      next |= SEEN_WR;
    }
    if ((edgeKind & orders.own()) != 0) {
      next |= SEEN_ORDER;
    }
    return next;
  }

  private boolean accepts(int state) {
    if ((state & required) != required) {
      return false;
    }
    boolean endsInRw = (state & LAST_RW) != 0;
    return switch (kind) {
      case G0, G1C, SINGLE -> true;
      case NONADJACENT -> (state & SECOND_RW) != 0 && !endsInRw;
      case G2 -> (state & SECOND_RW) != 0 && ((state & ADJACENT) != 0 || endsInRw);
    };
  }
}
