package dev.assay.render;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Evidence;
import dev.assay.check.LostWrites;
import dev.assay.check.Verdict;
import dev.assay.explain.Cause;
import dev.assay.explain.Causes;
import dev.assay.explain.Explainer;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.OperationPlaces;
import dev.assay.history.History;
import dev.assay.history.RunActivity;
import dev.assay.infer.ConcurrentConflicts;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The report on one input and what a renderer needs beside it.
 *
 * @param file the input as the user named it
 * @param report what was found
 * @param judged the levels that decide between success and failure
 * @param survey whether the whole lattice was asked for, so that the strongest levels are the news
 * @param parseMillis how long reading took
 * @param peakHeapBytes the most heap in use at any time, or −1 where it was not measured
 * @param places where the operations of the witnesses are in the input
 * @param given what was known or assumed beside the history
 * @param forbidden anomalies that mean failure, whatever levels hold
 * @param live what is known from judging it while it was recorded, or null
 */
public record CheckResult(
    String file,
    Report report,
    List<Level> judged,
    boolean survey,
    long parseMillis,
    long peakHeapBytes,
    OperationPlaces places,
    Given given,
    Set<AnomalyType> forbidden,
    LiveFacts live) {
  /** Metadata under names that start so are remarks of the reader for the user. */
  private static final String NOTE_PREFIX = "note.";

  /** The remark on a history that replaces one whose reading was given up. */
  public static final String UNREAD = NOTE_PREFIX + "unread";

  public CheckResult {
    judged = List.copyOf(judged);
    forbidden = Set.copyOf(forbidden);
  }

  /** Whether time ran out before the history was read, so that nothing is known of its size. */
  public boolean isUnread() {
    return history().metadata().containsKey(UNREAD);
  }

  /** A result that knows only where transactions begin. */
  public CheckResult(
      String file,
      Report report,
      List<Level> judged,
      boolean survey,
      long parseMillis,
      long peakHeapBytes) {
    this(
        file,
        report,
        judged,
        survey,
        parseMillis,
        peakHeapBytes,
        OperationPlaces.none(report.history()),
        Given.NOTHING,
        Set.of(),
        null);
  }

  /** This result, found with what else was given. */
  public CheckResult with(Given besides) {
    return new CheckResult(
        file, report, judged, survey, parseMillis, peakHeapBytes, places, besides, forbidden, live);
  }

  /** This result, judged by anomalies too. */
  public CheckResult forbidding(Set<AnomalyType> types) {
    return new CheckResult(
        file, report, judged, survey, parseMillis, peakHeapBytes, places, given, types, live);
  }

  /** This result of a run that was judged while it went on. */
  public CheckResult with(LiveFacts facts) {
    return new CheckResult(
        file, report, judged, survey, parseMillis, peakHeapBytes, places, given, forbidden, facts);
  }

  /** This result with the places of operations, for which the input is read again. */
  public CheckResult locatedIn(Input input) {
    Explainer explainer = new Explainer(history());
    Set<Integer> transactions = new TreeSet<>();
    for (Anomaly anomaly : report.anomalies()) {
      for (Evidence evidence : anomaly.witnesses()) {
        transactions.addAll(explainer.transactions(evidence));
      }
    }
    return new CheckResult(
        file,
        report,
        judged,
        survey,
        parseMillis,
        peakHeapBytes,
        Formats.locate(input, history(), transactions),
        given,
        forbidden,
        live);
  }

  /** The history that the report is about, or the part of it that shows the violations. */
  public History history() {
    return report.history();
  }

  /** The size of what was judged. */
  public Totals totals() {
    return live == null || live.totals() == null ? Totals.of(history()) : live.totals();
  }

  /** Whether some judged level is violated, or a forbidden anomaly was found. */
  public boolean violated() {
    return judged.stream().anyMatch(report::violated) || !forbiddenFound().isEmpty();
  }

  /** The forbidden anomalies that were found. */
  public List<AnomalyType> forbiddenFound() {
    return report.anomalies().stream().map(Anomaly::type).filter(forbidden::contains).toList();
  }

  /** The forbidden anomalies that were not looked for to the end, for lack of time or memory. */
  public List<AnomalyType> forbiddenUnknown() {
    List<AnomalyType> types = new ArrayList<>(new TreeSet<>(forbidden));
    types.removeAll(forbiddenFound());
    types.removeIf(type -> Level.minimal(type.forbiddenBy()).stream().noneMatch(this::ranOut));
    return types;
  }

  private boolean ranOut(Level level) {
    return report.verdicts().get(level) instanceof Verdict.Unknown unknown
        && (unknown.reason() == Verdict.Reason.TIMEOUT
            || unknown.reason() == Verdict.Reason.MEMORY);
  }

  /**
   * Whether some judged level is neither decided to hold nor violated, or a violation could not
   * have shown.
   */
  public boolean unknown() {
    return incomplete() != null
        || !judged(Verdict.Unknown.class).isEmpty()
        || !forbiddenUnknown().isEmpty();
  }

  /** What the last look at a database could not read, and why; null where nothing is missing. */
  public String incomplete() {
    return history().metadata().get(History.UNREAD_IN_THE_END);
  }

  /** Whether an anomaly is among the reasons for a failure. */
  public boolean isJudged(Anomaly anomaly) {
    return forbidden.contains(anomaly.type())
        || judged.stream().anyMatch(j -> anomaly.violates().stream().anyMatch(j::implies));
  }

  /** The judged levels with a verdict of this kind. */
  public List<Level> judged(Class<? extends Verdict> kind) {
    List<Level> levels = new ArrayList<>();
    for (Level level : judged) {
      if (kind.isInstance(report.verdict(level))) {
        levels.add(level);
      }
    }
    return levels;
  }

  /** The unknown ones among some levels by reason, in the order of the report. */
  public Map<String, List<Level>> unknownByReason(Predicate<Level> which) {
    Map<String, List<Level>> levels = new LinkedHashMap<>();
    report
        .verdicts()
        .forEach(
            (level, verdict) -> {
              if (verdict instanceof Verdict.Unknown && which.test(level)) {
                levels.computeIfAbsent(verdict.why(), why -> new ArrayList<>()).add(level);
              }
            });
    return levels;
  }

  /** The anomalies, those first that are among the reasons for a failure. */
  public List<Anomaly> byRelevance() {
    List<Anomaly> anomalies = new ArrayList<>(report.anomalies());
    anomalies.sort(Comparator.comparing(anomaly -> !isJudged(anomaly)));
    return anomalies;
  }

  /** What was found, one for each cause, those that decide first. */
  public List<Cause> causes() {
    return Causes.of(new Explainer(history()), report.anomalies(), this::isJudged);
  }

  /** How much a recorded run could have shown; null for a history that is not one. */
  public ConcurrentConflicts concurrentConflicts() {
    if (live != null && live.totals() != null) {
      return live.conflicts();
    }
    boolean recorded = history().metadata().containsKey(History.RUN + "sessionsRun");
    return recorded && history().hasTimes() ? ConcurrentConflicts.of(history()) : null;
  }

  /** What the transactions of a recorded run did over time; null for a history that is not one. */
  public RunActivity activity() {
    if (!history().metadata().containsKey(History.RUN + "sessionsRun")) {
      return null;
    }
    boolean part = live != null && live.totals() != null;
    RunActivity activity = part ? live.activity() : RunActivity.of(history());
    return activity == null || activity.isEmpty() ? null : activity;
  }

  /** The acknowledged writes that are missing in the end; null if there are none. */
  public LostWrites.Lost lost() {
    boolean part = live != null && live.totals() != null;
    return part ? live.lost() : LostWrites.lost(history());
  }

  /** Remarks of the reader, then those of the checkers, then how little a success rests on. */
  public List<String> notes() {
    List<String> notes = notesOf(history());
    notes.addAll(report.notes());
    ConcurrentConflicts concurrentConflicts =
        violated() || unknown() ? null : concurrentConflicts();
    if (concurrentConflicts != null && concurrentConflicts.areFew()) {
      notes.add(
          "this rests on %s; %s overlapped in time on a key that one of them wrote:"
                  .formatted(
                      Plain.count(concurrentConflicts.committed(), "committed transaction"),
                      Plain.count(concurrentConflicts.pairs(), "pair"))
              + " little could go wrong; run longer, with more sessions or with fewer keys");
    }
    return notes;
  }

  /** The remarks of the reader of a history. */
  public static List<String> notesOf(History history) {
    List<String> notes = new ArrayList<>();
    for (Map.Entry<String, String> entry : history.metadata().entrySet()) {
      if (entry.getKey().startsWith(NOTE_PREFIX)) {
        notes.add(entry.getValue());
      }
    }
    return notes;
  }
}
