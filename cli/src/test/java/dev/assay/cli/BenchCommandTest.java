package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
  @TempDir Path folder;

  @Test
  void aSweepIsATableACsvFileAndAPageWithPlots() throws Exception {
    Path csv = folder.resolve("x.csv");
    Path html = folder.resolve("x.html");
    Ran ran =
        Ran.of(
            "bench",
            "--quiet",
            "--sessions",
            "2,3,4",
            "--transactions",
            "5",
            "--keys",
            "10",
            "--operations",
            "2-4",
            "--level",
            "causal,serializable",
            "--repeat",
            "1",
            "--checker",
            "assay,strong-levels",
            "--csv",
            csv.toString(),
            "--html",
            html.toString());
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out().lines()).hasSize(2 + 3 * 2 * 2);
    assertThat(ran.out()).contains("| sessions |").contains("| strong-levels |").contains("holds");
    assertThat(Files.readAllLines(csv)).hasSize(1 + 3 * 2 * 2);
    assertThat(html)
        .content()
        .startsWith("<!doctype html>")
        .contains("Check time over sessions")
        .contains("serializable, strong-levels")
        .contains("--sessions=2,3,4")
        .contains("--repeat=1")
        // This checker does not decide causal: those points are hollow and say so.
        .contains("mark hollow")
        .contains("not decided: the verdict is unknown")
        .contains("data-png", "data-svg", "data-csv")
        .contains("Levels by checker: no two checkers disagree")
        .contains(System.getProperty("java.vm.version"))
        // One file without network: its script is inside.
        .doesNotContain("src=");
  }

  @ParameterizedTest
  @CsvSource({
    "plume-fig8a, 9, causal",
    "plume-fig8b, 5, causal",
    "plume-fig8c, 5, causal",
    "plume-fig8d, 3, causal",
    "plume-fig9a, 9, causal",
    "plume-fig9b, 5, causal",
    "plume-fig9c, 5, causal",
    "plume-fig12, 3, causal",
    "elle-fig4, 8, strict-serializable",
    "c4-fig8a, 9, causal",
    "c4-fig8d, 5, causal",
    "c4-fig8e, 7, causal",
    "c4-fig8f, 3, causal",
    "kingcobra, 24, strong-session-serializable",
    "kingcobra-rmw, 12, serializable",
    "kingcobra-mix, 12, serializable",
    "emme-items, 2, snapshot-isolation",
    "isovista, 5, read-atomic",
  })
  void figuresOfPapersHaveTheirLevelsAndShowStages(String preset, int rows, String level) {
    List<String> small = new ArrayList<>(List.of("bench", "--quiet", "--preset", preset));
    small.addAll(List.of("--repeat", "1"));
    if (!List.of("plume-fig8b", "plume-fig9b").contains(preset)) {
      small.addAll(List.of("--transactions", "3"));
    }
    if (!List.of("plume-fig8c", "plume-fig9c").contains(preset)) {
      small.addAll(List.of("--operations", "2"));
    }
    Ran ran = Ran.of(small.toArray(String[]::new));
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines()).hasSize(2 + rows);
    assertThat(ran.out()).contains("stages ms").contains(level).doesNotContain("violated");
  }

  @Test
  void knownVersionsLeaveLessToFindOut() throws Exception {
    Path csv = folder.resolve("x.csv");
    Ran ran =
        Ran.of(
            "bench",
            "--quiet",
            "--known-versions",
            "0,1",
            "--sessions=4",
            "--transactions=30",
            "--keys=5",
            "--operations=3",
            "--level=snapshot-isolation",
            "--checker=known-orders",
            "--repeat=1",
            "--csv",
            csv.toString());
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("| known-versions |");
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.get(0)).contains(",known-versions,");
    // With the whole version order nothing has to be searched for.
    assertThat(lines.get(1)).contains(",unknown,");
    assertThat(lines.get(2)).contains(",holds,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tpcc", "rubis", "twitter"})
  void applicationsAreRecordedOnADatabase(String preset) {
    Ran ran =
        Ran.of(
            "bench",
            "--preset",
            preset,
            "--sessions",
            "2",
            "--transactions",
            "3,6",
            "--repeat",
            "1",
            "--level",
            "causal");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines()).hasSize(2 + 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--preset session | did you mean sessions?",
        "--sessions many | not a whole number",
        "--sessions 0 | --sessions: '0' is not a whole number from 1",
        "--reads 2 | between 0 and 1",
        "--known-versions 2 | between 0 and 1",
        "--known-versions 1 --store causal | needs --store serializable",
        "--workload foo | unknown workload 'foo'",
        "--distribution zipff | did you mean zipf?",
        "--store foo | unknown store 'foo'",
        "--checker foo | unknown checker 'foo'",
        "--level foo | unknown level 'foo'",
        "--repeat 0 | --repeat must be",
        "--keys , | --keys has no value"
      })
  void mistakesAreNamedBeforeAnythingIsMeasured(String arguments, String message) {
    Ran ran = Ran.of(("bench " + arguments).split(" "));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(message);
    assertThat(ran.out()).isEmpty();
  }
}
