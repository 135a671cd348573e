package dev.assay.collect.judge;

import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.RunRules;
import dev.assay.format.ReadOptions;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What to decide about a history, and how.
 *
 * @param config what to decide, judge and report: the parameters of the group CHECK
 * @param reading how the history is to be read
 * @param untrusted whether the input may be hostile
 * @param certificate the orders of versions recovered from the database, or null
 * @param checkers narrows a check to the checkers to use, see {@link Checkers}
 */
public record CheckRequest(
    RunConfig config,
    ReadOptions reading,
    boolean untrusted,
    Path certificate,
    UnaryOperator<CheckOptions> checkers) {
  /** Throws a {@link dev.assay.collect.config.UsageException} for a configuration with problems. */
  public CheckRequest {
    RunRules.require(config);
  }

  /** What a configuration asks for, by the built-in checkers. */
  public static CheckRequest of(RunConfig config) {
    return new CheckRequest(config, ReadOptions.NONE, false, null, UnaryOperator.identity());
  }

  /** The same for inputs that are read in another way. */
  public CheckRequest reading(ReadOptions options, boolean mayBeHostile) {
    return new CheckRequest(config, options, mayBeHostile, certificate, checkers);
  }

  /** The same with orders of versions from the database; null for none. */
  public CheckRequest with(Path newCertificate) {
    return new CheckRequest(config, reading, untrusted, newCertificate, checkers);
  }

  /** The same by other checkers. */
  public CheckRequest by(UnaryOperator<CheckOptions> methods) {
    return new CheckRequest(config, reading, untrusted, certificate, methods);
  }

  /** Whether all built-in methods decide, and no others. */
  boolean usesAllCheckers() {
    CheckOptions all = CheckOptions.of(levels());
    return checkers.apply(all) == all;
  }

  /** The time for one input, from now on. */
  public Budget budget() {
    return Budget.of(config.get(Parameters.TIMEOUT));
  }

  /** The levels to decide. */
  public List<Level> levels() {
    return config.get(Parameters.LEVEL);
  }

  /** Whether all levels are asked for, of which one is judged. */
  public boolean survey() {
    return Names.isSurvey(config.text(Parameters.LEVEL));
  }

  /** The anomalies that are a failure. */
  public Set<AnomalyType> forbidden() {
    return set(Parameters.FORBID);
  }

  /** All levels that must be decided about a history. */
  public Set<Level> decided(Map<String, String> metadata) {
    Set<Level> levels = new LinkedHashSet<>(levels());
    levels.addAll(judged(metadata));
    // An anomaly is looked for where a level that forbids it is.
    forbidden().forEach(type -> levels.addAll(Level.minimal(type.forbiddenBy())));
    return levels;
  }

  /** A report with only the anomalies that are to be shown. */
  public Report filtered(Report report) {
    Set<AnomalyType> shown = new HashSet<>(set(Parameters.ANOMALY));
    if (shown.isEmpty()) {
      return report;
    }
    shown.addAll(forbidden());
    List<Anomaly> anomalies = new ArrayList<>(report.anomalies());
    anomalies.removeIf(anomaly -> !shown.contains(anomaly.type()));
    return new Report(
        report.history(),
        report.verdicts(),
        anomalies,
        report.notes(),
        report.stageMillis(),
        report.inferred());
  }

  /** The values of a set, empty by default. */
  public <E> Set<E> set(Parameter<Set<E>> parameter) {
    return config.has(parameter) ? config.get(parameter) : Set.of();
  }

  /** The levels that decide between success and failure. */
  public List<Level> judged(History history) {
    boolean promised = history.hasLevels() && !history.metadata().containsKey("level");
    boolean open = survey() && config.get(Parameters.EXPECT) == null && forbidden().isEmpty();
    return promised && open ? List.of(Level.MIXED) : judged(history.metadata());
  }

  /** All levels that must be decided about a history. */
  public Set<Level> decided(History history) {
    Set<Level> levels = decided(history.metadata());
    levels.addAll(judged(history));
    if (survey() && history.hasLevels()) {
      levels.add(Level.MIXED);
    }
    return levels;
  }

  /** The same for a history of which only the metadata are known. */
  public List<Level> judged(Map<String, String> metadata) {
    if (!survey()) {
      return levels();
    }
    Level expected = config.get(Parameters.EXPECT);
    if (expected == null && !forbidden().isEmpty()) {
      return List.of();
    }
    return List.of(expected == null ? recorded(metadata) : expected);
  }

  /** The level that a history was recorded at according to its metadata, else serializable. */
  public static Level recorded(History history) {
    return recorded(history.metadata());
  }

  private static Level recorded(Map<String, String> metadata) {
    return Optional.ofNullable(metadata.get("level"))
        .flatMap(Level::find)
        .orElse(Level.SERIALIZABLE);
  }
}
