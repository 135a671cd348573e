package dev.assay.explain;

import dev.assay.check.Edge;
import dev.assay.level.AnomalyType;
import dev.assay.level.Orders;
import java.util.List;

/** The common names of cycles with a recognised shape; larger ones say how large they are. */
final class Shapes {
  private Shapes() {}

  /** What to call an instance of an anomaly. */
  static String name(AnomalyType type, List<Edge> edges) {
    String shape = edges.isEmpty() || type.cycleKind() == null ? null : shape(type, edges);
    if (shape == null) {
      return type.title();
    }
    return type.orders() == Orders.NONE ? shape : shape + " over " + type.orders().title();
  }

  private static String shape(AnomalyType type, List<Edge> edges) {
    String kinds = String.join(" ", edges.stream().map(edge -> edge.kind().id()).toList());
    boolean oneKey =
        edges.stream().filter(edge -> edge.key() >= 0).mapToInt(Edge::key).distinct().count() == 1;
    if (type.isByPredicate()) {
      return null;
    }
    return switch (type.cycleKind()) {
      case SINGLE -> {
        boolean overwritten = kinds.equals("rw ww") || kinds.equals("ww rw");
        yield overwritten && oneKey ? "lost update" : null;
      }
      case NONADJACENT -> {
        boolean fork = kinds.equals("rw wr rw wr") || kinds.equals("wr rw wr rw");
        yield fork ? "long fork" : "long fork" + among(edges);
      }
      case G2 -> {
        if (kinds.equals("rw rw")) {
          yield oneKey ? "lost update" : "write skew";
        }
        yield "write skew" + among(edges);
      }
      default -> null;
    };
  }

  private static String among(List<Edge> edges) {
    long transactions = edges.stream().mapToInt(Edge::from).distinct().count();
    return " among " + transactions + " transactions";
  }
}
