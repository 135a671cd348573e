package dev.assay.check;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects the anomalies to report for a history with ambiguous reads: every choice of writers
 * violates some levels, but not necessarily by the same anomaly, so the report shows those of one
 * choice.
 */
public final class ReportedChoice {
  /** Larger than the number of anomaly types and of levels; the base of the weights below. */
  private static final long NAMES = 1000;

  private ReportedChoice() {}

  /**
   * The anomalies of the best choice that violate these levels. The best choice has the fewest
   * types of anomalous reads, then the fewest anomalies forbidden by a level that holds under
   * another choice, then anomalies that the fewest levels forbid. An anomaly of the second sort is
   * shown only if nothing else shows the violation.
   *
   * @param violated levels that every choice violates
   * @param holding levels that hold under some choice
   * @param byChoice the anomalies under each choice, the likeliest first
   */
  public static List<Anomaly> against(
      Set<Level> violated, Set<Level> holding, List<List<Anomaly>> byChoice) {
    List<Anomaly> best = List.of();
    long least = Long.MAX_VALUE;
    for (List<Anomaly> found : byChoice) {
      List<Anomaly> against = against(violated, found);
      Set<Level> forbidding = EnumSet.noneOf(Level.class);
      against.forEach(anomaly -> forbidding.addAll(anomaly.type().forbiddenBy()));
      long contradicting = against.stream().filter(a -> contradicts(a, holding)).count();
      long weight = (badReads(against) * NAMES + contradicting) * NAMES + forbidding.size();
      if (!against.isEmpty() && weight < least) {
        best = against;
        least = weight;
      }
    }
    List<Anomaly> agreeing = best.stream().filter(a -> !contradicts(a, holding)).toList();
    Set<Level> shown = EnumSet.noneOf(Level.class);
    agreeing.forEach(anomaly -> shown.addAll(anomaly.violates()));
    List<Anomaly> result = new ArrayList<>(agreeing);
    for (Anomaly anomaly : best) {
      if (contradicts(anomaly, holding) && shown.addAll(anomaly.violates())) {
        result.add(anomaly);
      }
    }
    return result;
  }

  private static List<Anomaly> against(Set<Level> violated, List<Anomaly> found) {
    List<Anomaly> against = new ArrayList<>();
    for (Anomaly anomaly : found) {
      Set<Level> by = EnumSet.noneOf(Level.class);
      anomaly.violates().forEach(level -> by.addAll(level.andStronger()));
      by.retainAll(violated);
      if (!by.isEmpty()) {
        against.add(new Anomaly(anomaly.type(), by, anomaly.count(), true, anomaly.witnesses()));
      }
    }
    return against;
  }

  private static long badReads(List<Anomaly> anomalies) {
    return anomalies.stream()
        .filter(anomaly -> anomaly.witnesses().get(0).edges().isEmpty())
        .count();
  }

  private static boolean contradicts(Anomaly anomaly, Set<Level> holding) {
    return !Collections.disjoint(anomaly.type().forbiddenBy(), holding);
  }

  /** The anomalies found under the choices of writers, one entry per set of types. */
  public static final class Found {
    private final Map<Set<AnomalyType>, List<Anomaly>> byNames = new LinkedHashMap<>();

    public void add(List<Anomaly> anomalies) {
      Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
      anomalies.forEach(anomaly -> types.add(anomaly.type()));
      byNames.putIfAbsent(types, anomalies);
    }

    public List<List<Anomaly>> all() {
      return new ArrayList<>(byNames.values());
    }
  }
}
