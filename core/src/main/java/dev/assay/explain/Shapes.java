package dev.assay.explain;

import dev.assay.check.Edge;
import dev.assay.level.AnomalyType;
import java.util.List;

/**
 * The names people use for cycles of a recognised shape; those of any other have a plainer name.
 */
final class Shapes {
  private Shapes() {}

  /** What to call an instance of an anomaly. */
  static String name(AnomalyType type, List<Edge> edges) {
    if (edges.isEmpty() || !type.id().startsWith("G")) {
      return type.title();
    }
    String shape = shape(type, edges);
    return shape == null ? type.title() : shape + suffix(type);
  }

  private static String shape(AnomalyType type, List<Edge> edges) {
    String kinds = String.join(" ", edges.stream().map(edge -> edge.kind().id()).toList());
    boolean oneKey =
        edges.stream().filter(edge -> edge.key() >= 0).mapToInt(Edge::key).distinct().count() == 1;
    return switch (type) {
      case G_SINGLE_ITEM, G_SINGLE_ITEM_PROCESS, G_SINGLE_ITEM_REALTIME -> {
        boolean overwritten = kinds.equals("rw ww") || kinds.equals("ww rw");
        yield overwritten && oneKey ? "lost update" : null;
      }
      case G_NONADJACENT_ITEM, G_NONADJACENT_ITEM_PROCESS, G_NONADJACENT_ITEM_REALTIME -> {
        boolean fork = kinds.equals("rw wr rw wr") || kinds.equals("wr rw wr rw");
        yield fork ? "long fork" : "cycle with anti-dependencies apart";
      }
      case G2_ITEM, G2_ITEM_PROCESS, G2_ITEM_REALTIME -> {
        if (kinds.equals("rw rw")) {
          yield oneKey ? "lost update" : "write skew";
        }
        yield "cycle with adjacent anti-dependencies";
      }
      default -> null;
    };
  }

  private static String suffix(AnomalyType type) {
    if (type.id().endsWith("-realtime")) {
      return " over real time";
    }
    return type.id().endsWith("-process") ? " over session order" : "";
  }
}
