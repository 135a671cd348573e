package dev.assay.collect.record;

import dev.assay.collect.json.Records;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.infer.ConcurrentConflicts;
import dev.assay.render.Plain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What happened to the clients of a run. The names are those in files: the metadata of the history,
 * the JSON report and the state of the run.
 *
 * @param sessionsAsked clients that were wanted
 * @param sessionsRun clients that got a connection
 * @param unknown transactions of unknown outcome
 * @param refused transactions that the database refused
 * @param retries transactions that were run again
 * @param errors how often each kind of error occurred
 * @param concurrentConflicts pairs of transactions that overlapped in time and met at a key; null
 *     before the history is checked
 */
public record RunCounts(
    Long sessionsAsked,
    Long sessionsRun,
    Long connections,
    Long connectionsRefused,
    Long committed,
    Long aborted,
    Long unknown,
    Long refused,
    Long retries,
    Map<String, Long> errors,
    Long concurrentConflicts,
    Boolean concurrentConflictsIsLowerBound) {
  private static final Pattern COUNT = Pattern.compile("\\d{1,18}");

  public RunCounts {
    errors = errors == null ? Map.of() : errors;
  }

  /** The counts of a run so far. */
  public static RunCounts of(RunSpec spec, Tally tally) {
    return new RunCounts(
        (long) spec.sessions(),
        tally.clients(),
        tally.connections(),
        tally.refusedConnections(),
        tally.count(Outcome.COMMITTED),
        tally.count(Outcome.ABORTED),
        tally.count(Outcome.INDETERMINATE),
        tally.refusals(),
        tally.retries(),
        tally.errors(),
        null,
        null);
  }

  /** The counts that a history has in its metadata; null for one that was not recorded so. */
  public static RunCounts of(History history, ConcurrentConflicts concurrentConflicts) {
    Map<String, Object> counts = new LinkedHashMap<>();
    Map<String, Object> errors = new LinkedHashMap<>();
    history.metadata().forEach((name, text) -> add(name, text, counts, errors));
    if (counts.isEmpty()) {
      return null;
    }
    counts.put("errors", errors);
    if (concurrentConflicts != null) {
      counts.put("concurrentConflicts", concurrentConflicts.pairs());
      counts.put("concurrentConflictsIsLowerBound", concurrentConflicts.isLowerBound());
    }
    return Records.read(RunCounts.class, counts);
  }

  private static void add(
      String name, String text, Map<String, Object> counts, Map<String, Object> errors) {
    if (name.startsWith(History.RUN) && COUNT.matcher(text).matches()) {
      boolean error = name.startsWith(History.RUN_ERROR);
      String own = name.substring((error ? History.RUN_ERROR : History.RUN).length());
      (error ? errors : counts).put(own, Long.parseLong(text));
    }
  }

  /** How many of the sessions never ran, and why; null if all did. */
  public String missing() {
    long missing = sessionsAsked - sessionsRun;
    if (missing <= 0) {
      return null;
    }
    String why =
        connectionsRefused == 0
            ? "the run was over before they began"
            : Plain.count(connectionsRefused, "connection") + " could not be made";
    return "%s of %s never ran: %s"
        .formatted(Plain.number(missing), Plain.count(sessionsAsked, "session"), why);
  }

  /** The errors with their counts, the most frequent first; empty if there were none. */
  public String describeErrors() {
    List<String> texts = new ArrayList<>();
    errors.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            error -> texts.add(Plain.number(error.getValue()) + " x " + named(error.getKey())));
    return String.join(", ", texts);
  }

  /** A kind of error with the name of the SQL state that databases refuse transactions with. */
  public static String named(String kind) {
    return kind.replaceAll("^\\((\\d+)\\)$", "error code $1")
        .replaceAll("\\b(\\w{5}) \\((?:\\1|0)\\)", "$1")
        .replaceAll("\\b40001\\b(?! \\()", "40001 (serialization failure)")
        .replaceAll("\\b40P01\\b(?! \\()", "40P01 (deadlock)")
        .replaceAll("\\b23505\\b(?! \\()", "23505 (duplicate key)");
  }

  void record(Recorder recorder) throws IOException {
    for (Map.Entry<String, Object> count : Records.fields(this).entrySet()) {
      if (count.getValue() instanceof Long number) {
        recorder.metadata(History.RUN + count.getKey(), number.toString());
      }
    }
    for (Map.Entry<String, Long> error : errors.entrySet()) {
      recorder.metadata(History.RUN_ERROR + error.getKey(), error.getValue().toString());
    }
    if (missing() != null) {
      recorder.metadata("note.sessions", missing());
    }
  }
}
