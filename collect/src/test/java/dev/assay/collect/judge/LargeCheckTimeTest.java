package dev.assay.collect.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.format.Input;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A time limit binds also where a history is judged in windows. */
class LargeCheckTimeTest {
  @TempDir Path folder;

  private CheckResult check(String stage) throws Exception {
    Path file = folder.resolve("h.jsonl");
    Files.writeString(
        file,
        """
        {"assay":1}
        {"session":1,"start":1,"end":2,"ops":[["w","x",1]]}
        {"session":2,"start":3,"end":4,"ops":[["r","x",1]]}
        """,
        StandardCharsets.UTF_8);
    Budget budget = Budget.unlimited();
    CheckService.Listener endsIt =
        new CheckService.Listener() {
          @Override
          public void progress(String name, double done) {
            if (name.equals(stage)) {
              budget.end();
            }
          }
        };
    RunConfig config = RunConfig.empty(Use.RUN).with(Parameters.LEVEL, "serializable");
    return new LargeCheck(CheckRequest.of(config), endsIt, 1 << 24)
        .check(Input.of(file), budget, false);
  }

  @Test
  void whatIsLeftIsNotJudgedAfterTheTime() throws Exception {
    assertThat(check("nothing").report().verdict(Level.SERIALIZABLE))
        .isInstanceOf(Verdict.Holds.class);
    assertThat(check("finishing").report().verdict(Level.SERIALIZABLE))
        .isEqualTo(Verdict.Unknown.TIMEOUT);
  }
}
