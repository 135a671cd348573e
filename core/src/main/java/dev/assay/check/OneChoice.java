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
 * What to show of a history in which some reads do not name their writer, where each choice of
 * writers violates some levels, if not by the same anomaly.
 */
public final class OneChoice {
  /** More than there are names of anomalies or levels. */
  private static final long NAMES = 1000;

  private OneChoice() {}

  /**
   * The anomalies by one of several choices that violate these levels: by the one with the fewest
   * kinds of reads that are wrong by themselves, then with the fewest names that would contradict
   * what holds by another choice, then with names that the fewest levels forbid. No name that
   * contradicts is shown, unless nothing else shows the violation.
   *
   * @param violated levels that are violated by every choice
   * @param holding levels that hold by some choice
   * @param byChoice for each choice what is found by it, the likeliest first
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

  /** What was found by choices of writers, one for each set of names. */
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
