package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.LevelChecker;
import dev.assay.explain.Minimizer;
import dev.assay.explain.Smallest;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The whole library on one page.
 *
 * <pre>{@code
 * History history = Assay.read(Path.of("run.edn"));
 * Report report = Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(1)));
 * assertThat(report.violated(Level.CUT_ISOLATION)).isFalse();
 * }</pre>
 *
 * <p>{@link Pipeline} shows how a history comes to its verdicts.
 */
public final class Assay {
  /** For a few transactions when the time for a whole history is up. */
  private static final Duration TIME_FOR_FEW = Duration.ofMillis(500);

  private Assay() {}

  /** Reads a history in any format. */
  public static History read(Path path) throws ParseException {
    return read(path, ReadOptions.NONE);
  }

  /** Reads a history in any format, with what is declared about it. */
  public static History read(Path path, ReadOptions options) throws ParseException {
    return SoundPredicates.required(Formats.read(Input.of(path), options));
  }

  /** Decides the given levels for a history. */
  public static Report check(History history, Collection<Level> levels, Budget budget) {
    return check(history, levels, Given.NOTHING, budget);
  }

  /** Decides the given levels for a history, with what else is known or assumed about it. */
  public static Report check(
      History history, Collection<Level> levels, Given given, Budget budget) {
    return check(history, CheckOptions.of(levels).given(given).within(budget));
  }

  /** Decides levels for a history, with every choice there is of how to do that. */
  public static Report check(History history, CheckOptions options) {
    return Pipeline.run(history, options);
  }

  /** The methods of deciding levels, in the order they are asked. */
  public static List<LevelChecker> checkers() {
    return Pipeline.CHECKERS;
  }

  /** The smallest part that still violates a level, with nothing assumed. */
  public static Smallest shrink(Report report, Level level, Set<AnomalyType> types, Budget budget) {
    return shrink(report, Given.NOTHING, level, types, budget);
  }

  /** The smallest part that still violates a level under the assumptions it was judged with. */
  public static Smallest shrink(
      Report report,
      Set<Assumption> assumptions,
      Level level,
      Set<AnomalyType> types,
      Budget budget) {
    return shrink(report, new Given(assumptions, VersionCertificate.NONE), level, types, budget);
  }

  /**
   * The smallest part of a history that still violates a level: its transactions and operations are
   * some of the history's, and none of them can be left out.
   *
   * @param report what {@link #check} says of the history for this level alone
   * @param given what it was judged with; a certificate is cut down to what is left
   * @param level the level, which the report must find violated
   * @param types the anomalies to choose from, of those in the report; all of them if empty
   * @param budget time that is left; when it ends, the part may be larger than needed, but where
   *     the transactions of a witness are enough it is no larger than these
   */
  public static Smallest shrink(
      Report report, Given given, Level level, Set<AnomalyType> types, Budget budget) {
    if (!report.violated(level)) {
      throw new IllegalArgumentException(level + " is not violated");
    }
    List<Anomaly> anomalies =
        report.anomalies().stream()
            .filter(anomaly -> types.isEmpty() || types.contains(anomaly.type()))
            .toList();
    if (anomalies.isEmpty() && !types.isEmpty()) {
      throw new IllegalArgumentException("no anomaly of " + types + " violates " + level);
    }
    Minimizer.CertifiedJudge judge =
        (part, certificate, type) -> {
          boolean few = part.transactionCount() <= Minimizer.FEW;
          Budget own = few && budget.expired() ? Budget.of(TIME_FOR_FEW) : budget;
          Report judged =
              check(part, Set.of(level), new Given(given.assumptions(), certificate), own);
          return type == null ? judged.violated(level) : judged.shows(type);
        };
    return new Minimizer(report.history(), given.certificate(), judge, budget).of(anomalies);
  }
}
