package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.explain.Smallest;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The history to keep beside a report: the smallest part that shows its first anomaly. */
public final class Counterexample {
  /** A report must not wait long for a smaller history than it already has. */
  private static final Duration TIME = Duration.ofSeconds(20);

  /** A part larger than this is no help to anybody who reads a report. */
  private static final int MAX_OPERATIONS = 20_000;

  private Counterexample() {}

  /** The part of a result's history, or nothing where none of a fair size violates what it does. */
  public static Optional<History> of(CheckResult result, Budget budget) {
    List<Anomaly> anomalies = result.byRelevance();
    if (anomalies.isEmpty() || budget.expired()) {
      return Optional.empty();
    }
    Anomaly anomaly = anomalies.get(0);
    Budget limited = budget.atMost(TIME);
    for (Level level : levels(result, anomaly)) {
      Smallest smallest = Assay.shrink(result.report(), level, Set.of(anomaly.type()), limited);
      History part = smallest.history();
      boolean fair = part.operationCount() <= MAX_OPERATIONS;
      if (fair && Assay.check(part, Set.of(level), limited).violated(level)) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }

  /** Levels that the anomaly violates, the judged one's weakest first: there it shows best. */
  private static List<Level> levels(CheckResult result, Anomaly anomaly) {
    List<Level> violated = new ArrayList<>();
    result
        .report()
        .verdicts()
        .forEach(
            (level, verdict) -> {
              boolean by = anomaly.violates().stream().anyMatch(level::implies);
              if (verdict instanceof Verdict.Violated && by) {
                violated.add(level);
              }
            });
    List<Level> below =
        violated.stream()
            .filter(level -> result.judged().stream().anyMatch(judged -> judged.implies(level)))
            .toList();
    List<Level> weakest = Level.minimal(below.isEmpty() ? violated : below);
    return weakest.subList(0, Math.min(2, weakest.size()));
  }
}
