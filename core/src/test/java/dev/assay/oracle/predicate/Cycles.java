package dev.assay.oracle.predicate;

import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** All simple cycles of a small graph, by the names that the table of levels.md gives them. */
final class Cycles {
  enum Kind {
    WW,
    WR,
    RW,
    PROCESS,
    REALTIME
  }

  record Edge(int from, int to, Kind kind, boolean byPredicate) {}

  private final int size;
  private final Set<Edge> edges;
  private final Set<AnomalyType> names = EnumSet.noneOf(AnomalyType.class);

  private Cycles(int size, Set<Edge> edges) {
    this.size = size;
    this.edges = edges;
  }

  static Set<AnomalyType> names(int size, Set<Edge> edges) {
    Cycles cycles = new Cycles(size, edges);
    for (int start = 0; start < size; start++) {
      cycles.extend(start, start, 1 << start, new ArrayList<>());
    }
    return cycles.names;
  }

  /** Goes on with a path through transactions that are not below its first. */
  private void extend(int start, int at, int visited, List<Edge> path) {
    for (Edge edge : edges) {
      if (edge.from == at && edge.to >= start && edge.to < size) {
        path.add(edge);
        if (edge.to == start) {
          names.add(name(path));
        } else if ((visited & (1 << edge.to)) == 0) {
          extend(start, edge.to, visited | (1 << edge.to), path);
        }
        path.remove(path.size() - 1);
      }
    }
  }

  private static AnomalyType name(List<Edge> cycle) {
    int missed = 0;
    boolean adjacent = false;
    boolean byPredicate = false;
    boolean read = false;
    String suffix = "";
    for (int i = 0; i < cycle.size(); i++) {
      Edge edge = cycle.get(i);
      Edge next = cycle.get((i + 1) % cycle.size());
      missed += edge.kind == Kind.RW ? 1 : 0;
      adjacent |= edge.kind == Kind.RW && next.kind == Kind.RW;
      byPredicate |= edge.kind == Kind.RW && edge.byPredicate;
      read |= edge.kind == Kind.WR;
      if (edge.kind == Kind.REALTIME || (edge.kind == Kind.PROCESS && suffix.isEmpty())) {
        suffix = edge.kind == Kind.REALTIME ? "-realtime" : "-process";
      }
    }
    String name = read ? "G1c" : "G0";
    if (missed > 0) {
      name = missed == 1 ? "G-single" : adjacent ? "G2" : "G-nonadjacent";
      name += byPredicate ? "" : "-item";
    }
    return AnomalyType.find(name + suffix).orElseThrow();
  }
}
