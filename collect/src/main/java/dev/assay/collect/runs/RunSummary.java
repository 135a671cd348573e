package dev.assay.collect.runs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a table of runs shows of a verdict: a small part of the JSON report. */
public final class RunSummary {
  private RunSummary() {}

  /** The part of a JSON report that goes into the state of a run. */
  public static Map<String, Object> of(Map<String, Object> verdict) {
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("history", Json.object(verdict.get("history")));
    if (verdict.get("incomplete") != null) {
      summary.put("incomplete", verdict.get("incomplete"));
    }
    if (verdict.get("run") != null) {
      summary.put("run", Json.object(verdict.get("run")));
    }
    summary.put("strongest", Json.list(verdict.get("strongest")));
    summary.put("weakestViolated", Json.list(verdict.get("weakestViolated")));
    List<Object> anomalies = new ArrayList<>();
    for (Object item : Json.list(verdict.get("anomalies"))) {
      Map<String, Object> anomaly = Json.object(item);
      Map<String, Object> kept = new LinkedHashMap<>();
      for (String field : List.of("type", "name", "count", "countIsLowerBound", "violates")) {
        kept.put(field, anomaly.get(field));
      }
      anomalies.add(kept);
    }
    summary.put("anomalies", anomalies);
    summary.put("timing", Json.object(verdict.get("timing")));
    return summary;
  }

  /** What the exit code of {@code assay check} says about a run. */
  public static RunStatus status(int exitCode) {
    return switch (exitCode) {
      case 0 -> RunStatus.HEALTHY;
      case 1 -> RunStatus.BUGGY;
      case 2 -> RunStatus.UNKNOWN;
      default -> RunStatus.FAILED;
    };
  }
}
