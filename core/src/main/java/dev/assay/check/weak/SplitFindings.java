package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Puts what was found between single operations beside what was found between transactions. A
 * circle that is among the latter already only says that it violates one level more.
 */
final class SplitFindings {
  private static final Set<Level> VIOLATED = Level.CAUSAL_NON_TRANSACTIONAL.andStronger();

  private final List<Anomaly> anomalies;
  private final int maxWitnesses;
  private final Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);

  /** Adds to these anomalies. */
  SplitFindings(List<Anomaly> anomalies, int maxWitnesses) {
    this.anomalies = anomalies;
    this.maxWitnesses = maxWitnesses;
  }

  /** The anomalies that now show it. */
  List<AnomalyType> types() {
    return List.copyOf(types);
  }

  void add(Anomaly told) {
    List<Evidence> others = new ArrayList<>();
    for (Evidence witness : told.witnesses()) {
      int same = withWitness(outline(witness.edges()));
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
      types.add(told.type());
      long count = told.count() - told.witnesses().size() + others.size();
      List<Evidence> shown = others.subList(0, Math.min(others.size(), maxWitnesses));
      anomalies.add(new Anomaly(told.type(), VIOLATED, count, told.countIsLowerBound(), shown));
    }
  }

  private int withWitness(List<String> outline) {
    for (int i = 0; i < anomalies.size(); i++) {
      for (Evidence witness : anomalies.get(i).witnesses()) {
        if (outline(witness.edges()).equals(outline)) {
          return i;
        }
      }
    }
    return -1;
  }

  /** The steps of a circle between different transactions, from the least on. */
  private static List<String> outline(List<Edge> circle) {
    List<String> steps = new ArrayList<>();
    for (Edge edge : circle) {
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
