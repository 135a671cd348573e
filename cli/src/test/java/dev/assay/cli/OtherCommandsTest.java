package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.Planted;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code convert}, {@code generate}, {@code stats} and {@code explain}. */
class OtherCommandsTest {
  private static final String TIMED =
      "{\"session\":1,\"start\":1,\"end\":2,\"ops\":[[\"w\",1,1]]}\n"
          + "{\"session\":2,\"start\":3,\"end\":4,\"ops\":[[\"r\",1,1]]}\n";

  @TempDir Path folder;

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private String file(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
    return path(name);
  }

  private long filesInFolder() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  // ---- convert

  @Test
  void convertGoesByTheEndingOfTheTarget() throws IOException {
    String in = file("a.txt", "w(1,1,1,1)\nr(1,1,2,2)\n");
    Ran ran = Ran.of("convert", in, path("b.jsonl"));
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("(assay-jsonl): 2 transactions, 2 operations, 2 sessions");
    Ran back = Ran.of("convert", "--to", "plume-text", path("b.jsonl"), "-");
    assertThat(back.out()).isEqualTo("w(1,1,1,1)\nr(1,1,2,2)\n");
  }

  @Test
  void convertRefusesToLoseAnything() throws IOException {
    String in = file("a.jsonl", TIMED);
    Ran refused = Ran.of("convert", in, path("b.txt"));
    assertThat(refused.code()).isEqualTo(254);
    assertThat(refused.err()).contains("plume-text cannot express").contains("--lossy");
    assertThat(folder.resolve("b.txt")).doesNotExist();
    Ran lossy = Ran.of("convert", "--lossy", in, path("b.txt"));
    assertThat(lossy.code()).isZero();
    assertThat(lossy.err()).contains("warning: lost in plume-text: ");
    assertThat(folder.resolve("b.txt")).exists();
    assertThat(filesInFolder()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"b.jsonl.gz", "b.jsonl.zst"})
  void convertPacksByTheEndingOfTheTarget(String name) throws IOException {
    String in = file("a.jsonl", TIMED);
    assertThat(Ran.of("convert", in, path(name)).code()).isZero();
    assertThat(Ran.of("stats", path(name)).out()).contains("assay-jsonl").contains("transactions");
    assertThat(Files.readAllBytes(folder.resolve(name))[0]).isNotEqualTo((byte) '{');
  }

  @ParameterizedTest
  @CsvSource({
    "b.nothing, is not that of a format",
    "-, set --to to one of",
    "no/b.jsonl, its folder does not exist"
  })
  void convertSaysWhatIsWrongWithTheTarget(String out, String message) throws IOException {
    String in = file("a.jsonl", TIMED);
    Ran ran = Ran.of("convert", in, out.equals("-") ? "-" : path(out));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(message);
    assertThat(filesInFolder()).isEqualTo(1);
  }

  @Test
  void convertRefusesFoldersAndFormatsThatCannotBeWritten() throws IOException {
    String in = file("a.jsonl", TIMED);
    Ran intoFolder = Ran.of("convert", "--to", "assay-jsonl", in, folder.toString());
    assertThat(intoFolder.err()).contains("it is a folder");
    Ran cobra = Ran.of("convert", "--to", "cobra", in, path("b"));
    assertThat(cobra.err()).contains("cobra can be read but not written");
    assertThat(intoFolder.code()).isEqualTo(254);
    assertThat(cobra.code()).isEqualTo(254);
  }

  @Test
  void aFailedConversionLeavesTheOldFileAlone() throws IOException {
    String out = file("b.jsonl", "precious");
    assertThat(Ran.of("convert", file("a.txt", "w(1,1"), out).code()).isEqualTo(254);
    assertThat(folder.resolve("b.jsonl")).hasContent("precious");
    assertThat(filesInFolder()).isEqualTo(2);
  }

  // ---- generate

  @ParameterizedTest
  @ValueSource(strings = {"jsonl", "txt"})
  void theSameSeedGivesTheSameBytes(String ending) throws IOException {
    String[] first = {"generate", "--seed", "7", "-o", path("a." + ending)};
    String[] second = {"generate", "--seed", "7", "-o", path("b." + ending)};
    String[] other = {"generate", "--seed", "8", "-o", path("c." + ending)};
    assertThat(Ran.of(first).code()).isZero();
    assertThat(Ran.of(second).code()).isZero();
    assertThat(Ran.of(other).code()).isZero();
    Path a = folder.resolve("a." + ending);
    assertThat(a).hasSameBinaryContentAs(folder.resolve("b." + ending));
    assertThat(Files.mismatch(a, folder.resolve("c." + ending))).isNotEqualTo(-1);
  }

  @Test
  void generateHonoursTheShapeAskedFor() {
    String[] args = {
      "generate",
      "--sessions",
      "3",
      "--transactions",
      "4",
      "--operations",
      "2",
      "-o",
      path("a.jsonl")
    };
    Ran ran = Ran.of(args);
    assertThat(ran.err()).contains("12 transactions, 24 operations, 3 sessions");
    assertThat(Ran.of("stats", path("a.jsonl")).out()).contains("min 2, median 2");
  }

  @Test
  void generateRotatesKeysInAJepsenHistoryWithTimes() throws IOException {
    String options = "generate --workload list-append --keys 5 --writes-per-key 3 -o";
    Ran ran = Ran.of((options + " " + path("a.edn")).split(" "));
    assertThat(ran.code()).as(ran.err()).isZero();
    String text = Files.readString(folder.resolve("a.edn"));
    assertThat(text).contains(":type :invoke", ":type :ok", ":time ", "[:append 100 3]");
    assertThat(text).doesNotContain(" 4]");
  }

  @Test
  void aPlantedAnomalyIsFound() {
    Ran.of("generate", "--plant", "non-repeatable-read", "-o", path("a.jsonl"));
    Ran ran = Ran.of("check", "-l", "ci", path("a.jsonl"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("✗ non-repeatable read");
  }

  @Test
  void everythingThatCanBePlantedIsAnAnomalyWeKnow() {
    assertThat(Planted.ids()).allSatisfy(id -> assertThat(AnomalyType.find(id)).isPresent());
  }

  @ParameterizedTest
  @CsvSource({
    "--store, snapshot, did you mean snapshot-isolation?",
    "--distribution, zipff, did you mean zipf?",
    "--workload, lists, known: register",
    "--plant, lost-updat, did you mean lost-update?",
    "--operations, few, is not a number or a range",
    "--reads, 2, between 0 and 1",
    "--sessions, 0, is not a whole number from 1",
    "--writes-per-key, 0, '0' is not a whole number of at least 1",
    "--keys, x, 'x' is not a whole number"
  })
  void generateSaysWhatIsWrong(String option, String value, String message) throws IOException {
    Ran ran = Ran.of("generate", option, value, "-o", path("a.jsonl"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(message);
    assertThat(filesInFolder()).isZero();
  }

  // ---- stats

  @Test
  void statsCountWhatIsThere() throws IOException {
    String in = file("a.txt", "w(1,1,1,1)\nw(1,2,1,1)\nr(1,1,2,2)\nr(2,9,2,2)\nw(3,3,1,-1)\n");
    Ran ran = Ran.of("stats", in);
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .containsPattern("transactions +3 +2 committed, 1 aborted, 0 indeterminate")
        .containsPattern("operations +5 +2 reads, 3 writes")
        .containsPattern("keys +3")
        .containsPattern("never written +1")
        .containsPattern("never read +1")
        .contains("none recorded");
  }

  @Test
  void statsAsJsonHoldTheHistoryObjectAndMore() throws IOException {
    Ran ran = Ran.of("stats", "--output", "json", file("a.jsonl", TIMED));
    assertThat(ran.out())
        .contains("\"history\":{\"transactions\":2,\"committed\":2,\"aborted\":0,")
        .contains("\"firstTime\":1,\"lastTime\":4")
        .contains("\"writtenNeverRead\":0");
  }

  @Test
  void constraintsAreCountedBeforeAndAfterSaturation() throws IOException {
    // Only the session shows which of 1 and 2 was first; of 3 and 4 the read does.
    String in = file("a.txt", "w(1,1,1,1)\nw(1,2,1,2)\nw(2,3,2,3)\nr(2,3,3,4)\nw(2,4,3,4)\n");
    Ran ran = Ran.of("stats", "--constraints", in);
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .containsPattern("\n +serializable +2 +1 +1 +1\n")
        .containsPattern("\n +strong-session-serializable +2 +0 +0 +0\n")
        .containsPattern("\n +snapshot-isolation +2 +1 +1 +1\n")
        .containsPattern("\n +strong-session-snapshot-isolation +2 +0 +0 +0\n")
        .doesNotContain("strict-serializable");
    assertThat(Ran.of("stats", "--constraints", "-o", "json", in).out())
        .contains(
            "\"constraints\":{\"serializable\":{\"saturation\":\"counted\",\"pairs\":2,"
                + "\"ambiguousReads\":0,\"openPairs\":1,\"openReads\":0,\"parts\":1,"
                + "\"pairsInLargestPart\":1}");
  }

  @Test
  void aVersionOrderLeavesFewerConstraints() throws IOException {
    String in = file("a.txt", "w(1,1,1,1)\nw(1,2,2,2)\nw(1,3,3,3)\n");
    String order = file("order.jsonl", "{\"key\":1,\"pairs\":[[2,1]]}\n");
    Ran ran = Ran.of("stats", "--constraints", "--version-order", order, in);
    assertThat(ran.out()).containsPattern("\n +serializable +3 +2 +1 +2\n");
    assertThat(Ran.of("stats", "--version-order", order, in).err())
        .contains("--version-order requires --constraints");
  }

  @Test
  void ambiguousReadsAndViolationsAreCountedToo() throws IOException {
    String ambiguous = file("a.txt", "w(1,1,1,1)\nw(1,1,2,2)\nr(1,1,3,3)\n");
    Ran ran = Ran.of("stats", "--constraints", ambiguous);
    assertThat(ran.out())
        .contains("ambiguous reads")
        .containsPattern("\n +serializable +1 +1 +1 +1 +1 +1\n");
    String lostUpdate =
        file("b.txt", "w(1,1,1,1)\nr(1,1,2,2)\nw(1,2,2,2)\nr(1,1,3,3)\nw(1,3,3,3)\n");
    assertThat(Ran.of("stats", "--constraints", lostUpdate).out())
        .containsPattern("\n +serializable +3 +violated, by saturation alone\n");
  }

  @Test
  void statsOfNothingAreUnreadable() {
    assertThat(Ran.of("stats", "nosuchfile").code()).isEqualTo(254);
    assertThat(Ran.of("stats", "-o", "json", "nosuchfile").out()).contains("\"error\":");
  }

  // ---- explain

  @Test
  void explainListsEveryLevelAndAnomaly() {
    Ran ran = Ran.of("explain");
    for (Level level : Level.values()) {
      assertThat(ran.out()).contains("  " + level.id() + "\n");
    }
    for (AnomalyType type : AnomalyType.values()) {
      assertThat(ran.out()).contains("  " + type.id() + " ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "si, snapshot-isolation (isolation level)",
    "g2-ITEM, G2-item (anomaly): write skew",
    "G1a, aborted-read (anomaly)",
    "TAP-j, non-repeatable-read (anomaly)",
    "write skew, G2-item (anomaly)"
  })
  void explainKnowsOtherNames(String name, String start) {
    Ran ran = Ran.of("explain", name);
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).startsWith(start);
  }

  @Test
  void explainSuggestsTheClosestName() {
    Ran ran = Ran.of("explain", "writeskew");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(Ran.of("explain", "G3").err()).contains("did you mean G");
  }

  @ParameterizedTest
  @ValueSource(strings = {"explain PL-CS", "check --level PL-CS nosuchfile"})
  void aLevelThatIsNotDecidedIsAnsweredWithWhatToAsk(String line) {
    Ran ran = Ran.of(line.split(" "));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err())
        .contains("'PL-CS' is not a level here", "cursor-stability")
        .doesNotContain("did you mean");
  }
}
