package dev.assay.check.strong;

import dev.assay.check.Edge;
import dev.assay.level.AnomalyType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The name of a circle of dependencies, by its edges and what they rest on. */
final class CycleName {
  private CycleName() {}

  static AnomalyType of(List<Edge> circle) {
    Set<Edge.Kind> kinds = kinds(circle);
    boolean process = kinds.contains(Edge.Kind.SO);
    boolean realTime = kinds.contains(Edge.Kind.RT);
    AnomalyType[] variants = variants(circle);
    return variants[realTime ? 2 : process ? 1 : 0];
  }

  private static AnomalyType[] variants(List<Edge> circle) {
    long overwritten = circle.stream().filter(e -> e.kind() == Edge.Kind.RW).count();
    if (overwritten == 0) {
      boolean reads = circle.stream().anyMatch(e -> e.kind() == Edge.Kind.WR);
      return reads
          ? new AnomalyType[] {AnomalyType.G1C, AnomalyType.G1C_PROCESS, AnomalyType.G1C_REALTIME}
          : new AnomalyType[] {AnomalyType.G0, AnomalyType.G0_PROCESS, AnomalyType.G0_REALTIME};
    }
    if (overwritten == 1) {
      return new AnomalyType[] {
        AnomalyType.G_SINGLE_ITEM,
        AnomalyType.G_SINGLE_ITEM_PROCESS,
        AnomalyType.G_SINGLE_ITEM_REALTIME
      };
    }
    boolean adjacent = false;
    for (int i = 0; i < circle.size(); i++) {
      adjacent |=
          circle.get(i).kind() == Edge.Kind.RW
              && circle.get((i + 1) % circle.size()).kind() == Edge.Kind.RW;
    }
    return adjacent
        ? new AnomalyType[] {
          AnomalyType.G2_ITEM, AnomalyType.G2_ITEM_PROCESS, AnomalyType.G2_ITEM_REALTIME
        }
        : new AnomalyType[] {
          AnomalyType.G_NONADJACENT_ITEM,
          AnomalyType.G_NONADJACENT_ITEM_PROCESS,
          AnomalyType.G_NONADJACENT_ITEM_REALTIME
        };
  }

  /** The kinds of these edges and of all that they rest on. */
  private static Set<Edge.Kind> kinds(List<Edge> edges) {
    Set<Edge.Kind> kinds = EnumSet.noneOf(Edge.Kind.class);
    Edge.forEachReason(edges, edge -> kinds.add(edge.kind()));
    return kinds;
  }
}
