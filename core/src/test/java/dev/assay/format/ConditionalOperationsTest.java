package dev.assay.format;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.history;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.explain.Explainer;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OtherThan;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditional operations: how they are written down, and what they show. */
class ConditionalOperationsTest {
  private static final String EVERY_FORM =
      """
      {"session":1,"ops":[["put-if-absent","x",1,true],["cas","x",1,2,true]]}
      {"session":2,"ops":[["put-if-absent","x",3,false],["cas","x",1,4,false]]}
      {"session":1,"ops":[["delete","x"],["delete","x",false],["delete","y",true]]}
      """;

  private static List<String> texts(History history) {
    List<String> texts = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      texts.add(history.text(op));
    }
    return texts;
  }

  @Test
  void theyAreReadAsTheReadsAndWritesThatTheyConsistOf() throws ParseException {
    assertThat(texts(history(EVERY_FORM)))
        .containsExactly(
            "read x -> nil",
            "write x 1",
            "read x -> 1",
            "write x 2",
            "read x -> something other than nil",
            "read x -> something other than 1",
            "write x nil",
            "read x -> nil",
            "read y -> something other than nil",
            "write y nil");
  }

  @ParameterizedTest
  @ValueSource(strings = {"assay-jsonl", "assay", "parquet"})
  void theyAreKeptByFormatsThatKeepEverything(String format) throws Exception {
    History history = history(EVERY_FORM);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Formats.byId(format).orElseThrow().write(history, bytes);
    History again = Formats.read(Input.of("again", bytes.toByteArray()));
    assertThat(texts(again)).isEqualTo(texts(history));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"cas\",\"x\",1,2]",
        "[\"cas\",\"x\",1,true]",
        "[\"cas\",\"x\",{\"not\":1},2,true]",
        "[\"put-if-absent\",\"x\",1]",
        "[\"delete\"]",
        "[\"delete\",\"x\",1]",
        "[\"w\",\"x\",{\"not\":1}]",
        "[\"r\",\"x\",{\"not\":1,\"or\":2}]",
        "[\"r\",\"x\",{\"not\":{\"not\":1}}]"
      })
  void whatIsNotOneIsRefused(String op) {
    assertThatThrownBy(() -> history("{\"session\":1,\"ops\":[" + op + "]}"))
        .isInstanceOf(ParseException.class);
  }

  /** The register is 1 from the beginning to the end. */
  @Test
  void aFailureThatNoValueExplainsIsAThinAirRead() throws ParseException {
    Report report =
        check(
            """
            {"assay":1,"initial":1}
            {"session":1,"ops":[["cas","x",1,2,false]]}
            """);
    assertThat(report.shows(AnomalyType.THIN_AIR_READ)).isTrue();
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
  }

  /** The first anomaly of a report, in one line. */
  static String headline(Report report) {
    Anomaly shown = report.anomalies().get(0);
    return new Explainer(report.history()).explain(shown, shown.witnesses().get(0)).headline();
  }

  @Test
  void sentencesSayWhatConditionsAndDeletionsFound() throws ParseException {
    assertThat(
            headline(
                check(
                    "{\"assay\":1,\"initial\":1}\n"
                        + "{\"session\":1,\"ops\":[[\"cas\",\"x\",1,2,false]]}\n")))
        .endsWith("T1/#1 compared x with 1, which it was not, but nothing else was ever there");
    assertThat(headline(check("{\"session\":1,\"ops\":[[\"put-if-absent\",\"x\",2,false]]}\n")))
        .endsWith("T1/#1 found x present, but nothing else was ever there");
    assertThat(
            headline(
                check(
                    """
                    {"session":1,"ops":[["w","x",5]]}
                    {"session":2,"ops":[["delete","x"],["r","x",5]]}
                    """)))
        .endsWith("T2/#1 deleted x, then read x = 5 from T1/#1");
    assertThat(
            headline(
                check(
                    """
                    {"session":1,"ops":[["w","x",5]]}
                    {"session":2,"ops":[["r","x",5],["cas","x",5,6,false]]}
                    """)))
        .endsWith(
            "T2/#1 read x = 5 and then compared x with 5, which it was not, without writing x in"
                + " between");
  }

  @Test
  void twoUpdatesOfOneVersionAreALostUpdate() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["put-if-absent","x",1,true]]}
            {"session":2,"ops":[["put-if-absent","x",2,true]]}
            """);
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.shows(AnomalyType.LOST_UPDATE)).isTrue();
  }

  /** Whoever deletes makes it absent again. */
  @Test
  void aDeletedKeyMayBeInsertedAgain() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":0,"end":1,"ops":[["put-if-absent","x",1,true]]}
            {"session":2,"start":2,"end":3,"ops":[["delete","x",true]]}
            {"session":3,"start":4,"end":5,"ops":[["put-if-absent","x",2,true]]}
            {"session":1,"start":6,"end":7,"ops":[["cas","x",1,3,false]]}
            """);
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  /** The register had been 2 for long when the comparison with 2 failed. */
  @Test
  void aFailureThatOnlyThePastExplainsIsStale() throws ParseException {
    String lines =
        """
        {"session":1,"start":0,"end":1,"ops":[["w","x",1]]}
        {"session":1,"start":2,"end":3,"ops":[["cas","x",1,2,true]]}
        {"session":2,"start":4,"end":5,"ops":[["cas","x",2,3,false]]}
        """;
    Report report = check(lines);
    assertThat(report.violated(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    Set<Level> levels = Set.of(Level.LINEARIZABLE, Level.SEQUENTIAL);
    Report operations = Assay.check(history(lines), levels, Budget.unlimited());
    assertThat(operations.violated(Level.LINEARIZABLE)).isTrue();
    assertThat(operations.holds(Level.SEQUENTIAL)).isTrue();
  }

  /** What a counter held before the first increment is not known then, so no search begins at 0. */
  @Test
  void countersThatBeginAnywhereAreNotSearched() {
    HistoryBuilder builder = new HistoryBuilder();
    builder.metadata(History.COUNTERS, History.ANY_START);
    for (long at = 0; at < 2; at++) {
      int txn = builder.begin(builder.session(1L), Outcome.COMMITTED);
      builder.start(txn, 2 * at);
      builder.end(txn, 2 * at + 1);
      if (at == 0) {
        builder.increment("x", 1);
      } else {
        builder.read("x", 8L);
      }
    }
    Report report = Assay.check(builder.build(), Set.of(Level.LINEARIZABLE), Budget.unlimited());
    assertThat(report.violated(Level.LINEARIZABLE)).isFalse();
  }

  @Test
  void aValueThatIsOnlyExcludedIsEqualToItself() throws ParseException {
    History history = history(EVERY_FORM);
    assertThat(history.hasOtherReads()).isTrue();
    assertThat(history.values().get(history.value(5))).isEqualTo(new OtherThan(1L));
  }
}
