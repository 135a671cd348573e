package dev.assay.check;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/** Registers to which a value was written more than once. */
class RepeatedValuesTest {
  /** 9 was written by one that aborted, and by one that overwrote it. */
  private static final String WRONG_EITHER_WAY =
      """
      {"session":1,"ops":[["r","z",9]]}
      {"session":2,"outcome":"aborted","ops":[["w","z",9]]}
      {"session":3,"ops":[["w","z",9],["w","z",7]]}
      """;

  @Test
  void whatIsWrongWhoeverWroteItIsFoundAmongAnyNumberOfChoices() throws ParseException {
    StringBuilder lines = new StringBuilder(WRONG_EITHER_WAY);
    for (int key = 0; key < 40; key++) {
      for (int session = 4; session < 6; session++) {
        lines.append("{\"session\":%d,\"ops\":[[\"w\",%d,1]]}%n".formatted(session, key));
      }
      lines.append("{\"session\":6,\"ops\":[[\"r\",%d,1]]}%n".formatted(key));
    }
    Report report = check(lines.toString());
    assertThat(report.violated(Level.ADYA_READ_COMMITTED)).isTrue();
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(types(report))
        .containsAnyOf(AnomalyType.ABORTED_READ, AnomalyType.INTERMEDIATE_READ);
  }

  /** The read saw an own write that was replaced, or else each of the two saw the other. */
  @Test
  void aLevelThatAllowsSomeWrongReadsHoldsByAChoiceWithOne() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["w","x",1],["w","x",2],["r","x",1],["w","y",1]]}
            {"session":2,"ops":[["r","y",1],["w","x",1]]}
            """);
    assertThat(report.holds(Level.ADYA_READ_COMMITTED)).isTrue();
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
    assertThat(report.notes().stream().filter(ReadConsistency.ONE_CHOICE::equals)).hasSize(1);
  }

  /** The first counts if the last read from it, and the second's write was overwritten. */
  @Test
  void whatCountsByAChoiceIsNoReasonForALevelThatAllowsAnother() throws ParseException {
    Report thinAir =
        check(
            """
            {"session":1,"outcome":"indeterminate","ops":[["r",0,99],["w",0,1]]}
            {"session":2,"ops":[["w",0,1],["w",0,3]]}
            {"session":3,"ops":[["r",0,1]]}
            """);
    assertThat(thinAir.holds(Level.CAUSAL_NON_TRANSACTIONAL)).isTrue();
    assertThat(thinAir.violated(Level.CAUSAL)).isTrue();
    assertThat(thinAir.violated(Level.ADYA_READ_COMMITTED)).isTrue();
    Report unlike =
        check(
            """
            {"session":1,"outcome":"indeterminate","ops":[["r",1,5],["r",1,null],["w",0,1]]}
            {"session":2,"ops":[["w",0,1],["w",0,3]]}
            {"session":3,"ops":[["w",1,5]]}
            {"session":4,"ops":[["r",0,1]]}
            """);
    assertThat(unlike.holds(Level.CUT_ISOLATION)).isTrue();
    assertThat(unlike.violated(Level.READ_ATOMIC)).isTrue();
  }

  /** Either writer makes it an aborted read: the last one's, or that of the first. */
  @Test
  void whatEveryChoiceViolatesIsViolated() throws ParseException {
    Report report =
        check(
            """
            {"session":2,"outcome":"indeterminate","ops":[["r",0,3],["w",1,1],["r",1]]}
            {"session":2,"outcome":"aborted","ops":[["r",1,4],["w",0,2],["r",1,4]]}
            {"session":2,"ops":[["r",1,1],["r",1,1]]}
            {"session":1,"outcome":"aborted","ops":[["w",0,3],["w",1,1]]}
            {"session":3,"ops":[["w",1,4]]}
            """);
    assertThat(report.violated(Level.CAUSAL_NON_TRANSACTIONAL)).isTrue();
    assertThat(report.violated(Level.CAUSAL)).isTrue();
  }
}
