package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the answers of several checkers come to, with the anomalies and the lattice of levels. */
final class Settled {
  private Settled() {}

  /** Combines what checkers said with what anomalies and the lattice settle. */
  static Map<Level, Verdict> settle(
      Set<Level> wanted, Map<Level, Verdict> decided, List<Anomaly> anomalies) {
    Map<AnomalyType, Set<Level>> violated = new EnumMap<>(AnomalyType.class);
    for (Anomaly anomaly : anomalies) {
      violated.put(anomaly.type(), andStronger(anomaly.violates()));
    }
    // A checker may find its own condition met where another one found the level violated.
    violated.values().forEach(decided.keySet()::removeAll);
    Map<Level, Verdict> result = new EnumMap<>(Level.class);
    for (Level level : wanted) {
      List<AnomalyType> against = new ArrayList<>();
      for (Anomaly anomaly : anomalies) {
        if (violated.get(anomaly.type()).contains(level)) {
          against.add(anomaly.type());
        }
      }
      result.put(level, verdict(level, against, decided));
    }
    return result;
  }

  private static Set<Level> andStronger(Set<Level> levels) {
    Set<Level> stronger = EnumSet.noneOf(Level.class);
    levels.forEach(level -> stronger.addAll(level.andStronger()));
    return stronger;
  }

  private static Verdict verdict(
      Level level, List<AnomalyType> against, Map<Level, Verdict> decided) {
    if (!against.isEmpty()) {
      return new Verdict.Violated(against, "forbids " + against.get(0).title());
    }
    for (Map.Entry<Level, Verdict> entry : decided.entrySet()) {
      if (entry.getValue() instanceof Verdict.Violated violated && level.implies(entry.getKey())) {
        return violated;
      }
    }
    for (Map.Entry<Level, Verdict> entry : decided.entrySet()) {
      if (entry.getValue() instanceof Verdict.Holds holds && entry.getKey().implies(level)) {
        return entry.getKey() == level ? holds : new Verdict.Holds("implied by " + entry.getKey());
      }
    }
    Verdict own = decided.get(level);
    return own != null
        ? own
        : new Verdict.Unknown(
            Verdict.Reason.UNSUPPORTED,
            "none of the checkers asked decides " + level + "; nothing found so far violates it");
  }

  static List<Anomaly> shown(List<Anomaly> anomalies, Set<Level> wanted) {
    List<Anomaly> shown = new ArrayList<>();
    for (Anomaly anomaly : anomalies) {
      if (!Collections.disjoint(wanted, andStronger(anomaly.violates()))) {
        shown.add(anomaly);
      }
    }
    shown.sort(Comparator.comparing(Anomaly::type));
    return shown;
  }

  /**
   * One entry for each type: the count and witnesses of whoever found it first, and the witnesses
   * of others where they violate more.
   */
  static void add(Anomaly anomaly, List<Anomaly> anomalies) {
    for (int i = 0; i < anomalies.size(); i++) {
      Anomaly known = anomalies.get(i);
      if (known.type() == anomaly.type()) {
        Set<Level> violates = EnumSet.copyOf(known.violates());
        List<Evidence> witnesses = new ArrayList<>(known.witnesses());
        if (violates.addAll(anomaly.violates())) {
          witnesses.addAll(anomaly.witnesses());
        }
        boolean lowerBound = known.countIsLowerBound() || anomaly.countIsLowerBound();
        long count = Math.max(known.count(), witnesses.size());
        anomalies.set(i, new Anomaly(known.type(), violates, count, lowerBound, witnesses));
        return;
      }
    }
    anomalies.add(anomaly);
  }
}
