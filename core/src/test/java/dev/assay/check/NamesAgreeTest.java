package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names of anomalies agree with verdicts, and no anomaly hides another one. */
class NamesAgreeTest {
  @Test
  void aStepThatRestsOnReadsIsNoDirtyWrite() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session": 2, "start": 1, "end": 2, "ops": [["r", "x", null]]}
            {"session": 2, "start": 3, "end": 6, "ops": [["w", "x", 2]]}
            {"session": 1, "start": 1, "end": 2, "ops": [["w", "x", 1]]}
            {"session": 2, "start": 7, "end": 8, "ops": [["r", "x", 1]]}
            """);
    assertThat(Lines.types(report)).containsExactly(AnomalyType.G_SINGLE_ITEM_REALTIME);
    assertThat(report.holds(Level.STRONG_READ_UNCOMMITTED)).isTrue();
  }

  @Test
  void aStepThatRestsOnAnotherCycleIsNoFlowOfInformation() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session": 2, "start": 1, "end": 5, "ops": [["w", "x", 1]]}
            {"session": 3, "start": 1, "end": 9, "ops": [["r", "x", 1]]}
            {"session": 3, "start": 10, "end": 12, "ops": [["w", "x", 2]]}
            {"session": 3, "start": 13, "end": 22, "ops": [["r", "x", 1]]}
            """);
    assertThat(report.holds(Level.STRONG_SESSION_ADYA_READ_COMMITTED)).isTrue();
    assertThat(Lines.types(report))
        .contains(AnomalyType.G_SINGLE_ITEM_PROCESS)
        .doesNotContain(AnomalyType.G1C_PROCESS);
  }

  @Test
  void aReadThatMayHaveSeenOneOfTwoIsNoFlowOfInformation() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session": 2, "ops": [["w", "y", 1], ["r", "y", 1], ["r", "y", 1]]}
            {"session": 3, "ops": [["r", "y", 1], ["w", "x", 1], ["r", "y", 1]]}
            {"session": 1, "ops": [["r", "x", 1], ["r", "y", null], ["w", "y", 1]]}
            """);
    assertThat(report.holds(Level.ADYA_READ_COMMITTED)).isTrue();
    assertThat(Lines.types(report))
        .contains(AnomalyType.G_SINGLE_ITEM)
        .doesNotContain(AnomalyType.G1C);
  }

  @Test
  void anOwnWriteBetweenTwoReadsExcusesTheSecond() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session": 1, "ops": [["w", "x", 1]]}
            {"session": 2, "ops": [["r", "x", 1], ["w", "x", 3]]}
            {"session": 3, "ops": [["r", "x", 1], ["w", "x", 2], ["r", "x", 3], ["add", "s", 1]]}
            """);
    assertThat(report.holds(Level.CUT_ISOLATION)).isTrue();
    assertThat(Lines.types(report))
        .contains(AnomalyType.NOT_MY_OWN_WRITE)
        .doesNotContain(AnomalyType.NON_REPEATABLE_READ);
  }

  @Test
  void whatIsCalledCausalIsShownByCausalOrder() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session": 1, "ops": [["w", "x", 1], ["r", "x", 1]]}
            {"session": 1, "ops": [["w", "x", 2], ["r", "x", 2], ["r", "x", 1]]}
            """);
    assertThat(commitSteps(report, AnomalyType.CO_CONFLICT)).isEqualTo(1);
    assertThat(commitSteps(report, AnomalyType.CM_CONFLICT)).isEqualTo(2);
  }

  private static long commitSteps(Report report, AnomalyType type) {
    return anomaly(report, type).witnesses().get(0).edges().stream()
        .filter(edge -> edge.kind() == EdgeKind.CM)
        .count();
  }

  private static Anomaly anomaly(Report report, AnomalyType type) {
    return report.anomalies().stream().filter(a -> a.type() == type).findFirst().orElseThrow();
  }

  @Test
  void writeSkewDoesNotHideAPhantomElsewhere() throws ParseException {
    History history =
        Lines.history(
            """
            {"assay":1,"initial":null}
            {"session":1,"id":1,"ops":[["r","a",null],["w","b",1]]}
            {"session":2,"id":2,"ops":[["r","b",null],["w","a",1]]}
            {"session":3,"id":3,"ops":[["select",{"where":[">","v",10]},[]],["w","c",11]]}
            {"session":4,"id":4,"ops":[["select",{"where":[">","v",10]},[]],["w","d",12]]}
            """);
    String certificate =
        """
        {"key":"a","versions":[1]}
        {"key":"b","versions":[1]}
        {"key":"c","versions":[11]}
        {"key":"d","versions":[12]}
        {"select":"3#0","set":{}}
        {"select":"4#0","set":{}}
        """;
    Given given = new Given(Assumption.DEFAULT, Lines.certificate(certificate, history));
    Report report = Assay.check(history, Level.surveyed(), given, Budget.unlimited());
    assertThat(Lines.types(report)).contains(AnomalyType.G2_ITEM, AnomalyType.G2);
  }

  @Test
  void readSkewDoesNotHideAStaleReadElsewhere() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session": 5, "start": 0, "end": 100, "ops": [["rl", "p", []], ["r", "q", [1]]]}
            {"session": 6, "start": 0, "end": 100, "ops": [["append", "p", 1], ["append", "q", 1]]}
            {"session": 3, "start": 0, "end": 10, "ops": [["append", "u", 1]]}
            {"session": 4, "start": 20, "end": 30, "ops": [["rl", "u", []]]}
            """);
    assertThat(Lines.types(report))
        .contains(AnomalyType.G_SINGLE_ITEM, AnomalyType.G_SINGLE_ITEM_REALTIME);
  }

  @Test
  void aDuplicateWriteDoesNotHideCyclesOfOtherKeys() throws ParseException {
    Report report =
        Lines.check(
            """
            {"session":1,"ops":[["append","d",1]]}
            {"session":2,"ops":[["r","d",[1,1]]]}
            {"session":3,"ops":[["w","x",1],["w","y",1]]}
            {"session":4,"ops":[["w","x",2],["w","y",2]]}
            {"session":5,"ops":[["r","x",1],["r","y",2]]}
            """);
    assertThat(Lines.types(report))
        .contains(AnomalyType.DUPLICATE_WRITE, AnomalyType.G_SINGLE_ITEM);
  }

  @Test
  void aStaleReadOfWhatALoaderWroteIsAnInitialRead() throws ParseException {
    String text = "w(1,0,0,0)\nw(1,1,0,1)\nw(2,1,0,1)\nr(1,0,0,2)\n";
    History history = Formats.read(Input.of("h.txt", text.getBytes(StandardCharsets.UTF_8)));
    Report report = Assay.check(history, List.of(Level.CAUSAL), Budget.unlimited());
    assertThat(Lines.types(report))
        .contains(AnomalyType.FRACTURED_READ_CO, AnomalyType.INITIAL_READ);
    Evidence evidence = anomaly(report, AnomalyType.FRACTURED_READ_CO).witnesses().get(0);
    assertThat(evidence.c4()).isEqualTo("k, j");
  }

  @Test
  void cyclicCausalityDoesNotHideThePatternsInsideIt() throws ParseException {
    String text =
        """
        r(9,9,0,0)
        w(1,1,0,0)
        r(1,1,1,1)
        w(1,2,1,1)
        w(2,2,1,1)
        r(2,2,2,2)
        r(1,1,2,2)
        w(9,9,2,2)
        """;
    History history = Formats.read(Input.of("h.txt", text.getBytes(StandardCharsets.UTF_8)));
    Report report = Assay.check(history, List.of(Level.CAUSAL), Budget.unlimited());
    assertThat(Lines.types(report))
        .contains(AnomalyType.CYCLIC_CAUSALITY, AnomalyType.NON_MONOTONIC_READ_CO);
    Anomaly found = anomaly(report, AnomalyType.NON_MONOTONIC_READ_CO);
    assertThat(found.count()).isEqualTo(1);
    assertThat(found.countIsLowerBound()).isFalse();
  }
}
