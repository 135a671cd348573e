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
import org.junit.jupiter.params.provider.MethodSource;

/** The text of a verdict: the answer first, on one screen, one finding for each cause. */
class ToldTest {
  private static final int SCREEN_LINES = 40;
  private static final int SCREEN_COLUMNS = 80;
  private static final Path HISTORIES = Path.of("../histories");

  @TempDir Path folder;

  /** Every kind of history that the project has, and two large ones with many violations. */
  static List<Path> histories() throws IOException {
    try (Stream<Path> files = Files.walk(HISTORIES)) {
      Path large = Path.of("src/test/resources/dev/assay/cli/serve");
      Stream<Path> small =
          files.filter(Files::isRegularFile).filter(file -> !file.endsWith("README.md"));
      return Stream.concat(
              small,
              Stream.of(large.resolve("dgraph_si.txt"), large.resolve("bugs_yugabyte.txt.gz")))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("histories")
  void aVerdictComesFirstAndFitsOneScreen(Path history) {
    Ran ran = Ran.of("check", history.toString());
    List<String> lines = ran.out().lines().toList();
    String answer = List.of("ok:", "violated:", "unknown:").get(ran.code());
    assertThat(lines.get(0)).startsWith(answer);
    assertThat(lines).hasSizeLessThanOrEqualTo(SCREEN_LINES);
    assertThat(lines).allMatch(line -> line.length() <= SCREEN_COLUMNS);
    // What decides the exit code comes before what the level allows.
    assertThat(ran.out().lastIndexOf("\n  ✗ ")).isLessThan(orEnd(ran.out().indexOf("\n  ! ")));
    // The path is in the first sentence, and in two commands if it is short.
    String path = history.toString();
    assertThat(lines.stream().filter(line -> line.contains(path)).count()).isLessThanOrEqualTo(3);
  }

  private static int orEnd(int index) {
    return index < 0 ? Integer.MAX_VALUE : index;
  }

  @Test
  void oneCycleWithSeveralNamesIsOneFinding() {
    Ran ran = Ran.of("check", HISTORIES.resolve("prefix/lost-update.txt").toString());
    assertThat(ran.out().lines().filter(line -> line.contains("✗"))).hasSize(1);
    assertThat(ran.out()).contains("✗ lost update (G2-item, G-single-item)");
  }

  @Test
  void whatHappenedIsToldBeforeAnyDefinition() {
    Ran ran = Ran.of("check", HISTORIES.resolve("prefix/lost-update.txt").toString());
    assertThat(ran.out())
        .contains("The change that came first is lost.")
        .contains("Like two deposits that start from the same balance")
        .doesNotContain("anti-dependency", "rw(");
    Ran explained = Ran.of("explain", "lost-update");
    int story = explained.out().indexOf("two\nwithdrawals");
    assertThat(story).isPositive().isLessThan(explained.out().indexOf("definition:"));
  }

  @Test
  void namesOfRecordingsAreExplainedWhereverTheyAppear() {
    Path planted = folder.resolve("planted.jsonl");
    Ran.of(
        "generate",
        "--store=causal",
        "--plant=fractured-read-co",
        "--transactions=20",
        "--out=" + planted);
    Ran ran = Ran.of("check", planted.toString());
    String text = ran.out().replaceAll("\\s+", " ");
    assertThat(text)
        .containsPattern(
            "(T\\d+/#\\d+) saw (T\\d+/#\\d+)'s change of 101 but not its change of 100, and read"
                + " 100 = \\d+ from T\\d+/#\\d+ instead: · \\2 before \\1: ")
        .containsPattern("names (T(\\d+)/#(\\d+)) is transaction \\3 of client \\2; 100 is a key");
  }

  /** Serializable orders everything, yet need not respect sessions as read-committed must. */
  @Test
  void levelsThatSeemToContradictEachOtherAreExplained() {
    Ran ran = Ran.of("check", HISTORIES.resolve("serializable/session-regress.txt").toString());
    assertThat(ran.out())
        .contains("satisfies serializable,")
        .containsPattern("(?m)^  because   serializable can");
  }

  @Test
  void aNumberOfTransactionsIsNotCutShortByTheDefaultDuration() {
    String[] counted = {"record", "h2", "--sessions=2", "--transactions=20"};
    Path file = folder.resolve("counted.assay");
    Ran ran = Ran.of(with(counted, "--out=" + file));
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.err()).contains("2 sessions, 20 transactions each");
    Ran both = Ran.of(with(counted, "--duration=3s", "--out=" + folder.resolve("both.assay")));
    assertThat(both.err()).contains("2 sessions, 3.0 s");
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }
}
