package dev.assay.check;

import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one checker found.
 *
 * @param verdicts its answers, for the levels it could decide
 * @param anomalies what it found; each also settles the levels it violates
 * @param notes remarks for the user
 * @param stages milliseconds by stage, for a checker that has several
 */
public record Findings(
    Map<Level, Verdict> verdicts,
    List<Anomaly> anomalies,
    List<String> notes,
    Map<String, Long> stages) {
  public Findings {
    Map<Level, Verdict> copy = new EnumMap<>(Level.class);
    copy.putAll(verdicts);
    verdicts = copy;
    anomalies = List.copyOf(anomalies);
    notes = List.copyOf(notes);
  }

  public Findings(Map<Level, Verdict> verdicts, List<Anomaly> anomalies, List<String> notes) {
    this(verdicts, anomalies, notes, Map.of());
  }
}
