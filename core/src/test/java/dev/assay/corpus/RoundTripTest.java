package dev.assay.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Stats;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every history at hand, through every format that can express it, comes back with the same
 * statistics and the same verdicts; what a format cannot express it names.
 */
class RoundTripTest {
  @Test
  void convertingChangesNeitherStatisticsNorVerdicts() throws Exception {
    Map<String, Integer> trips = new LinkedHashMap<>();
    for (Path path : Corpus.histories()) {
      History history = Assay.read(path);
      Object expected = null;
      for (HistoryFormat format : Formats.all()) {
        if (!format.isWritable() || !format.losses(history).isEmpty()) {
          continue;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        format.write(history, out);
        Input input = Input.of("copy", out.toByteArray());
        assertThat(Formats.detect(input)).as("format of %s", path).contains(format);
        History copy = Formats.read(input);
        expected = expected == null ? facts(history) : expected;
        assertThat(facts(copy)).as("%s as %s", path, format.id()).isEqualTo(expected);
        trips.merge(format.id(), 1, Integer::sum);
      }
    }
    assertThat(trips.keySet())
        .contains("plume-text", "dbcop", "awdit-test", "jepsen-edn", "jepsen-json");
    assertThat(trips.keySet()).contains("assay", "assay-jsonl");
  }

  /** What must survive: counts, and for every level and anomaly the answer. */
  private static Map<String, Object> facts(History history) {
    Stats stats = Stats.of(history);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("transactions", history.transactionCount());
    facts.put("sessions", history.sessionCount());
    facts.put("keys", history.keys().count());
    for (OpKind kind : OpKind.values()) {
      facts.put(kind.name(), stats.operations(kind));
    }
    facts.put("initial", stats.initialReads());
    facts.put("never written", stats.versionsNeverWritten());
    facts.put("never read", stats.versionsNeverRead());
    facts.put("duplicates", stats.duplicateVersions());
    Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
    Map<Level, String> verdicts = new EnumMap<>(Level.class);
    report.verdicts().forEach((level, verdict) -> verdicts.put(level, verdict.id()));
    facts.put("verdicts", verdicts);
    Map<AnomalyType, Long> anomalies = new EnumMap<>(AnomalyType.class);
    // What is one argument among many may be another one where transactions stand otherwise.
    report.anomalies().stream()
        .filter(anomaly -> !anomaly.countIsLowerBound())
        .forEach(anomaly -> anomalies.put(anomaly.type(), anomaly.count()));
    facts.put("anomalies", anomalies);
    return facts;
  }
}
