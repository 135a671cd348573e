package dev.assay.check;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.explain.Explainer;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Predicate histories of which nothing is known but what clients saw. */
class PredicateCheckTest {
  @Test
  void aPhantomIsFoundWithoutACertificate() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["select",{"where":["<","v",9]},[]],["w","x",1]]}
            {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[]],["w","y",2]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.G2);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.REPEATABLE_READ)).isFalse();
  }

  @Test
  void aSerialOrderThatExplainsEveryResultIsFound() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["select",{"where":["<","v",9]},[]],["w","x",1]]}
            {"session":2,"id":"B","ops":[["select",{"select":["min","v"]},1],["w","y",2]]}
            {"session":3,"id":"C","ops":[["select",{"select":["count"]},2]]}
            """);
    assertThat(types(report)).isEmpty();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.CAUSAL)).isTrue();
  }

  /** Rows come one by one, and who counts them adds one too. */
  private static String counting(int writers, int... counts) {
    String write = "{'session':%d,'ops':[['w','x%d',1]]}%n";
    String count = "{'session':'c%d','ops':[['select',{'select':['count']},%d],['w','y%d',1]]}%n";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < writers; i++) {
      text.append(write.formatted(i, i));
    }
    for (int i = 0; i < counts.length; i++) {
      text.append(count.formatted(i, counts[i], i));
    }
    return text.toString().replace('\'', '"');
  }

  @Test
  void countsThatNoOrderGivesTogetherAreFound() throws ParseException {
    assertThat(check(counting(2, 1, 3)).holds(Level.SERIALIZABLE)).isTrue();
    Report report = check(counting(2, 1, 1));
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    Evidence evidence = report.anomalies().get(0).witnesses().get(0);
    assertThat(evidence.operations()).hasSize(2);
    assertThat(
            new Explainer(report.history()).explain(report.anomalies().get(0), evidence).headline())
        .endsWith(": no order of the transactions explains both");
    assertThat(check(counting(2, 5)).violated(Level.SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void aRowThatLacksAColumnLeavesLevelsOpen() throws ParseException {
    Report report =
        check(
            """
            {"assay":1,"metadata":{"columns":"val,ver"}}
            {"session":1,"id":"A","ops":[["w","x",{"vector":[1]}]]}
            {"session":2,"id":"B","ops":[["select",{"where":["=","ver",2]},[]]]}
            """);
    assertThat(report.verdict(Level.SERIALIZABLE).id()).isEqualTo("unknown");
    assertThat(report.notes()).anyMatch(note -> note.contains("columns, not 2 (val, ver)"));
  }

  @Test
  void ofManyTransactionsOnlySomeOrdersAreTried() throws ParseException {
    assertThat(check(counting(20, 20, 21)).holds(Level.SERIALIZABLE)).isTrue();
    Report report = check(counting(20, 7, 7));
    assertThat(report.holds(Level.SERIALIZABLE)).isFalse();
    assertThat(report.violated(Level.SERIALIZABLE)).isFalse();
  }

  @Test
  void aRowThatComesAndGoesWithinATransactionIsReadSkew() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["w","x",1]]}
            {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[]],["r","x",1]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.G_SINGLE);
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.READ_COMMITTED)).isFalse();
  }

  @Test
  void aRowThatDoesNotFitTheConditionIsAMismatch() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["w","x",11]]}
            {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[["x",11]]]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.RESULT_SET_MISMATCH);
  }

  @Test
  void aRowThatIsSelectedTwiceIsAMismatch() throws ParseException {
    String twice =
        """
        {"session":1,"id":"A","ops":[["w","x",1]]}
        {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[["x",1],["x",1]]]]}
        """;
    assertThat(types(check(twice))).containsExactly(AnomalyType.RESULT_SET_MISMATCH);
    String certificate =
        """
        {"key":"x","versions":[1]}
        {"select":"B#0","set":{"x":1}}
        """;
    assertThat(types(certified(twice, certificate)))
        .containsExactly(AnomalyType.RESULT_SET_MISMATCH);
  }

  @Test
  void whatATransactionOfUnknownOutcomeMayHaveDoneIsHeldAgainstNobody() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["w","x",1]]}
            {"session":1,"id":"D","outcome":"indeterminate","ops":[["w","x",null]]}
            {"session":2,"id":"B","ops":[["r","y",null],["select",{"where":["<","v",9]},[]]]}
            {"session":1,"id":"C","ops":[["w","y",20]]}
            """);
    assertThat(types(report)).isEmpty();
  }

  @Test
  void aPhantomIsToldInWords() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["select",{"where":["<","v",9]},[]],["w","x",1]]}
            {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[]],["w","y",2]]}
            """);
    Anomaly phantom = report.anomalies().get(0);
    assertThat(
            new Explainer(report.history())
                .explain(phantom, phantom.witnesses().get(0)).steps().stream()
                    .map(step -> step.sentence())
                    .toList())
        .containsExactly(
            "A selected v < 9 -> {}, without seeing y = 2, which B wrote",
            "B selected v < 9 -> {}, without seeing x = 1, which A wrote");
  }

  @Test
  void aPhantomViolatesNoLevelThatAllowsIt() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","ops":[["select",{"where":["<","v",9]},[]],["w","x",1]]}
            {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[]],["w","y",2]]}
            """);
    Evidence phantom = report.anomalies().get(0).witnesses().get(0);
    assertThat(phantom.refutes()).isIn(null, Level.SERIALIZABLE);
  }

  @Test
  void anUpdateOfAnotherVersionThanWasReadIsToldWithoutGuessingWhichCameFirst()
      throws ParseException {
    Report report =
        check(
            """
            {"assay":1,"metadata":{"columns":"val,ver"}}
            {"session":1,"id":"A","ops":[["w","x",{"vector":[14,1]}]]}
            {"session":2,"id":"B","ops":[["w","x",{"vector":[54,2]}]]}
            {"session":3,"id":"C","ops":[["r","x",{"vector":[14,1]}],["update",\
            {"where":["=","k",{"text":"x"}],"set":{"val":["+","val",1],"ver":3}},\
            [["x",{"vector":[55,3]}]]]]}
            """);
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
    Anomaly anomaly = report.anomalies().get(0);
    Evidence evidence = anomaly.witnesses().get(0);
    assertThat(evidence.edges()).isEmpty();
    assertThat(new Explainer(report.history()).explain(anomaly, evidence).headline())
        .endsWith("and read x = [14, 1]: no version of x explains both");
  }

  private static Report certified(String lines, String certificate) throws ParseException {
    History history = Lines.history(lines);
    Given given = new Given(Assumption.DEFAULT, Lines.certificate(certificate, history));
    return Assay.check(history, Level.surveyed(), given, Budget.unlimited());
  }

  private static final String INSERTED_TWICE =
      """
      {"session":1,"id":"A","snapshot":2,"commitTs":17,"start":1,"end":9,\
      "ops":[["select",{"where":[">=","v",0]},[]],["w","x",2]]}
      {"session":2,"id":"B","snapshot":11,"commitTs":12,"start":2,"end":3,"ops":[["w","x",3]]}
      """;

  @Test
  void ordersThatAreAssumedCountForPredicatesToo() throws ParseException {
    assertThat(check(INSERTED_TWICE).holds(Level.SERIALIZABLE)).isTrue();
    Given timestamps = new Given(Set.of(Assumption.TIMESTAMPS), VersionCertificate.NONE);
    Report report =
        Assay.check(
            Lines.history(INSERTED_TWICE), Level.surveyed(), timestamps, Budget.unlimited());
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void partOfACertificateLeavesNothingOpenThatIsDecidedWithoutIt() throws ParseException {
    String phantom =
        """
        {"session":1,"id":"A","ops":[["select",{"where":["<","v",9]},[]],["w","x",1]]}
        {"session":2,"id":"B","ops":[["select",{"where":["<","v",9]},[]],["w","y",2]]}
        """;
    Report report = certified(phantom, "{\"key\":\"x\",\"versions\":[1]}");
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.STRONG_SESSION_SNAPSHOT_ISOLATION)).isTrue();
    // An order of versions that none of the orders has that explain the results.
    Report refused = certified(INSERTED_TWICE, "{\"key\":\"x\",\"versions\":[3,2]}");
    assertThat(refused.violated(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void whatWasCommittedBeforeIsReadCommittedAlsoWhereItWasAcknowledgedLater()
      throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"A","start":0,"end":9,"ops":[["w","x",4],["w","y",7]]}
            {"session":2,"id":"B","start":1,"end":5,"ops":[\
            ["update",{"set":{"v":["+","v",1]}},[["x",5]]],\
            ["select",{"select":["max","v"]},7],["select",{"select":["count"]},2]]}
            {"session":3,"id":"C","start":2,"end":4,"ops":[\
            ["w","x",11],["select",{"select":["min","v"]},7]]}
            {"session":3,"id":"D","start":6,"end":8,"ops":[["select",{"where":["=","v",7]},[]]]}
            """);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.STRONG_ADYA_READ_COMMITTED)).isTrue();
  }

  @Test
  void aResultThatNoCommittedRowGivesLeavesReadCommittedOpen() throws ParseException {
    String write = "{\"session\":1,\"ops\":[[\"w\",\"x\",4]]}%n".formatted();
    for (String result :
        new String[] {
          "[\"update\",{\"set\":{\"v\":[\"+\",\"v\",1]}},[[\"x\",6]]]",
          "[\"select\",{\"select\":[\"max\",\"v\"]},5]",
          "[\"select\",{\"select\":[\"sum\",\"v\"]},5]",
          "[\"select\",{\"select\":[\"count\"]},2]"
        }) {
      Report report = check(write + "{\"session\":2,\"ops\":[" + result + "]}");
      assertThat(report.holds(Level.ADYA_READ_COMMITTED)).as(result).isFalse();
      assertThat(report.holds(Level.READ_UNCOMMITTED)).as(result).isTrue();
    }
  }

  /** One after another, but every second one learned late that it had committed. */
  @Test
  void anOrderThatKeepsToRealTimeIsFoundAmongManyVersions() throws ParseException {
    StringBuilder text = new StringBuilder();
    int least = 1_000;
    for (int i = 0; i < 60; i++) {
      int key = i % 3;
      text.append(
          """
          {"session":%d,"start":%d,"end":%d,"ops":[["select",{"where":["=","v",%d]},[]],\
          %s["w","x%d",%d]]}
          """
              .formatted(
                  i % 4,
                  10 * i,
                  10 * i + 15 + (i % 2 == 0 ? 12 : 0),
                  1_000 - i,
                  i < 3 ? "" : "[\"select\",{\"select\":[\"min\",\"v\"]},%d],".formatted(least),
                  key,
                  1_000 - i));
      least = 1_000 - i;
    }
    Report report = check(text.toString());
    assertThat(types(report)).isEmpty();
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  @Test
  void aPhantomBesideUpdatesIsRepeatableReadWhereTheyChangedTheLatestRows() throws ParseException {
    String history =
        """
        {"session":1,"id":"L","ops":[["w","x",1]]}
        {"session":2,"id":"A","ops":[["select",{"where":["<","v",5]},[["x",1]]],\
        ["select",{"where":["<","v",5]},[["x",1],["y",2]]]]}
        {"session":3,"id":"B","ops":[["w","y",2]]}
        {"session":4,"id":"U","ops":[["update",{"where":["=","v",1],"set":{"v":21}},[["x",21]]]]}
        """;
    Report report = Lines.check(history);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.violated(Level.CONSISTENT_VIEW)).isTrue();
    assertThat(report.holds(Level.STRONG_SESSION_REPEATABLE_READ)).isTrue();
    // Both changed the first version of x, so one of them did not see the other's.
    String lost =
        """
        {"session":5,"id":"V","ops":[["update",{"where":["=","v",1],"set":{"v":31}},[["x",31]]]]}
        """;
    assertThat(Lines.check(history + lost).holds(Level.REPEATABLE_READ)).isFalse();
  }
}
