package dev.assay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.level.Level;
import dev.assay.render.plot.LatencyPlot;
import dev.assay.render.plot.ThroughputPlot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said first of a run with faults. */
class RunNewsTest {
  private static final String BEGIN =
      "{\"assay\":1,\"metadata\":{\"final-session\":\"f\",\"run.sessionsRun\":\"2\"";

  private static final String LOST =
      """
      {"session":"0","start":1000000000,"end":1200000000,"ops":[["append","x",1]]}
      {"session":"0","start":6000000000,"end":6200000000,"ops":[["append","x",2]]}
      {"session":"0","start":7000000000,"end":8400000000,"ops":[["append","x",3]]}
      {"session":"1","start":9000000000,"end":9100000000,"ops":[["r","x",[1]]]}
      {"session":"f","start":10000000000,"end":10100000000,"ops":[["r","x",[1]]]}
      """;

  @Test
  void lostWritesAreCountedWithTheirTimesAndThePromotion() throws ParseException {
    RunNews news =
        news(
            ",\"fault.1\":\"partition of replica 1 at 5000000000 ns\""
                + ",\"fault.1.end\":\"partition of replica 1 until 8500000000 ns\""
                + ",\"fault.2\":\"failover of primary at 8450000000 ns\"",
            LOST);
    assertThat(news.lostWrites())
        .isEqualTo(
            "2 acknowledged writes were lost, acknowledged between 5.2 s and 7.4 s, at the"
                + " promotion of replica 1.");
  }

  @Test
  void withoutAPromotionTheFaultIsNamedThatOverlaps() throws ParseException {
    RunNews news =
        news(
            ",\"fault.1\":\"kill of a at 1000000000 ns\""
                + ",\"fault.1.end\":\"kill of a until 2000000000 ns\""
                + ",\"fault.2\":\"pause of node 2 at 6100000000 ns\""
                + ",\"fault.2.end\":\"pause of node 2 until 7000000000 ns\"",
            LOST);
    assertThat(news.lostWrites()).endsWith("7.4 s, during the pause of node 2.");
    assertThat(news.availability())
        .hasSize(2)
        .first()
        .asString()
        .isEqualTo(
            "kill of a, 0.0 s to 1.0 s: available 10 % of the time, 1 committed a second (0 without"
                + " faults)");
  }

  @Test
  void withoutFaultsNoneIsNamed() throws ParseException {
    assertThat(news("", LOST).lostWrites()).endsWith("between 5.2 s and 7.4 s.");
    String all = LOST.replace("[1]", "[1,2,3]");
    assertThat(news("", all).lostWrites()).isEmpty();
  }

  @Test
  void plotsShadeFaultsAndSayTheirNumbers() throws ParseException {
    String name = "pause of <b>";
    RunNews news = news(",\"fault.1\":\"" + name + " at 6100000000 ns\"", LOST);
    String latency = new LatencyPlot(news.activity(), news.faults()).svg();
    assertThat(latency).contains("pause of &lt;b&gt;").doesNotContain(name);
    assertThat(latency).contains("transactions that only read", "transactions that write");
    String csv = new ThroughputPlot(news.activity(), news.faults()).csv();
    assertThat(csv.lines().skip(1).mapToInt(line -> Integer.parseInt(line.split(",")[1])).sum())
        .isEqualTo(4);
  }

  private static RunNews news(String metadata, String lines) throws ParseException {
    byte[] bytes = (BEGIN + metadata + "}}\n" + lines).getBytes(StandardCharsets.UTF_8);
    Report report =
        Assay.check(Formats.read(Input.of("test", bytes)), Level.surveyed(), Budget.unlimited());
    return RunNews.of(new CheckResult("test", report, List.of(), true, 0, -1));
  }
}
