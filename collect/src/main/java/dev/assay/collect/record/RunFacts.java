package dev.assay.collect.record;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What became of the clients of a run, for the history and for the folder of the run. */
public final class RunFacts {
  private final RunSpec spec;
  private final Tally tally;

  public RunFacts(RunSpec spec, Tally tally) {
    this.spec = spec;
    this.tally = tally;
  }

  /** Counts by name; what went wrong is counted under {@code errors}, by its kind. */
  public Map<String, Object> counts() {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("sessionsAsked", (long) spec.sessions());
    counts.put("sessionsRun", tally.clients());
    counts.put("connections", tally.connections());
    counts.put("connectionsRefused", tally.refusedConnections());
    counts.put("committed", tally.count(Outcome.COMMITTED));
    counts.put("aborted", tally.count(Outcome.ABORTED));
    counts.put("unknown", tally.count(Outcome.INDETERMINATE));
    counts.put("refused", tally.refusals());
    counts.put("retries", tally.retries());
    counts.put("errors", tally.errors());
    return counts;
  }

  /** How many of the sessions asked for never ran, and why; null if all did. */
  public String missing() {
    long missing = spec.sessions() - tally.clients();
    if (missing <= 0) {
      return null;
    }
    String why =
        tally.refusedConnections() == 0
            ? "the run was over before they began"
            : Plain.count(tally.refusedConnections(), "connection") + " could not be made";
    return "%s of %s never ran: %s"
        .formatted(Plain.number(missing), Plain.count(spec.sessions(), "session"), why);
  }

  void record(Recorder recorder) throws IOException {
    for (Map.Entry<String, Object> count : counts().entrySet()) {
      if (count.getValue() instanceof Map<?, ?> errors) {
        for (Map.Entry<?, ?> error : errors.entrySet()) {
          recorder.metadata(History.RUN_ERROR + error.getKey(), error.getValue().toString());
        }
      } else {
        recorder.metadata(History.RUN + count.getKey(), count.getValue().toString());
      }
    }
    if (missing() != null) {
      recorder.metadata("note.sessions", missing());
    }
  }
}
