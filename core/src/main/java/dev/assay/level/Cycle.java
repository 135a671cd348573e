package dev.assay.level;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A cycle as the sequence of the kinds of its edges. What it is called and which levels it violates
 * follow from that.
 *
 * @param edges the kinds, in order; what session order and real time join in one step is one edge
 * @param byPredicate whether one of its rw is by a predicate
 */
public record Cycle(List<EdgeKind> edges, boolean byPredicate) {
  public Cycle {
    List<EdgeKind> joined = new ArrayList<>();
    for (int i = 0; i < edges.size(); i++) {
      EdgeKind next = edges.get((i + 1) % edges.size());
      boolean transitive = edges.get(i) == EdgeKind.SO || edges.get(i) == EdgeKind.RT;
      if (!transitive || edges.get(i) != next) {
        joined.add(edges.get(i));
      }
    }
    edges = List.copyOf(joined);
  }

  int length() {
    return edges.size();
  }

  /** Whether an edge of a kind comes right after one of another. */
  boolean follows(EdgeKind later, EdgeKind earlier) {
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i) == earlier && edges.get((i + 1) % edges.size()) == later) {
        return true;
      }
    }
    return false;
  }

  public CycleKind kind() {
    long antiDependencies = edges.stream().filter(edge -> edge == EdgeKind.RW).count();
    if (antiDependencies == 0) {
      return edges.contains(EdgeKind.WR) ? CycleKind.G1C : CycleKind.G0;
    }
    if (antiDependencies == 1) {
      return CycleKind.SINGLE;
    }
    return follows(EdgeKind.RW, EdgeKind.RW) ? CycleKind.G2 : CycleKind.NONADJACENT;
  }

  /** The orders besides dependencies that it needs. */
  public Orders orders() {
    return Orders.neededBy(edges.stream().mapToInt(EdgeKind::bit).reduce(0, (a, b) -> a | b));
  }

  /** Its name. */
  public AnomalyType type() {
    return AnomalyType.ofCycle(kind(), byPredicate, orders());
  }

  /** The levels that forbid it, some of which do not forbid every cycle of its name. */
  public Set<Level> violates() {
    Set<Level> violated = EnumSet.noneOf(Level.class);
    for (Level level : Level.values()) {
      ForbiddenCycles forbidden = level.cycles();
      if (forbidden != null && level.orders().includes(orders()) && forbidden.forbids(this)) {
        violated.addAll(level.andStronger());
      }
    }
    return violated;
  }
}
