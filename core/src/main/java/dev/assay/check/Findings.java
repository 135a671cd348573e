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
 */
public record Findings(Map<Level, Verdict> verdicts, List<Anomaly> anomalies, List<String> notes) {
  public Findings {
    Map<Level, Verdict> copy = new EnumMap<>(Level.class);
    copy.putAll(verdicts);
    verdicts = copy;
    anomalies = List.copyOf(anomalies);
    notes = List.copyOf(notes);
  }
}
