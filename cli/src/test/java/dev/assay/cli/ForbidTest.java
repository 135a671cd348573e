package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Anomalies go by every name that {@code explain} takes, and {@code --forbid} judges by them. */
class ForbidTest {
  private static final String WRITE_SKEW =
      """
      {"session":1,"ops":[["r","x",null],["w","y",1]]}
      {"session":2,"ops":[["r","y",null],["w","x",1]]}
      """;

  @TempDir Path folder;

  private String history() throws IOException {
    Path file = folder.resolve("h.jsonl");
    Files.writeString(file, WRITE_SKEW);
    return file.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "write-skew, 1",
    "A5B, 1",
    "'P4,g2-item', 1",
    "read-skew, 0",
    "OTV, 0",
    "'P0,G1a,G1b,IMP,PMP,G-cursor', 0"
  })
  void anAnomalyDecidesWhateverLevelsHold(String forbidden, int code) throws IOException {
    for (String output : new String[] {"text", "json", "junit"}) {
      Ran ran = Ran.of("check", "--forbid", forbidden, "--output", output, history());
      assertThat(ran.code()).as(ran.out()).isEqualTo(code);
    }
  }

  @Test
  void itIsSaidWhichAnomalyWasForbidden() throws IOException {
    String file = history();
    assertThat(Ran.of("check", "--forbid", "write-skew", file).out().replaceAll("\\s+", " "))
        .contains("violated: ")
        .contains("has G2-item, which was forbidden");
    assertThat(Ran.of("check", "--forbid", "write-skew", "--output", "json", file).out())
        .contains("\"forbiddenFound\":[\"G2-item\"]");
    assertThat(Ran.of("check", "--forbid", "write-skew", "--output", "junit", file).out())
        .contains("name=\"no G2-item\"");
    assertThat(Ran.of("check", "--forbid", "lost-update", file).out()).contains("ok: ");
  }

  @Test
  void levelsThatAreNamedAreJudgedToo() throws IOException {
    String file = history();
    String[] ser = {"check", "--forbid", "lost-update", "--expect", "serializable", file};
    assertThat(Ran.of(ser).code()).isEqualTo(ExitCode.VIOLATED);
    String[] si = {"check", "--forbid", "lost-update", "--expect", "si", file};
    assertThat(Ran.of(si).code()).isEqualTo(ExitCode.OK);
    // The level asked for forbids no write skew, but the anomaly is looked for all the same.
    String[] named = {"check", "--forbid", "write-skew", "--level", "causal", file};
    assertThat(Ran.of(named).code()).isEqualTo(ExitCode.VIOLATED);
  }

  @Test
  void theVerdictNamesLevelsAndForbiddenAnomalies() throws IOException {
    String file = history();
    String[] both = {"check", "--forbid", "write-skew", "--expect", "serializable", file};
    String verdict = Ran.of(both).out().replaceAll("\\s+", " ");
    assertThat(verdict).contains("violates serializable and has G2-item, which was forbidden");
    String[] none = {"check", "--forbid", "phantom,lost-update", file};
    verdict = Ran.of(none).out().replaceAll("\\s+", " ");
    assertThat(verdict)
        .contains("satisfies strong-session-snapshot-isolation and has no G2 or lost-update ");
    Path broken = folder.resolve("no-level.jsonl");
    Files.writeString(
        broken,
        """
        {"session":1,"ops":[["r","l",[1,2]],["append","l",3]]}
        {"session":2,"ops":[["r","l",[2,1]],["r","x",1],["r","x",2]]}
        """);
    Ran nothing = Ran.of("check", "--forbid", "phantom", broken.toString());
    assertThat(nothing.code()).isEqualTo(ExitCode.OK);
    assertThat(nothing.out()).contains("ok: " + broken + " has no G2");
  }

  @Test
  void aNameThatIsNoneIsABadArgument() throws IOException {
    Ran ran = Ran.of("check", "--forbid", "wriet-skew", history());
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ran.err()).contains("did you mean write-skew?");
  }

  @ParameterizedTest
  @CsvSource({
    "OTV, non-monotonic-read-co",
    "write-skew, G2-item",
    "long-fork, G-nonadjacent-item",
    "read-skew, G-single-item",
    "dirty-write, G0",
    "phantom, G2",
    "P4, lost-update",
    "C4-g, cyclic-causality"
  })
  void explainKnowsTheNamesOfPapersAndPeople(String name, String id) {
    Ran ran = Ran.of("explain", name);
    assertThat(ran.code()).isEqualTo(ExitCode.OK);
    assertThat(ran.out()).startsWith(id + " (anomaly)");
  }

  @Test
  void anomalyTakesTheSameNames() throws IOException {
    assertThat(Ran.of("check", "--anomaly", "write-skew", history()).out())
        .contains("write skew (G2-item)");
  }
}
