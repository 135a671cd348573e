package dev.assay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameHintTest {
  @Test
  void whatIsReadIsAKey() throws Exception {
    assertThat(
            hint(
                """
                {"session":1,"ops":[["r",7,null],["w",8,1]]}
                {"session":2,"ops":[["r",8,null],["w",7,1]]}
                """))
        .endsWith("7 is a key, nil means no row yet");
  }

  /** The word after "select" was said to be one. */
  @Test
  void aConditionIsNotAKey() throws Exception {
    assertThat(
            hint(
                """
                {"session":1,"ops":[["select",{"where":[">","v",10]},[]],["w","c",11]]}
                {"session":2,"ops":[["select",{"where":[">","v",10]},[]],["w","d",12]]}
                """))
        .contains("is transaction 1 of client")
        .endsWith("; c is a key");
  }

  private static String hint(String lines) throws Exception {
    byte[] bytes = ("{\"assay\":1,\"initial\":null}\n" + lines).getBytes(StandardCharsets.UTF_8);
    History history = Formats.read(Input.of("test", bytes));
    Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
    CheckResult result = new CheckResult("test", report, List.of(), true, 0, -1);
    return NameHint.of(history, result.causes());
  }
}
