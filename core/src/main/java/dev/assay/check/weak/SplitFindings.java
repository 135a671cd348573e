package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds anomalies found between single operations to those found between transactions. A cycle that
 * is already known and rests on the same transactions only gets one more violated level.
 */
final class SplitFindings {
  private static final Set<Level> VIOLATED = Level.CAUSAL_NON_TRANSACTIONAL.andStronger();

  private final List<Anomaly> anomalies;
  private final int maxWitnesses;
  private final Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);

  /**
   * Adds to these anomalies.
   *
   * @param maxWitnesses the maximum number of witnesses of a kind that are added
   */
  SplitFindings(List<Anomaly> anomalies, int maxWitnesses) {
    this.anomalies = anomalies;
    this.maxWitnesses = maxWitnesses;
  }

  /** The types of the anomalies that show the violation. */
  List<AnomalyType> types() {
    return List.copyOf(types);
  }

  /** Adds anomalies of causal order between operations. */
  void add(List<Anomaly> found) {
    Map<AnomalyType, Anomaly> byType = new EnumMap<>(AnomalyType.class);
    for (Anomaly anomaly : found) {
      byType.merge(type(anomaly), ofOperations(anomaly), SplitFindings::both);
    }
    byType.values().forEach(this::add);
  }

  /** An operation has no parts, so nothing is fractured. */
  private static AnomalyType type(Anomaly anomaly) {
    return switch (anomaly.type()) {
      case FRACTURED_READ_CO -> AnomalyType.CO_CONFLICT;
      case FRACTURED_READ_CM -> AnomalyType.CM_CONFLICT;
      default -> anomaly.type();
    };
  }

  private static Anomaly ofOperations(Anomaly anomaly) {
    List<Evidence> witnesses =
        anomaly.witnesses().stream()
            .map(witness -> witness.refuting(Level.CAUSAL_NON_TRANSACTIONAL))
            .toList();
    return new Anomaly(
        type(anomaly), VIOLATED, anomaly.count(), anomaly.countIsLowerBound(), witnesses);
  }

  private static Anomaly both(Anomaly first, Anomaly second) {
    List<Evidence> witnesses = new ArrayList<>(first.witnesses());
    witnesses.addAll(second.witnesses());
    return new Anomaly(
        first.type(),
        first.violates(),
        first.count() + second.count(),
        first.countIsLowerBound() || second.countIsLowerBound(),
        witnesses);
  }

  private void add(Anomaly found) {
    List<Evidence> others = new ArrayList<>();
    for (Evidence witness : found.witnesses()) {
      int same = shownBy(witness);
      if (same < 0) {
        others.add(witness);
      } else {
        Anomaly known = anomalies.get(same);
        Set<Level> violates = EnumSet.copyOf(known.violates());
        violates.addAll(VIOLATED);
        types.add(known.type());
        anomalies.set(
            same,
            new Anomaly(
                known.type(),
                violates,
                known.count(),
                known.countIsLowerBound(),
                known.witnesses()));
      }
    }
    if (!others.isEmpty()) {
      types.add(found.type());
      long count = found.count() - found.witnesses().size() + others.size();
      List<Evidence> shown = others.subList(0, Math.min(others.size(), maxWitnesses));
      anomalies.add(new Anomaly(found.type(), VIOLATED, count, found.countIsLowerBound(), shown));
    }
  }

  /** The anomaly with a witness that has the same cycle and rests on as many transactions. */
  private int shownBy(Evidence found) {
    List<String> outline = outline(found.edges());
    Set<Integer> needed = transactions(found);
    for (int i = 0; i < anomalies.size(); i++) {
      for (Evidence witness : anomalies.get(i).witnesses()) {
        if (outline(witness.edges()).equals(outline) && transactions(witness).containsAll(needed)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static Set<Integer> transactions(Evidence evidence) {
    Set<Integer> found = new HashSet<>();
    Edge.forEachReason(
        evidence.edges(),
        edge -> {
          found.add(edge.from());
          found.add(edge.to());
        });
    return found;
  }

  /** The steps of a cycle between different transactions, rotated to start at the least. */
  private static List<String> outline(List<Edge> cycle) {
    List<String> steps = new ArrayList<>();
    for (Edge edge : cycle) {
      if (edge.from() != edge.to()) {
        steps.add(edge.from() + " " + edge.to() + " " + edge.kind() + " " + edge.key());
      }
    }
    if (!steps.isEmpty()) {
      Collections.rotate(steps, -steps.indexOf(Collections.min(steps)));
    }
    return steps;
  }
}
