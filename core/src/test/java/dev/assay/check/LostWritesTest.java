package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LostWritesTest {
  private static final String HEADER = "{\"assay\":1,\"metadata\":{\"final-session\":\"f\"}}\n";

  @Test
  void anAcknowledgedAppendMissingFromTheFinalReadIsLost() throws ParseException {
    Anomaly lost =
        lost(
            """
            {"session":"a","start":0,"end":9,"ops":[["append","x",1],["append","x",2]]}
            {"session":"f","start":10,"end":11,"ops":[["r","x",[1]]]}
            """);
    assertThat(lost.count()).isEqualTo(1);
    assertThat(lost.witnesses().get(0).operations()).containsExactly(2, 1);
  }

  @Test
  void anAcknowledgedElementMissingFromTheFinalSetIsLost() throws ParseException {
    assertThat(
            lost(
                """
                {"session":"a","ops":[["add","x",1]]}
                {"session":"f","ops":[["rs","x",[2]]]}
                {"session":"b","ops":[["add","x",2]]}
                """))
        .isNotNull();
  }

  @Test
  void whatWasNotAcknowledgedMayBeMissing() throws ParseException {
    assertThat(
            lost(
                """
                {"session":"a","outcome":"indeterminate","start":0,"ops":[["append","x",1]]}
                {"session":"b","outcome":"aborted","start":0,"end":5,"ops":[["append","x",2]]}
                {"session":"f","start":10,"end":11,"ops":[["r","x",[]]]}
                """))
        .isNull();
  }

  @Test
  void whatEndedAfterTheFinalReadBeganMayBeMissing() throws ParseException {
    assertThat(
            lost(
                """
                {"session":"a","start":0,"end":20,"ops":[["append","x",1]]}
                {"session":"f","start":10,"end":11,"ops":[["r","x",[]]]}
                """))
        .isNull();
  }

  @Test
  void otherReadsAreNotFinal() throws ParseException {
    assertThat(
            lost(
                """
                {"session":"a","start":0,"end":9,"ops":[["append","x",1]]}
                {"session":"b","start":10,"end":11,"ops":[["r","x",[]]]}
                """))
        .isNull();
  }

  private static Anomaly lost(String lines) throws ParseException {
    byte[] bytes = (HEADER + lines).getBytes(StandardCharsets.UTF_8);
    Report report =
        Assay.check(Formats.read(Input.of("test", bytes)), Level.surveyed(), Budget.unlimited());
    for (Anomaly anomaly : report.anomalies()) {
      if (anomaly.type() == AnomalyType.LOST_WRITE) {
        return anomaly;
      }
    }
    return null;
  }
}
