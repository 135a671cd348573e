package dev.assay.check;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.explain.Explainer;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/**
 * Lists to which one element was appended more than once, and the like: nobody can say which append
 * a read saw.
 */
class RepeatedAppendsTest {
  @Test
  void twoAppendsOfOneElementThatBothShowAreNoDuplicateWrite() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1]]}
            {"session":2,"ops":[["append","x",1]]}
            {"session":3,"ops":[["r","x",[1,1]]]}
            """);
    assertThat(types(report)).isEmpty();
  }

  @Test
  void anElementThatShowsMoreOftenThanItWasAppendedIs() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1]]}
            {"session":2,"ops":[["append","x",1]]}
            {"session":3,"ops":[["r","x",[1,1,1]]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.DUPLICATE_WRITE);
  }

  @Test
  void whoAppendsAnElementTwiceMayReadTheFirst() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1],["r","x",[1]],["append","x",1]]}
            """);
    assertThat(types(report)).isEmpty();
  }

  /** Whichever append T3 saw, it lacks what the same transaction wrote elsewhere. */
  @Test
  void noLevelHoldsBecauseNobodyLookedAtWhatWasAppendedTwice() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1],["append","y",1]]}
            {"session":2,"ops":[["append","x",1],["append","z",1]]}
            {"session":3,"ops":[["r","x",[1]],["r","y",[]],["r","z",[]]]}
            """);
    for (Level level : Level.READ_ATOMIC.andStronger()) {
      assertThat(report.holds(level)).as(level.id()).isFalse();
    }
  }

  @Test
  void anAppendThatASessionLostIsNotHiddenByItsTwin() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","x",1]]}
            {"session":1,"ops":[["append","x",1]]}
            {"session":1,"ops":[["r","x",[1]]]}
            """);
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isFalse();
  }

  /** One append of 1 was rolled back, and [1 2] may show that one. */
  @Test
  void readsThatMayDifferOnlyInWhatWasRolledBackMayAgreeOnTheOrder() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"outcome":"aborted","ops":[["append","x",1]]}
            {"session":2,"ops":[["append","x",2]]}
            {"session":3,"ops":[["r","x",[1,2]]]}
            {"session":4,"ops":[["r","x",[2]]]}
            {"session":5,"ops":[["append","x",1]]}
            """);
    assertThat(report.violated(Level.READ_UNCOMMITTED)).isFalse();
    assertThat(report.violated(Level.ADYA_READ_COMMITTED)).isTrue();
  }

  /** 2 is either the own one, after which [1] is no beginning, or was rolled back. */
  @Test
  void anAppendThatWasRolledBackDoesNotHideThatReadsDisagree() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":1,"end":2,"ops":[["append","y",1],["rl","y",[1]]]}
            {"session":0,"start":3,"end":4,"ops":[["append","y",2],["rl","y",[2]]]}
            {"session":2,"start":1,"end":2,"outcome":"aborted","ops":[["append","y",2]]}
            """);
    assertViolatedFromReadCommitted(report);
    Anomaly anomaly = report.anomalies().get(0);
    Evidence witness = anomaly.witnesses().get(0);
    assertThat(new Explainer(report.history()).explain(anomaly, witness).headline())
        .isEqualTo(
            "incompatible order: T0/#1 read y = [2], but T1/#1 read y = [1]: neither list"
                + " is a prefix of the other, unless 2 is the append of T2/#1, which aborted");
  }

  @Test
  void norDoesItHideThatOneTransactionDisagreesWithItself() throws ParseException {
    Report report =
        check(
            """
            {"session":0,"ops":[["append","x",1]]}
            {"session":1,"ops":[["rl","x",[1]],["append","x",2],["rl","x",[2]]]}
            {"session":2,"outcome":"aborted","ops":[["append","x",2]]}
            """);
    assertViolatedFromReadCommitted(report);
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
  }

  private static void assertViolatedFromReadCommitted(Report report) {
    assertThat(types(report)).contains(AnomalyType.INCOMPATIBLE_ORDER);
    for (Level level : AnomalyType.ABORTED_READ.forbiddenBy()) {
      assertThat(report.violated(level)).as(level.id()).isTrue();
    }
    assertThat(report.holds(Level.READ_UNCOMMITTED)).isTrue();
  }

  @Test
  void whatWasRolledBackTwiceWasRolledBack() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"outcome":"aborted","ops":[["append","x",1]]}
            {"session":2,"outcome":"aborted","ops":[["append","x",1]]}
            {"session":3,"ops":[["append","x",2]]}
            {"session":4,"ops":[["r","x",[2,1]]]}
            {"session":5,"ops":[["r","x",[2]]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.ABORTED_READ);
    assertThat(report.holds(Level.READ_UNCOMMITTED)).isTrue();
  }

  @Test
  void anElementNobodyAppendedIsNoTwinOfOneThatWasRolledBack() throws ParseException {
    Report report =
        check(
            """
            {"session":3,"outcome":"aborted","ops":[["append","y",2]]}
            {"session":0,"ops":[["append","y",2],["rl","x",[3]]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.THIN_AIR_READ);
  }

  /** [1 1] shows both appends, so the transaction of unknown outcome counts. */
  @Test
  void whoseReadsDoNotRepeatMayCountByWhatItAppended() throws ParseException {
    Report report =
        check(
            """
            {"session":0,"ops":[["append",5,1]]}
            {"session":1,"outcome":"indeterminate","ops":[["append",5,1],["r",5,[1]],["r",5,[]]]}
            {"session":2,"ops":[["r",5,[1,1]]]}
            """);
    assertThat(report.violated(Level.CUT_ISOLATION)).isTrue();
  }

  /** Of two transactions of unknown outcome one wrote what was read. */
  @Test
  void oneOfThoseWhoseReadsDoNotRepeatCountsByWhatBothWrote() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"outcome":"indeterminate","ops":[["w","x",1],["r","y",5],["r","y",null]]}
            {"session":2,"outcome":"indeterminate","ops":[["w","x",1],["r","y",5],["r","y",null]]}
            {"session":3,"ops":[["w","y",5]]}
            {"session":4,"ops":[["r","x",1]]}
            """);
    assertThat(report.holds(Level.CUT_ISOLATION)).isFalse();
  }

  /** The 2 that was read may be of another transaction; then it lacks its own. */
  @Test
  void whatStandsBeforeAnElementOfOthersWasNotSeenByTheOwnAppend() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["append","y",1]]}
            {"session":2,"ops":[["append","y",2]]}
            {"session":0,"ops":[["rl","y",[]],["append","y",2],["rl","y",[1,2]]]}
            """);
    assertThat(report.holds(Level.CUT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.READ_ATOMIC)).isTrue();
    assertThat(report.violated(Level.REPEATABLE_READ)).isTrue();
  }
}
