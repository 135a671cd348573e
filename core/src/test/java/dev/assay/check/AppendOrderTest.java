package dev.assay.check;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.explain.Explainer;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads of lists held against the order in which one transaction appended. */
class AppendOrderTest {
  private static Report read(String outcome, String elements) throws ParseException {
    return check(
        """
        {"session":1,"outcome":"%s","ops":[["append","y",1],["append","y",2],["append","y",3]]}
        {"session":2,"ops":[["rl","y",%s]]}
        """
            .formatted(outcome, elements));
  }

  private static void assertIncompatible(Report report) {
    assertThat(types(report)).contains(AnomalyType.INCOMPATIBLE_ORDER);
    for (Level level : AnomalyType.INCOMPATIBLE_ORDER.forbiddenBy()) {
      assertThat(report.violated(level)).as(level.id()).isTrue();
    }
  }

  @Test
  void whatOneTransactionAppendedShowsInItsOrder() throws ParseException {
    Report report = read("committed", "[1,2,3]");
    assertThat(types(report)).isEmpty();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    assertIncompatible(read("committed", "[2,1,3]"));
    assertIncompatible(read("committed", "[1,3,2]"));
    assertIncompatible(read("indeterminate", "[2,1,3]"));
  }

  @Test
  void anAppendDoesNotShowWithoutThoseBeforeIt() throws ParseException {
    assertIncompatible(read("committed", "[2]"));
    assertIncompatible(read("committed", "[1,3]"));
  }

  @Test
  void theFirstAppendsAloneAreAnIntermediateRead() throws ParseException {
    for (String some : List.of("[1]", "[1,2]")) {
      Report report = read("committed", some);
      assertThat(types(report)).contains(AnomalyType.INTERMEDIATE_READ);
      assertThat(types(report)).doesNotContain(AnomalyType.INCOMPATIBLE_ORDER);
      assertThat(report.holds(Level.READ_UNCOMMITTED)).isTrue();
    }
  }

  @Test
  void whatWasRolledBackHasNoOrder() throws ParseException {
    assertThat(types(read("aborted", "[2,1,3]"))).containsExactly(AnomalyType.ABORTED_READ);
  }

  @Test
  void ownReadsShowTheOrderToo() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",2],["append","x",3],["rl","x",[3]]]}
            """);
    assertThat(types(report)).contains(AnomalyType.NOT_MY_OWN_WRITE);
    assertIncompatible(report);
  }

  /** The order in which it was made is not known of an append that was seen before. */
  @Test
  void whatWasForeseenIsAFutureReadOnly() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1],["rl","x",[0,1]],["append","x",0]]}
            """);
    assertThat(types(report)).contains(AnomalyType.FUTURE_READ);
    assertThat(types(report)).doesNotContain(AnomalyType.INCOMPATIBLE_ORDER);
    assertThat(report.holds(Level.READ_UNCOMMITTED)).isTrue();
  }

  /** Another transaction appended 1 too, and [2 1] may show that one. */
  @Test
  void whatWasAppendedTwiceTellsNoOrder() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1],["append","x",2]]}
            {"session":2,"outcome":"indeterminate","ops":[["append","x",1]]}
            {"session":3,"ops":[["rl","x",[1,2,1]]]}
            """);
    assertThat(types(report)).doesNotContain(AnomalyType.INCOMPATIBLE_ORDER);
  }

  @Test
  void theAppendsAreNamed() throws ParseException {
    Report report = read("committed", "[2,1,3]");
    Anomaly anomaly = report.anomalies().get(0);
    Evidence witness = anomaly.witnesses().get(0);
    assertThat(new Explainer(report.history()).explain(anomaly, witness).headline())
        .isEqualTo(
            "incompatible order: T2/#1 read y = [2 1 3],"
                + " but T1/#1 appended 1 to y before it appended 2");
  }

  /** 2 was appended by another one too, but [3] shows no 2 at all. */
  @Test
  void whatWasAppendedTwiceIsMissingIfNeitherShows() throws ParseException {
    assertIncompatible(
        check(
            """
            {"session":1,"ops":[["append","x",2],["append","x",3]]}
            {"session":2,"ops":[["append","x",2]]}
            {"session":3,"ops":[["rl","x",[3]]]}
            """));
  }
}
