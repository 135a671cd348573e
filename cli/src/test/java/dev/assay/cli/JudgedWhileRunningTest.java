package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are judged while they go on. */
class JudgedWhileRunningTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("run.assay");
  }

  private Ran run(String... options) {
    String[] fixed = {"run", "--out", file().toString(), "--sessions", "4"};
    String[] all = new String[options.length + fixed.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(options, 0, all, fixed.length, options.length);
    return Ran.of(all);
  }

  @Test
  void theReportIsThatOfTheRecordingAndHasTheTimesOfViolations() {
    Ran ran = run("--isolation", "read-committed", "--transactions", "200", "--output", "json");
    Ran check = Ran.of("check", "--output", "json", file().toString());
    assertThat(levels(ran.out())).isEqualTo(levels(check.out()));
    assertThat(ran.out()).contains("\"violations\":[");
    assertThat(check.out()).doesNotContain("\"violations\"");
    assertThat(ran.code()).isEqualTo(check.code());
  }

  private static List<String> levels(String json) {
    return Stream.of(json.split("\"why\"|\"run\""))
        .map(part -> part.replaceFirst("^.*?(?=\"[a-z-]+\":\\{\"verdict\")", ""))
        .filter(part -> part.contains("\"verdict\""))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--workload=predicates",
        "--infer=timestamps",
        "--workload=counter",
        "--workload=cas"
      })
  void whatIsJudgedAsAWholeCannotEndARun(String other) {
    Ran ran = run("--until-violated", other);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err())
        .startsWith("assay: --until-violated cannot be used with " + other.split("=")[0]);
  }

  @Test
  void severalRunsDoNotFitIntoOneFile() {
    Ran ran = run("--repeat", "2", "--transactions", "5");
    assertThat(ran.err()).contains("--out names one file, but 2 histories would be recorded");
  }

  @Test
  void aHuntKeepsOnlyItsLastRun() {
    Ran ran = run("--until-violated", "--repeat", "2", "--transactions", "20");
    assertThat(ran.code()).isIn(0, 1, 2);
    assertThat(file()).exists();
    assertThat(ran.out()).containsPattern("found in (attempt )?[12] of up to 2");
  }

  @Test
  void aHuntEndsAtItsViolationAndCountsItsAttempts() {
    Ran ran =
        run(
            "--until-violated",
            "--repeat=50",
            "--isolation=read-committed",
            "--expect=serializable",
            "--transactions=50",
            "--keys=3");
    assertThat(ran.code()).as("%s", ran).isEqualTo(1);
    assertThat(ran.out()).containsPattern("found in attempt \\d+ of up to 50, after");
    // One line for all attempts, of which there may be many.
    assertThat(ran.err().lines().filter(line -> line.contains("running on"))).hasSize(1);
  }

  @Test
  void aRecordingOfWhichOnlyTheEndIsKeptIsWholeAndSmall() throws Exception {
    Ran ran = run("--keep", "1MB", "--transactions", "300");
    assertThat(ran.code()).as("%s", ran).isIn(0, 1, 2);
    assertThat(Files.size(file())).isLessThan(1 << 20);
    assertThat(files()).allMatch(name -> name.endsWith(".assay"));
    assertThat(Ran.of("check", file().toString()).code()).isEqualTo(ran.code());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(one -> one.getFileName().toString()).toList();
    }
  }
}
