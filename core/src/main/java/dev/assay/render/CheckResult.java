package dev.assay.render;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The report on one input and what a renderer needs beside it.
 *
 * @param file the input as the user named it
 * @param report what was found
 * @param judged the levels that decide between success and failure
 * @param survey whether the whole lattice was asked for, so that the strongest levels are the news
 * @param parseMillis how long reading took
 * @param peakHeapBytes the most heap in use at any time, or −1 where it was not measured
 */
public record CheckResult(
    String file,
    Report report,
    List<Level> judged,
    boolean survey,
    long parseMillis,
    long peakHeapBytes) {
  /** Metadata under names that start so are remarks of the reader for the user. */
  private static final String NOTE_PREFIX = "note.";

  public CheckResult {
    judged = List.copyOf(judged);
  }

  public History history() {
    return report.history();
  }

  /** Whether some judged level is violated. */
  public boolean violated() {
    return judged.stream().anyMatch(report::violated);
  }

  /** Whether some judged level is neither decided to hold nor violated. */
  public boolean unknown() {
    return judged.stream().anyMatch(l -> report.verdict(l) instanceof Verdict.Unknown);
  }

  /** Whether an anomaly is among the reasons for a failure. */
  boolean isJudged(Anomaly anomaly) {
    return judged.stream().anyMatch(j -> anomaly.violates().stream().anyMatch(j::implies));
  }

  /** The judged levels with a verdict of this kind. */
  List<Level> judged(Class<? extends Verdict> kind) {
    List<Level> levels = new ArrayList<>();
    for (Level level : judged) {
      if (kind.isInstance(report.verdict(level))) {
        levels.add(level);
      }
    }
    return levels;
  }

  /** Remarks of the reader, then those of the checkers. */
  public List<String> notes() {
    List<String> notes = notesOf(history());
    notes.addAll(report.notes());
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
