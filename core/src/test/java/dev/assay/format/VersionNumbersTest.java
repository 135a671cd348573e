package dev.assay.format;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.history;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.history.History;
import dev.assay.history.Versioned;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of versions beside values: how they are written down, and what they show. */
class VersionNumbersTest {
  private static final String EVERY_FORM =
      """
      {"session":1,"ops":[["w","x",{"value":1,"version":2}],["w","y",{"value":null,"version":-7}]]}
      {"session":2,"ops":[["cas","x",{"value":1,"version":2},{"version":3,"value":"a"},true]]}
      {"session":1,"ops":[["r","x",{"value":"a","version":3}],["r","x","a"],["r","y"]]}
      """;

  private static List<String> texts(History history) {
    List<String> texts = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      texts.add(history.text(op));
    }
    return texts;
  }

  @Test
  void theyAreBesideTheValuesOfReadsAndWrites() throws ParseException {
    History history = history(EVERY_FORM);
    assertThat(texts(history))
        .containsExactly(
            "write x 1 (version 2)",
            "write y nil (version -7)",
            "read x -> 1 (version 2)",
            "write x a (version 3)",
            "read x -> a (version 3)",
            "read x -> a",
            "read y -> ?");
    assertThat(history.values().get(history.value(0))).isEqualTo(new Versioned(1L, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"assay-jsonl", "assay", "parquet"})
  void theyAreKeptByFormatsThatKeepEverything(String format) throws Exception {
    History history = history(EVERY_FORM);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Formats.byId(format).orElseThrow().write(history, bytes);
    History again = Formats.read(Input.of("again", bytes.toByteArray()));
    assertThat(texts(again)).isEqualTo(texts(history));
    assertThat(again.hasVersionNumbers()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plume-text", "dbcop", "awdit-test", "jepsen-edn", "jepsen-json"})
  void otherFormatsSayThatTheyCannotKeepThem(String format) throws Exception {
    History history = history("{\"session\":1,\"ops\":[[\"w\",1,{\"value\":1,\"version\":2}]]}");
    assertThat(Formats.byId(format).orElseThrow().losses(history)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"w\",\"x\",{\"value\":1}]",
        "[\"w\",\"x\",{\"version\":1}]",
        "[\"w\",\"x\",{\"value\":1,\"version\":1.5}]",
        "[\"w\",\"x\",{\"value\":1,\"version\":null}]",
        "[\"w\",\"x\",{\"value\":1,\"version\":9223372036854775808}]",
        "[\"w\",\"x\",{\"value\":1,\"version\":1,\"more\":1}]",
        "[\"w\",\"x\",{\"value\":1,\"value\":1,\"version\":1}]",
        "[\"w\",\"x\",{\"value\":{\"value\":1,\"version\":1},\"version\":1}]",
        "[\"w\",\"x\",{\"vector\":[{\"value\":1,\"version\":1}]}]",
        "[\"w\",{\"value\":1,\"version\":1},1]",
        "[\"r\",\"x\",{\"not\":{\"value\":1,\"version\":1}}]",
        "[\"cas\",\"x\",{\"value\":1,\"version\":1},2,false]",
        "[\"append\",\"x\",{\"value\":1,\"version\":1}]",
        "[\"add\",\"x\",{\"value\":1,\"version\":1}]",
        "[\"w\",\"x\",{\"value\":1,\"version\":1}],[\"select\",{\"where\":[\"=\",\"v\",1]},[]]"
      })
  void whatIsNotOneIsRefused(String op) {
    assertThatThrownBy(() -> history("{\"session\":1,\"ops\":[" + op + "]}"))
        .isInstanceOf(ParseException.class);
  }

  /** Without the numbers, x was 1 when it was read. */
  @Test
  void aReadOfAnOldVersionIsToldFromOneOfANewVersionWithTheSameValue() throws ParseException {
    String lines =
        """
        {"session":1,"ops":[["w","x",{"value":1,"version":1}]]}
        {"session":1,"ops":[["w","x",{"value":1,"version":2}]]}
        {"session":1,"ops":[["r","x",{"value":1,"version":%d}]]}
        """;
    assertThat(check(lines.formatted(2)).holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    assertThat(check(lines.formatted(1)).violated(Level.READ_YOUR_WRITES)).isTrue();
  }

  /** Blind writes, whose order only the numbers tell. */
  @Test
  void theyOrderWritesThatNobodyRead() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w",1,{"value":1,"version":1}],["w",2,{"value":1,"version":2}]]}
            {"session":2,"ops":[["w",1,{"value":2,"version":2}],["w",2,{"value":2,"version":1}]]}
            """);
    assertThat(report.violated(Level.READ_UNCOMMITTED)).isTrue();
    assertThat(report.shows(AnomalyType.G0)).isTrue();
    Anomaly shown = report.anomalies().get(0);
    Explanation text = new Explainer(report.history()).explain(shown, shown.witnesses().get(0));
    assertThat(text.toString()).contains("because the version numbers say so");
  }

  @Test
  void aTransactionThatReadsAVersionAndWritesAnOlderOneIsACycle() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w",1,{"value":1,"version":5}]]}
            {"session":2,"ops":[["r",1,{"value":1,"version":5}],["w",1,{"value":2,"version":3}]]}
            """);
    assertThat(report.holds(Level.READ_UNCOMMITTED)).isTrue();
    assertThat(report.shows(AnomalyType.G1C)).isTrue();
  }

  @Test
  void aValueThatTheVersionDoesNotHaveIsAThinAirRead() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w","x",{"value":1,"version":1}]]}
            {"session":2,"ops":[["r","x",{"value":2,"version":1}]]}
            """);
    assertThat(report.shows(AnomalyType.THIN_AIR_READ)).isTrue();
    assertThat(ConditionalOperationsTest.headline(report))
        .endsWith("read x = 2 (version 1), but T1/#1 wrote x = 1 (version 1)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plume-text", "dbcop", "awdit-test", "chronos", "jepsen-edn"})
  void otherFormatsLoseTheNumbersAndNothingElse(String id) throws Exception {
    HistoryFormat format = Formats.byId(id).orElseThrow();
    History numbered =
        history(
            """
            {"session":1,"ops":[["w",1,{"value":5,"version":7}],["r",2,{"value":null,"version":0}]]}
            {"session":2,"ops":[["r",1,{"value":5,"version":7}],["w",2,{"value":6,"version":1}]]}
            """);
    History plain =
        history(
            """
            {"session":1,"ops":[["w",1,5],["r",2,null]]}
            {"session":2,"ops":[["r",1,5],["w",2,6]]}
            """);
    List<String> losses = new ArrayList<>(format.losses(numbered));
    losses.removeAll(format.losses(plain));
    assertThat(losses).containsExactly("4 version numbers");
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    format.write(numbered, written);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    format.write(plain, expected);
    assertThat(written.toByteArray()).isEqualTo(expected.toByteArray());
  }

  /** The number of a write is not always known; a read of it is of the only one there is. */
  @Test
  void aWriteWithoutANumberIsFoundByItsValue() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w","x",1]]}
            {"session":2,"ops":[["r","x",{"value":1,"version":9}]]}
            {"session":2,"ops":[["r","y",{"value":null,"version":0}]]}
            """);
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  @Test
  void versionsWithTheSameNumberHaveNoOrderWhichANoteSays() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w","x",{"value":1,"version":1}]]}
            {"session":2,"ops":[["w","x",{"value":2,"version":1}]]}
            {"session":1,"ops":[["r","x",{"value":2,"version":1}]]}
            {"session":2,"ops":[["w","x",{"value":3,"version":2}]]}
            """);
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    assertThat(report.notes()).anyMatch(note -> note.contains("both wrote version 1 of x"));
  }

  @Test
  void aReadThatMayBeOfSeveralVersionsLeavesOpenWhatNothingElseViolates() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w","x",{"value":1,"version":1}]]}
            {"session":2,"ops":[["w","x",{"value":1,"version":2}]]}
            {"session":3,"ops":[["r","x",1]]}
            """);
    assertThat(report.verdict(Level.SERIALIZABLE)).isInstanceOf(Verdict.Unknown.class);
    assertThat(report.verdict(Level.SERIALIZABLE).why()).contains("no version number");
  }
}
