package dev.assay.collect.oracle;

import dev.assay.collect.oracle.SmallHistory.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names every simple cycle of Adya's graph of a small history of lists. Where two transactions are
 * joined by several kinds of edge, a cycle through them is named once for each choice.
 */
public final class Cycles {
  private enum Kind {
    WW,
    WR,
    RW,
    PROCESS,
    REALTIME
  }

  private record Edge(int from, int to, Kind kind) {}

  private final List<Edge> edges = new ArrayList<>();
  private final Set<String> names = new TreeSet<>();

  private Cycles() {}

  /** The names of all cycles. */
  public static Set<String> names(SmallHistory small) {
    Cycles cycles = new Cycles();
    cycles.addEdges(small);
    for (int start : small.counted()) {
      cycles.extend(start, start, new ArrayList<>());
    }
    return cycles.names;
  }

  private void addEdges(SmallHistory small) {
    for (int a : small.counted()) {
      for (int b : small.counted()) {
        if (small.sessionOrder(a, b)) {
          edges.add(new Edge(a, b, Kind.PROCESS));
        }
        if (small.realTime(a, b)) {
          edges.add(new Edge(a, b, Kind.REALTIME));
        }
      }
    }
    for (int key = 0; key < small.history().keys().count(); key++) {
      List<Integer> order = small.versionOrder(key);
      for (int i = 1; i < order.size(); i++) {
        addEdge(order.get(i - 1), order.get(i), Kind.WW);
      }
    }
    for (Read read : small.reads()) {
      if (read.writer() != SmallHistory.INITIAL) {
        addEdge(read.writer(), read.reader(), Kind.WR);
      }
      List<Integer> order = small.versionOrder(read.key());
      int next = order.lastIndexOf(read.writer()) + 1;
      if (next < order.size()) {
        addEdge(read.reader(), order.get(next), Kind.RW);
      }
    }
  }

  private void addEdge(int from, int to, Kind kind) {
    if (from != to) {
      edges.add(new Edge(from, to, kind));
    }
  }

  private void extend(int start, int at, List<Edge> path) {
    for (Edge edge : edges) {
      if (edge.from() != at || edge.to() < start) {
        continue;
      }
      if (edge.to() == start) {
        path.add(edge);
        names.add(name(path));
        path.remove(path.size() - 1);
      } else if (path.stream().noneMatch(e -> e.from() == edge.to())) {
        path.add(edge);
        extend(start, edge.to(), path);
        path.remove(path.size() - 1);
      }
    }
  }

  private static String name(List<Edge> cycle) {
    int antiDependencies = 0;
    boolean adjacent = false;
    boolean process = false;
    boolean realTime = false;
    boolean reads = false;
    for (int i = 0; i < cycle.size(); i++) {
      Kind kind = cycle.get(i).kind();
      Kind following = cycle.get((i + 1) % cycle.size()).kind();
      antiDependencies += kind == Kind.RW ? 1 : 0;
      adjacent |= kind == Kind.RW && following == Kind.RW;
      process |= kind == Kind.PROCESS;
      realTime |= kind == Kind.REALTIME;
      reads |= kind == Kind.WR;
    }
    String base;
    if (antiDependencies == 0) {
      base = reads ? "G1c" : "G0";
    } else if (antiDependencies == 1) {
      base = "G-single-item";
    } else {
      base = adjacent ? "G2-item" : "G-nonadjacent-item";
    }
    return base + (realTime ? "-realtime" : process ? "-process" : "");
  }
}
