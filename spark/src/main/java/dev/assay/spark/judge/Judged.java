package dev.assay.spark.judge;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.explain.Minimizer;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.window.PartCheck;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a task found out about a window. Levels that are not mentioned hold there. */
public final class Judged implements Serializable {
  private static final long serialVersionUID = 1;
  private static final Duration TIME_TO_SHRINK = Duration.ofSeconds(10);

  final int window;
  final int transactions;

  /** Ids of levels that are violated. */
  final HashSet<String> violated = new HashSet<>();

  /** Ids of levels that can neither be proven nor refuted in this window. */
  final HashSet<String> open = new HashSet<>();

  /** By id, the reason why no checker can decide a level, and the clause. */
  final HashMap<String, String[]> unknown = new HashMap<>();

  /** What was found, by type. */
  final HashMap<String, Found> anomalies = new HashMap<>();

  /** Instances of an anomaly. */
  static final class Found implements Serializable {
    private static final long serialVersionUID = 1;

    final HashSet<String> violates = new HashSet<>();
    long count;
    boolean isLowerBound;

    /** The smallest part of the history that shows one; null where it was not asked for. */
    byte[] exhibit;
  }

  private Judged(int window, int transactions) {
    this.window = window;
    this.transactions = transactions;
  }

  /**
   * Judges a window.
   *
   * @param levels the levels to decide
   * @param shows whether what shows each anomaly is to be kept
   */
  static Judged of(int number, Window window, Set<Level> levels, boolean shows, Budget budget) {
    Judged judged = new Judged(number, window.history().transactionCount());
    PartCheck check =
        new PartCheck(
            window.history(), window.pins(), window::part, window.writers().isEmpty(), budget);
    check.inOrderFirst(window.reads());
    PartCheck.Answer answer = check.ask(levels);
    answer.open().forEach(level -> judged.open.add(level.id()));
    answer
        .unknown()
        .forEach(
            (level, why) ->
                judged.unknown.put(level.id(), new String[] {why.reason().name(), why.why()}));
    if (answer.part() != null) {
      judged.add(answer.part(), window, levels, shows);
    }
    return judged;
  }

  private void add(Report part, Window window, Set<Level> levels, boolean shows) {
    levels.stream().filter(part::violated).forEach(level -> violated.add(level.id()));
    for (Anomaly anomaly : part.anomalies()) {
      Found found = new Found();
      anomaly.violates().forEach(level -> found.violates.add(level.id()));
      found.count = anomaly.count();
      found.isLowerBound = anomaly.countIsLowerBound();
      if (shows) {
        found.exhibit = exhibit(part, anomaly, window, levels);
      }
      anomalies.put(anomaly.type().id(), found);
    }
  }

  private static byte[] exhibit(Report part, Anomaly anomaly, Window window, Set<Level> levels) {
    Set<Level> violated = EnumSet.noneOf(Level.class);
    levels.stream()
        .filter(
            level -> part.violated(level) && anomaly.violates().stream().anyMatch(level::implies))
        .forEach(violated::add);
    Minimizer minimizer =
        new Minimizer(
            part.history(),
            (smaller, type) -> {
              Report report = Assay.check(smaller, levels, Budget.of(TIME_TO_SHRINK));
              return report.shows(anomaly.type()) && violated.stream().allMatch(report::violated);
            },
            Budget.of(TIME_TO_SHRINK));
    return Exhibit.bytes(minimizer.of(List.of(anomaly)).history(), window);
  }

  /** A window without transactions. */
  static Judged nothing(int number) {
    return new Judged(number, 0);
  }

  /** The same where the window has another number. */
  Judged numbered(int number) {
    Judged same = new Judged(number, transactions);
    same.violated.addAll(violated);
    same.open.addAll(open);
    same.unknown.putAll(unknown);
    same.anomalies.putAll(anomalies);
    return same;
  }

  /** Whether all levels hold. */
  public boolean isFine() {
    return violated.isEmpty() && open.isEmpty() && unknown.isEmpty() && anomalies.isEmpty();
  }

  static Level level(String id) {
    return Level.find(id).orElseThrow();
  }

  /** The types of what was found. */
  List<AnomalyType> types() {
    List<AnomalyType> types = new ArrayList<>();
    for (AnomalyType type : AnomalyType.values()) {
      if (anomalies.containsKey(type.id())) {
        types.add(type);
      }
    }
    return types;
  }
}
