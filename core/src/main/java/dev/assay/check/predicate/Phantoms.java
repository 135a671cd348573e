package dev.assay.check.predicate;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Tells anomalies of an {@link Expansion} in terms of the history it was made of. */
final class Phantoms {
  private Phantoms() {}

  /**
   * The anomaly, as far as it rests on predicates; null where others find it too.
   *
   * @param decided the levels that such an argument is valid for
   */
  static Anomaly told(Anomaly anomaly, Expansion expansion, Set<Level> decided) {
    List<Evidence> witnesses = new ArrayList<>();
    boolean missed = false;
    for (Evidence evidence : anomaly.witnesses()) {
      boolean byOperations = evidence.operations().stream().anyMatch(expansion::isTold);
      if (byOperations || rests(evidence.edges(), expansion, false)) {
        missed |= rests(evidence.edges(), expansion, true);
        witnesses.add(
            new Evidence(
                evidence.operations().stream().map(expansion::original).toList(),
                expansion.original(evidence.edges()),
                decided.contains(evidence.refutes()) ? evidence.refutes() : null,
                evidence.c4(),
                evidence.shownBy().stream().map(expansion::original).toList()));
      }
    }
    Set<Level> violates = EnumSet.noneOf(Level.class);
    for (Level level : decided) {
      if (anomaly.violates().stream().anyMatch(level::implies)) {
        violates.add(level);
      }
    }
    if (witnesses.isEmpty() || violates.isEmpty()) {
      return null;
    }
    AnomalyType type = missed ? byPredicate(anomaly.type()) : anomaly.type();
    return new Anomaly(type, violates, witnesses.size(), true, witnesses);
  }

  /** Whether a step rests on what a predicate operation tells, or one that missed something. */
  private static boolean rests(List<Edge> edges, Expansion expansion, boolean missedOnly) {
    for (Edge edge : edges) {
      boolean missed = edge.kind() == Edge.Kind.RW && expansion.isTold(edge.fromOp());
      boolean told = expansion.isTold(edge.fromOp()) || expansion.isTold(edge.toOp());
      if (missed || (told && !missedOnly) || rests(edge.because(), expansion, missedOnly)) {
        return true;
      }
    }
    return false;
  }

  private static AnomalyType byPredicate(AnomalyType type) {
    return switch (type) {
      case G_SINGLE_ITEM -> AnomalyType.G_SINGLE;
      case G_SINGLE_ITEM_PROCESS -> AnomalyType.G_SINGLE_PROCESS;
      case G_SINGLE_ITEM_REALTIME -> AnomalyType.G_SINGLE_REALTIME;
      case G_NONADJACENT_ITEM -> AnomalyType.G_NONADJACENT;
      case G_NONADJACENT_ITEM_PROCESS -> AnomalyType.G_NONADJACENT_PROCESS;
      case G_NONADJACENT_ITEM_REALTIME -> AnomalyType.G_NONADJACENT_REALTIME;
      case G2_ITEM -> AnomalyType.G2;
      case G2_ITEM_PROCESS -> AnomalyType.G2_PROCESS;
      case G2_ITEM_REALTIME -> AnomalyType.G2_REALTIME;
      default -> type;
    };
  }
}
