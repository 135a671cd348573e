package dev.assay.check.predicate;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Maps anomalies found in an {@link Expansion} back to the original history. */
final class Phantoms {
  private Phantoms() {}

  /**
   * The anomaly in the original history, as far as it rests on predicates; null if other checkers
   * find it too.
   *
   * @param decided the levels that such an argument is valid for
   */
  static Anomaly ofOriginal(Anomaly found, Expansion expansion, Set<Level> decided) {
    boolean updates = found.type() == AnomalyType.LOST_UPDATE;
    Anomaly anomaly = updates ? ofItems(found, expansion) : found;
    List<Evidence> witnesses = new ArrayList<>();
    boolean missed = false;
    ArgumentMapper arguments = ArgumentMapper.back(expansion.rewriting());
    for (Evidence evidence : anomaly.witnesses()) {
      boolean byOperations = evidence.operations().stream().anyMatch(expansion::isFromPredicate);
      if (byOperations || rests(evidence.edges(), expansion, false)) {
        missed |= rests(evidence.edges(), expansion, true);
        Level refuted = decided.contains(evidence.refutes()) ? evidence.refutes() : null;
        witnesses.add(arguments.evidence(evidence).refuting(refuted));
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

  /**
   * Only items that were read can have lost updates. A row that a select missed, or an update that
   * did not change it, was not read as an item: then one of the two transactions overwrote what it
   * had missed.
   */
  private static Anomaly ofItems(Anomaly lost, Expansion expansion) {
    List<Evidence> items =
        lost.witnesses().stream()
            .filter(evidence -> evidence.edges().stream().allMatch(e -> isOfItem(e, expansion)))
            .toList();
    return items.isEmpty()
        ? new Anomaly(
            AnomalyType.G_SINGLE_ITEM,
            lost.violates(),
            lost.count(),
            true,
            lost.witnesses().stream().map(Phantoms::overwritten).toList())
        : new Anomaly(lost.type(), lost.violates(), items.size(), true, items);
  }

  private static boolean isOfItem(Edge missing, Expansion expansion) {
    return !expansion.isFromPredicate(missing.fromOp()) || expansion.isChanged(missing.fromOp());
  }

  /** Of two that missed each other's version of a key, one overwrote the other's. */
  private static Evidence overwritten(Evidence lost) {
    Edge one = lost.edges().get(0);
    Edge other = lost.edges().get(1);
    Edge before = Edge.of(one.to(), one.from(), EdgeKind.WW, one.key(), one.toOp(), other.toOp());
    Edge after =
        new Edge(
            one.from(),
            one.to(),
            EdgeKind.WW,
            one.key(),
            other.toOp(),
            one.toOp(),
            List.of(before, one));
    return Evidence.ofEdges(List.of(other, after));
  }

  /** Whether a step rests on a predicate result, or on an rw by one. */
  private static boolean rests(List<Edge> edges, Expansion expansion, boolean missedOnly) {
    return Edge.anyReason(
        edges,
        edge -> {
          boolean missed = edge.kind() == EdgeKind.RW && expansion.isFromPredicate(edge.fromOp());
          boolean fromPredicate =
              expansion.isFromPredicate(edge.fromOp()) || expansion.isFromPredicate(edge.toOp());
          return missed || (fromPredicate && !missedOnly);
        });
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
