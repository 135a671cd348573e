package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @Test
  void withoutArgumentsTheHelpIsShownAndTheArgumentsAreBad() {
    Ran ran = Ran.of();
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("Usage: assay COMMAND");
  }

  @Test
  void theHelpListsExactlyTheCommandsThereAre() {
    Ran ran = Ran.of("--help");
    assertThat(ran.code()).isZero();
    for (String command : Main.COMMANDS) {
      assertThat(ran.out()).containsPattern("(?m)^  " + command + "\\b");
    }
    assertThat(ran.out().lines().filter(line -> line.matches("  [a-z]+ .*")))
        .hasSize(Main.COMMANDS.size());
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "record",
        "check",
        "shrink",
        "stats",
        "convert",
        "generate",
        "explain",
        "serve",
        "bench",
        "elle",
        "completion"
      })
  void everyCommandHasHelpThatFitsTheTerminal(String command) {
    Ran ran = Ran.of(command, "--help");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Usage: assay " + command).contains("Example");
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    // A line of the examples that is too long is broken, and its rest begins at the margin.
    assertThat(ran.out()).doesNotContainPattern("(?m)^  assay .*\\n[^ \\n]");
    assertThat(Ran.of("help", command).out()).isEqualTo(ran.out());
  }

  @Test
  void theVersionIsShown() {
    Ran ran = Ran.of("--version");
    assertThat(ran.out()).startsWith("assay ");
    for (String command : Main.COMMANDS) {
      assertThat(Ran.of(command, "--version")).as(command).isEqualTo(ran);
    }
  }

  @Test
  void anUnknownCommandIsAnsweredWithTheClosestOne() {
    Ran ran = Ran.of("chekc", "x");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("unknown command 'chekc'; did you mean check?");
  }

  @Test
  void anUnknownOptionIsAnsweredWithTheClosestOne() {
    Ran ran = Ran.of("check", "--levle", "rc", "x");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("'--levle'").contains("did you mean --level?");
  }

  @ParameterizedTest
  @CsvSource({
    "--level, serialisable, unknown level 'serialisable'; did you mean serializable?",
    "--expect, snapshot_isolation, did you mean snapshot-isolation?",
    "--format, plume-txt, did you mean plume-text?",
    "--anomaly, G2-itme, did you mean G2-item?",
    "--output, jsn, did you mean json?",
    "--color, allways, did you mean always?",
    "--timeout, soon, 'soon' is not a time",
    "--threads, 0, --threads: '0' is not a whole number from 1 to 1024",
    "--timeout, 0s, --timeout: '0s' is zero",
    "--max-witnesses, 0, '0' is not a whole number of at least 1",
    "--max-witnesses, many, 'many' is not a whole number"
  })
  void aWrongValueIsABadArgumentWithASuggestion(String option, String value, String expected) {
    Ran ran = Ran.of("check", option, value, "nosuchfile");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(expected);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void aDefectIsAnApologyWithoutAStackTrace() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() {
            throw new IllegalStateException("broken on purpose");
          }
        };
    Ran ran = Ran.with(broken, "check", "-");
    assertThat(ran.code()).isEqualTo(255);
    assertThat(ran.err())
        .contains("this is a defect in Assay")
        .contains("IllegalStateException: broken on purpose")
        .contains("--verbose")
        .doesNotContain("\tat ");
    assertThat(Ran.with(broken, "check", "-", "--verbose").err()).contains("\tat dev.assay");
  }

  @Test
  void anInputThatFailsWhileItIsReadIsUnreadable() {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk is gone");
          }
        };
    Ran ran = Ran.with(failing, "check", "-");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("the disk is gone");
  }

  @Test
  void runningOutOfMemoryNamesTheVariable() {
    InputStream greedy =
        new InputStream() {
          @Override
          public int read() {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    Ran ran = Ran.with(greedy, "check", "-");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("ASSAY_JAVA_OPTS").doesNotContain("\tat ");
  }

  @Test
  void theCompletionScriptKnowsEveryCommandAndItsOptions() {
    Ran ran = Ran.of("completion");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("complete -F").contains("--max-witnesses").contains("--plant");
    for (String command : Main.COMMANDS) {
      assertThat(ran.out()).contains(command);
    }
  }

  @Test
  void theWorstExitCodeWins() {
    assertThat(ExitCode.worse(0, 2)).isEqualTo(2);
    assertThat(ExitCode.worse(1, 2)).isEqualTo(1);
    assertThat(ExitCode.worse(254, 1)).isEqualTo(254);
    assertThat(ExitCode.worse(254, 255)).isEqualTo(255);
    assertThat(ExitCode.worse(0, 0)).isZero();
  }
}
