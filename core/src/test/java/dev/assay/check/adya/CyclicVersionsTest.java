package dev.assay.check.adya;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.RegisterVersions;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.DotRenderer;
import dev.assay.render.JsonRenderer;
import dev.assay.render.TextRenderer;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Circles of versions as anomalies that can be told. */
class CyclicVersionsTest {
  private final HistoryBuilder b = new HistoryBuilder();

  private void begin(long start, long end) {
    int txn = b.begin(b.session("s" + b.transactionCount()), Outcome.COMMITTED);
    b.id(txn, b.scalars().of("T" + (txn + 1)));
    b.start(txn, start);
    b.end(txn, end);
  }

  private String told() throws IOException {
    History history = b.build();
    Given given = new Given(Set.of(Assumption.LINEARIZABLE_KEYS), VersionCertificate.NONE);
    RegisterVersions versions = new RegisterVersions(history, ReadsFrom.of(history), given);
    List<Anomaly> anomalies =
        CyclicVersions.anomalies(history, given, AnomalyType.CYCLIC_VERSIONS, versions.cycles(), 3);
    assertThat(anomalies).hasSize(1);
    assertThat(anomalies.get(0).violates()).contains(Level.READ_UNCOMMITTED);
    Verdict violated = new Verdict.Violated(List.of(AnomalyType.CYCLIC_VERSIONS), "circle");
    Report report =
        new Report(
            history, Map.of(Level.READ_UNCOMMITTED, violated), anomalies, List.of(), Map.of());
    CheckResult result =
        new CheckResult("a.jsonl", report, List.of(Level.READ_UNCOMMITTED), false, 1, -1);
    StringBuilder out = new StringBuilder();
    new JsonRenderer("1.0", out).render(result);
    DotRenderer dot = new DotRenderer(out);
    dot.add(result);
    dot.finish();
    assertThat(out).isNotEmpty();
    StringBuilder text = new StringBuilder();
    new TextRenderer(TextRenderer.Options.full(false, 1, true, true), text).render(result);
    return text.toString();
  }

  @Test
  void aStaleReadAgainstRealTimeNamesTheTransactionsWhoseTimesDisagree() throws IOException {
    begin(1, 2);
    b.write("x", 1);
    begin(3, 4);
    b.write("x", 2);
    begin(5, 6);
    b.read("x", 1);
    assertThat(told())
        .contains("error[cyclic-versions]")
        .contains("T1 ended before T2 began")
        .contains("T2 ended before T3 began");
  }

  @Test
  void aLateReadOfTheInitialVersionIsACircleThroughTheBeginning() throws IOException {
    begin(1, 2);
    b.write("x", 1);
    begin(3, 4);
    b.read("x", null);
    assertThat(told()).contains("T1 ended before T2 began");
  }
}
