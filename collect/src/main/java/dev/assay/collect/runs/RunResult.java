package dev.assay.collect.runs;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.collect.record.RunCounts;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import dev.assay.render.Totals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a check found, without the evidence. Components are fields of the JSON report, {@code
 * verdict.json}; the state of a run holds it without levels.
 *
 * @param levels verdicts by the id of their level; null in a summary
 * @param run counts of the run, or null for a history that was not recorded by one
 * @param incomplete what could not be read at the end of the run, or null
 * @param strongest the ids of the strongest levels that hold
 * @param weakestViolated the ids of the weakest levels that are violated
 * @param error why the history could not be read, or null
 */
public record RunResult(
    HistorySize history,
    Map<String, LevelVerdict> levels,
    String incomplete,
    RunCounts run,
    List<String> strongest,
    List<String> weakestViolated,
    List<FoundAnomaly> anomalies,
    Timing timing,
    ReadError error) {
  /** No result: the check did not end, or has not yet. */
  public static final RunResult NONE =
      new RunResult(null, null, null, null, null, null, null, null, null);

  /**
   * How large a history is.
   *
   * @param unread true if time ran out before the history was read; the counts are null then
   */
  public record HistorySize(
      Boolean unread,
      Long transactions,
      Long committed,
      Long aborted,
      Long indeterminate,
      Long operations,
      Long keys,
      Long sessions) {
    private static final HistorySize UNREAD =
        new HistorySize(true, null, null, null, null, null, null, null);

    private static HistorySize of(Totals totals) {
      return new HistorySize(
          null,
          totals.transactions(),
          totals.committed(),
          totals.aborted(),
          totals.indeterminate(),
          totals.operations(),
          totals.keys(),
          totals.sessions());
    }
  }

  /** The verdict on a level; the reason is that of an unknown one. */
  public record LevelVerdict(String verdict, String why, String reason) {
    private static LevelVerdict of(Verdict verdict) {
      String reason = verdict instanceof Verdict.Unknown unknown ? unknown.reason().id() : null;
      return new LevelVerdict(verdict.id(), verdict.why(), reason);
    }
  }

  /** An anomaly that was found. */
  public record FoundAnomaly(
      String type, String name, Long count, Boolean countIsLowerBound, List<String> violates) {
    private static FoundAnomaly of(Anomaly anomaly) {
      return new FoundAnomaly(
          anomaly.type().id(),
          anomaly.type().title(),
          anomaly.count(),
          anomaly.countIsLowerBound(),
          ids(anomaly.violates()));
    }
  }

  /** How long the parts of a check took, and how much heap it used, where that was measured. */
  public record Timing(
      Long parseMillis,
      Long inferMillis,
      Long checkMillis,
      Map<String, Long> stages,
      Long peakHeapBytes) {
    private static final String EXPLAIN = "explain";

    private static Timing of(CheckResult result) {
      Map<String, Long> stages = new LinkedHashMap<>(result.report().stageMillis());
      Long infer = stages.remove("infer");
      long all = stages.values().stream().mapToLong(Long::longValue).sum();
      return new Timing(
          result.parseMillis(),
          infer == null ? 0 : infer,
          all - stages.getOrDefault(JsonRenderer.CERTIFICATE, 0L),
          stages,
          result.peakHeapBytes() < 0 ? null : result.peakHeapBytes());
    }

    /** The time of reading the history. */
    public long readMillis() {
      return orZero(parseMillis);
    }

    /** The time of the check proper: what follows reading and comes before explaining. */
    public long decideMillis() {
      return orZero(inferMillis) + orZero(checkMillis) - explainMillis();
    }

    /** The time of finding witnesses for what was decided. */
    public long explainMillis() {
      return stages == null ? 0 : orZero(stages.get(EXPLAIN));
    }

    private static long orZero(Long millis) {
      return millis == null ? 0 : millis;
    }
  }

  /** Why a history could not be read. */
  public record ReadError(String message, Long line, String expected) {
    /** The error as one sentence. */
    public String describe() {
      return (line == null ? "" : "line " + line + ": ")
          + message
          + (expected == null || expected.isEmpty() ? "" : "; expected " + expected);
    }
  }

  public RunResult {
    strongest = strongest == null ? List.of() : strongest;
    weakestViolated = weakestViolated == null ? List.of() : weakestViolated;
    anomalies = anomalies == null ? List.of() : anomalies;
  }

  /** What a check found. */
  public static RunResult of(CheckResult result) {
    Report report = result.report();
    Map<String, LevelVerdict> levels = new LinkedHashMap<>();
    report.verdicts().forEach((level, verdict) -> levels.put(level.id(), LevelVerdict.of(verdict)));
    return new RunResult(
        result.isUnread() ? HistorySize.UNREAD : HistorySize.of(result.totals()),
        levels,
        result.incomplete(),
        RunCounts.of(result.history(), result.concurrentConflicts()),
        ids(report.strongest()),
        ids(report.weakestViolated()),
        report.anomalies().stream().map(FoundAnomaly::of).toList(),
        Timing.of(result),
        null);
  }

  private static List<String> ids(Iterable<Level> levels) {
    List<String> ids = new ArrayList<>();
    levels.forEach(level -> ids.add(level.id()));
    return ids;
  }

  /** The result without its levels: what a table of runs shows. */
  public RunResult summary() {
    return new RunResult(
        history, null, incomplete, run, strongest, weakestViolated, anomalies, timing, null);
  }
}
