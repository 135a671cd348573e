package dev.assay.check;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/**
 * Lists to which one element was appended more than once: nobody can say which append a read saw.
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
    assertThat(types(report)).doesNotContain(AnomalyType.INCOMPATIBLE_ORDER);
    assertThat(report.violated(Level.READ_UNCOMMITTED)).isFalse();
  }
}
