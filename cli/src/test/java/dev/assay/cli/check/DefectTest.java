package dev.assay.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.CheckOptions;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.Input;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checker that throws, which is a defect in Assay. */
class DefectTest {
  @TempDir Path folder;

  private void file(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  private static CheckOptions brokenForA(CheckOptions options) {
    LevelChecker broken =
        new LevelChecker() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public Findings check(Subject subject) {
            if (subject.history().origin().name().endsWith("a.jsonl")) {
              throw new IllegalStateException("broken on purpose");
            }
            return new Findings(Map.of(), List.of(), List.of());
          }
        };
    return options.onlyBy(List.of(broken));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "json", "junit"})
  void aDefectInOneFileDoesNotStopTheOthers(String output) throws Exception {
    file("a.jsonl", "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n");
    file("b.jsonl", "{\"session\":1,\"ops\":[[\"r\",\"x\",1]]}\n");
    file("c.jsonl", "{\"session\":1,\"ops\":[[\"w\",\"x\",3]]}\n");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false);
    CheckCommand command = new CheckCommand();
    command.line().parseArgs("--output", output, "a.jsonl");
    CommonOptions common = command.common;
    JudgingOptions options = command.judging;
    int code;
    try (CheckOutput reports =
        new CheckOutput(options, common, false, new Pictures(options), terminal)) {
      CheckRequest broken = options.request().by(DefectTest::brokenForA);
      Checks checks = new Checks(broken, common, terminal, reports);
      for (String name : List.of("a.jsonl", "b.jsonl", "c.jsonl")) {
        checks.check(Input.of(folder.resolve(name)), "");
      }
      reports.finish();
      code = reports.exitCode();
    }
    assertThat(code).isEqualTo(255);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("a.jsonl: this is a defect in Assay")
        .contains("broken on purpose");
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("b.jsonl").contains("c.jsonl");
    assertThat(out.toString(StandardCharsets.UTF_8).contains("could not be checked"))
        .isEqualTo(!output.equals("text"));
  }
}
