package dev.assay.render;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.CertificateText;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The history to keep beside a report: the smallest part that shows its first anomaly, or the whole
 * with its certificate where that is needed.
 */
public final class Counterexample {
  /** A report must not wait long for a smaller history than it already has. */
  private static final Duration TIME = Duration.ofSeconds(20);

  /** A larger part does not help a reader of the report. */
  private static final int MAX_OPERATIONS = 20_000;

  private Counterexample() {}

  /**
   * A history and what must be given with it for the anomaly to show.
   *
   * @param history the part, or the whole where a certificate is needed
   * @param given the certificate and assumptions; nothing where the history shows it alone
   */
  public record Kept(History history, Given given) {}

  /** What to keep, or nothing where none of a fair size violates what the result does. */
  public static Optional<Kept> of(CheckResult result, Budget budget) {
    List<Anomaly> anomalies = result.byRelevance();
    if (anomalies.isEmpty() || budget.expired()) {
      return Optional.empty();
    }
    Anomaly anomaly = anomalies.get(0);
    Budget limited = budget.atMost(TIME);
    for (Level level : levels(result, anomaly)) {
      for (Set<Assumption> assumptions : assumptions(result.given())) {
        Optional<Kept> part = part(result, anomaly.type(), level, assumptions, limited);
        if (part.isPresent()) {
          return part;
        }
      }
      if (!result.given().certificate().isEmpty() && certifies(result, level, limited)) {
        return Optional.of(new Kept(result.history(), result.given()));
      }
    }
    return Optional.empty();
  }

  /** What may be assumed: nothing if that will do. */
  private static List<Set<Assumption>> assumptions(Given given) {
    Set<Assumption> all = given.assumptions();
    return all.equals(Assumption.DEFAULT) ? List.of(all) : List.of(Assumption.DEFAULT, all);
  }

  private static Optional<Kept> part(
      CheckResult result, AnomalyType type, Level level, Set<Assumption> assumed, Budget budget) {
    Given given = new Given(assumed, VersionCertificate.NONE);
    Report report = result.report();
    if (!result.given().equals(given)) {
      report = Assay.check(result.history(), Set.of(level), given, budget);
      if (!report.violated(level) || !report.shows(type)) {
        return Optional.empty();
      }
    }
    History part = Assay.shrink(report, given, level, Set.of(type), budget).history();
    boolean fair = part.operationCount() <= MAX_OPERATIONS;
    return fair && Assay.check(part, Set.of(level), given, budget).violated(level)
        ? Optional.of(new Kept(part, given))
        : Optional.empty();
  }

  /** Whether the whole history and its certificate, once written and read, say the same. */
  private static boolean certifies(CheckResult result, Level level, Budget budget) {
    History history = result.history();
    if (history.operationCount() > MAX_OPERATIONS) {
      return false;
    }
    String text = CertificateText.of(result.given().certificate(), history);
    Input input = Input.of(result.file(), text.getBytes(StandardCharsets.UTF_8));
    try {
      VersionCertificate read = VersionCertificates.read(input, history);
      Given given = new Given(result.given().assumptions(), read);
      return Assay.check(history, Set.of(level), given, budget).violated(level);
    } catch (ParseException e) {
      return false;
    }
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
