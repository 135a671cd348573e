package dev.assay.check;

import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/** Reads of lists in which something shows up that was rolled back later. */
class AbortedAppendsTest {
  private static Report check(String first, String second, String outcomeOfTwo)
      throws ParseException {
    String history =
        """
        {"session":1,"ops":[["append","x",1]]}
        {"session":2,"outcome":"%s","ops":[["append","x",2]]}
        {"session":3,"ops":[["append","x",3]]}
        {"session":4,"ops":[["r","x",%s]]}
        {"session":5,"ops":[["r","x",%s]]}
        """
            .formatted(outcomeOfTwo, first, second);
    return Lines.check(history);
  }

  @Test
  void readsThatDifferOnlyInWhatWasRolledBackAgreeOnTheOrder() throws ParseException {
    Report report = check("[1,2]", "[1,3]", "aborted");
    assertThat(types(report)).containsExactly(AnomalyType.ABORTED_READ);
    assertThat(report.holds(Level.READ_UNCOMMITTED)).isTrue();
    assertThat(report.violated(Level.ADYA_READ_COMMITTED)).isTrue();
  }

  @Test
  void anAppendOnWhatWasRolledBackIsADirtyUpdateAndNoOtherOrder() throws ParseException {
    Report report = check("[1,2,3]", "[1,3]", "aborted");
    assertThat(types(report)).containsExactly(AnomalyType.ABORTED_READ, AnomalyType.DIRTY_UPDATE);
  }

  @Test
  void readsThatDifferInWhatStayedDisagree() throws ParseException {
    assertThat(types(check("[1,2]", "[1,3]", "committed")))
        .contains(AnomalyType.INCOMPATIBLE_ORDER);
    assertThat(types(check("[2,1,3]", "[3,1]", "aborted")))
        .contains(AnomalyType.INCOMPATIBLE_ORDER);
  }
}
