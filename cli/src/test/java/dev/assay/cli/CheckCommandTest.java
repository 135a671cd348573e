package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class CheckCommandTest {
  /** T2 reads x twice and sees two versions. */
  private static final String NON_REPEATABLE = "w(1,1,1,1)\nw(1,2,1,2)\nr(1,1,2,3)\nr(1,2,2,3)\n";

  private static final String REPEATABLE = "w(1,1,1,1)\nr(1,1,2,2)\nr(1,1,2,2)\n";

  private static final String ABORTED_READ = "w(1,1,1,-1)\nr(1,1,2,2)\n";

  @TempDir Path folder;

  private String file(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    return file.toString();
  }

  // ---- exit codes

  @Test
  void aLevelThatHoldsIsZero() throws IOException {
    Ran ran = Ran.of("check", "--level", "ci", file("a.txt", REPEATABLE));
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).startsWith("ok: ").contains("a.txt satisfies cut-isolation");
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void aViolatedLevelIsOne() throws IOException {
    String file = file("a.txt", NON_REPEATABLE);
    Ran ran = Ran.of("check", "--level", "ci", file);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .startsWith("violated: ")
        .contains("a.txt violates cut-isolation")
        .contains("✗ non-repeatable read\n    T3 read 1 = 1 and then 1 = 2")
        .contains("T3  read 1 = 1   read 1 = 2   lines 3-4\n")
        .doesNotContain(file + ":");
  }

  @Test
  void everyAnomalyIsShownWithItsArgumentWhenAskedFor() throws IOException {
    Ran ran = Ran.of("check", "--all", "--level", "ci", file("a.txt", NON_REPEATABLE));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .startsWith("error[non-repeatable-read]: non-repeatable read: T3 read 1 = 1 and then 1 = 2")
        .contains("a.txt:3,")
        .contains("a.txt:4\n")
        .contains("   | T3  session 2   read 1 -> 1   read 1 -> 2\n")
        .contains("   = help:     assay explain non-repeatable-read\n")
        .contains("violated: ");
  }

  @Test
  void operationsHaveTheirOwnLinesWhereTheInputCanBeReadAgain() throws IOException {
    String file = file("a.txt", NON_REPEATABLE);
    assertThat(Ran.of("check", "--level", "ci", "--output", "json", file).out())
        .contains("\"line\":3,\"ops\":[[\"r\",1,1],[\"r\",1,2]],\"opLines\":[3,4]}");
    Ran once = Ran.withInput(NON_REPEATABLE, "check", "--level", "ci", "--output", "json", "-");
    assertThat(once.out()).contains("\"line\":3,\"ops\":[[\"r\",1,1],[\"r\",1,2]]}");
  }

  private static String selecting(String condition) {
    return """
        {"session":1,"ops":[["w","x",5]]}
        {"session":2,"ops":[["select",%s,[["x",5]]]]}
        """
        .formatted(condition);
  }

  @Test
  void aConditionThatIsNoneIsAMistakeInTheFile() throws IOException {
    for (String wrong :
        List.of(
            "{\"where\":[\"between\",\"v\",1]}",
            "{\"where\":3}",
            "{\"when\":true}",
            "{\"where\":01}")) {
      Ran ran = Ran.of("check", file("a.jsonl", selecting(wrong)));
      assertThat(ran.code()).as(wrong).isEqualTo(254);
      assertThat(ran.err()).contains("a.jsonl:2").doesNotContain("Exception");
    }
    assertThat(Ran.of("check", file("a.jsonl", selecting("{\"where\":[\"=\",\"v\"]}"))).err())
        .contains("a condition that is wrong at where: \"=\" with one operand")
        .contains("expected: 2 operands");
  }

  @Test
  void aConditionThatDoesNotFitItsOperationIsAMistakeInTheFile() throws IOException {
    Ran select = Ran.of("check", file("a.jsonl", selecting("{\"delete\":true}")));
    assertThat(select.code()).isEqualTo(254);
    assertThat(select.err()).contains("a select with a condition that changes rows");
    Ran update =
        Ran.of(
            "check",
            file(
                "b.jsonl",
                "{\"session\":1,\"ops\":[[\"update\",{\"select\":[\"min\",\"v\"]},[]]]}\n"));
    assertThat(update.code()).isEqualTo(254);
    assertThat(update.err()).contains("an update with a condition that selects a value");
  }

  @Test
  void aConditionWithAnUnknownOperatorLeavesLevelsOpen() throws IOException {
    for (String odd :
        List.of("{\"where\":[\"soundex\",\"v\",1]}", "{\"select\":[\"median\",\"v\"]}")) {
      Ran ran = Ran.of("check", "--level", "serializable", file("a.jsonl", selecting(odd)));
      assertThat(ran.code()).as(odd).isEqualTo(2);
      assertThat(ran.out()).contains("note: predicates were not examined");
    }
  }

  @Test
  void aLevelThatNoCheckerDecidesIsTwo() throws IOException {
    Ran ran = Ran.of("check", "--level", "PL-FCV", file("a.txt", REPEATABLE));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).startsWith("unknown: ").contains("forward-consistent-view");
  }

  @Test
  void theWorstOfSeveralFilesWins() throws IOException {
    String good = file("a.txt", REPEATABLE);
    String bad = file("b.txt", NON_REPEATABLE);
    assertThat(Ran.of("check", "-l", "ci", good, bad).code()).isEqualTo(1);
    assertThat(Ran.of("check", "-l", "ci", good, good).code()).isZero();
    Ran withMissing = Ran.of("check", "-l", "ci", "nosuchfile", bad, good);
    assertThat(withMissing.code()).isEqualTo(254);
    assertThat(withMissing.err()).contains("nosuchfile").contains("no such file");
    assertThat(withMissing.out()).contains("b.txt violates cut-isolation").contains("ok: ");
  }

  // ---- what is judged

  @Test
  void theSurveyJudgesWhatIsExpected() throws IOException {
    String history = file("a.txt", ABORTED_READ);
    Ran ran = Ran.of("check", "--expect", "cut-isolation", history);
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).startsWith("ok: ").contains("! aborted read");
    assertThat(Ran.of("check", history).code()).isEqualTo(1);
  }

  @Test
  void theSurveyJudgesTheLevelThatTheHistoryRecords() throws IOException {
    String header = "{\"assay\":1,\"metadata\":{\"level\":\"cut-isolation\"}}\n";
    String ops =
        "{\"session\":1,\"outcome\":\"aborted\",\"ops\":[[\"w\",\"x\",1]]}\n"
            + "{\"session\":2,\"ops\":[[\"r\",\"x\",1]]}\n";
    assertThat(Ran.of("check", file("a.jsonl", header + ops)).code()).isZero();
    assertThat(Ran.of("check", file("b.jsonl", ops)).code()).isEqualTo(1);
  }

  @Test
  void expectationsAndNamedLevelsExcludeEachOther() throws IOException {
    Ran ran = Ran.of("check", "--expect", "rc", "--level", "ci", file("a.txt", REPEATABLE));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("--expect requires --level all");
  }

  @Test
  void nestedReasonsAreShownWhenAskedFor() throws IOException {
    // T4 to T7 see the writes of T2 and T3 in opposite orders; that these overwrote T1 is inferred.
    String longFork =
        """
        w(1,5,1,1)
        w(2,5,1,1)
        w(1,1,1,2)
        r(1,5,2,3)
        w(2,1,2,3)
        r(1,1,3,4)
        r(2,5,3,5)
        r(2,1,4,6)
        r(1,5,4,7)
        """;
    String file = file("a.txt", longFork);
    String level = "strong-session-snapshot-isolation";
    Ran brief = Ran.of("check", "--all", "--level", level, file);
    Ran full = Ran.of("check", "--level", level, "--expand", file);
    assertThat(brief.code()).isEqualTo(1);
    assertThat(full.code()).isEqualTo(1);
    assertThat(brief.out()).contains("more steps with --expand").doesNotContain("suppose");
    assertThat(full.out()).doesNotContain("--expand").contains("suppose");
  }

  @Test
  void anAnomalyFilterChangesWhatIsShownAndNotTheVerdict() throws IOException {
    Ran ran = Ran.of("check", "--anomaly", "lost-update", file("a.txt", ABORTED_READ));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).doesNotContain("aborted-read").contains("violates serializable");
  }

  @Test
  void anUnknownAssumptionIsAnsweredWithTheClosestOne() throws IOException {
    Ran ran = Ran.of("check", "--infer", "linearisable-keys", file("a.txt", REPEATABLE));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("did you mean linearizable-keys?");
    String known = "initial,linearizable-keys,writes-follow-reads,timestamps,transaction-order";
    assertThat(Ran.of("check", "-l", "ci", "--infer", known, file("a.txt", REPEATABLE)).code())
        .isZero();
  }

  @Test
  void whatACertificateOrdersIsCountedWhateverAnomaliesAreShown() throws IOException {
    Path history = folder.resolve("skew.txt");
    Files.writeString(history, "r(1,0,1,1)\nw(2,1,1,1)\nr(2,0,2,2)\nw(1,1,2,2)\nw(1,2,3,3)\n");
    Path orders = folder.resolve("orders.jsonl");
    Files.writeString(orders, "{\"key\":1,\"versions\":[1,2]}\n");
    String[] all = {
      "check", "--output", "json", "--version-order", orders.toString(), history.toString()
    };
    String[] some = Arrays.copyOf(all, all.length + 2);
    some[all.length] = "--anomaly";
    some[all.length + 1] = "G2-item";
    assertThat(inferred(all)).contains("\"keysTotal\":2").isEqualTo(inferred(some));
  }

  private static String inferred(String... arguments) {
    String json = Ran.of(arguments).out();
    return json.substring(json.indexOf("\"inferred\""), json.indexOf("\"notes\""));
  }

  @Test
  void aCertificateThatNamesWhatIsNotThereIsAnErrorWithItsLine() throws IOException {
    String history = file("a.txt", REPEATABLE);
    String good = file("good.jsonl", "{\"key\":1,\"versions\":[0,1]}\n");
    assertThat(Ran.of("check", "-l", "ci", "--version-order", good, history).code()).isZero();
    String bad = file("bad.jsonl", "\n{\"key\":\"1\",\"versions\":[1,7]}\n");
    Ran ran = Ran.of("check", "-l", "ci", "--version-order", bad, history);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("bad.jsonl:2").contains("no transaction wrote 1 = 7");
  }

  // ---- inputs

  @Test
  void anEmptyFileIsUnreadable() throws IOException {
    Ran ran = Ran.of("check", file("a.txt", ""));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("a.txt is empty");
  }

  @Test
  void aFileInNoFormatIsUnreadable() throws IOException {
    Ran ran = Ran.of("check", file("a.txt", "once upon a time\n"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("not in a format that Assay reads").contains("= expected:");
  }

  @Test
  void aBrokenLineIsNamed() throws IOException {
    Ran ran = Ran.of("check", file("a.txt", "w(1,1,1,1)\nr(1,1,2\n"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("a.txt:2");
  }

  @Test
  void aFileWithoutTransactionsIsUnreadable() throws IOException {
    Ran ran = Ran.of("check", file("a.jsonl", "{\"assay\":1}\n"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("transaction");
  }

  @Test
  void standardInputIsAnInput() {
    Ran ran = Ran.withInput(NON_REPEATABLE, "check", "--level", "ci", "-");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("standard input violates cut-isolation");
    assertThat(Ran.withInput("", "check", "-").err()).contains("standard input is empty");
    assertThat(Ran.withInput(REPEATABLE, "check", "-", "-").code()).isEqualTo(254);
  }

  @Test
  void aFolderIsEveryHistoryInItAndOtherFilesAreNoted() throws IOException {
    file("h/b.txt", NON_REPEATABLE);
    file("h/deep/a.txt", REPEATABLE);
    file("h/readme.md", "# nothing\n");
    file("h/.hidden", "nothing\n");
    Ran ran = Ran.of("check", "-l", "ci", folder.resolve("h").toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("b.txt violates cut-isolation")
        .contains("a.txt satisfies cut-isolation");
    assertThat(ran.err()).contains("note: skipped 1 file").contains("readme.md");
    Ran quiet = Ran.of("check", "-q", "-l", "ci", folder.resolve("h").toString());
    assertThat(quiet.err()).isEmpty();
  }

  @Test
  void aFolderWithoutHistoriesIsUnreadable() throws IOException {
    file("h/readme.md", "# nothing\n");
    Ran ran = Ran.of("check", folder.resolve("h").toString());
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("is a folder without histories");
  }

  // ---- outputs

  @Test
  void jsonIsOneObjectALineWithExactlyTheLevelsAskedFor() throws IOException {
    Ran ran =
        Ran.of(
            "check",
            "-l",
            "ci,PL-FCV",
            "-o",
            "json",
            file("a.txt", NON_REPEATABLE),
            "nosuchfile",
            file("b.txt", REPEATABLE));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).isEmpty();
    List<String> lines = ran.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(fields(lines.get(0)))
        .containsExactly(
            "schema",
            "assay",
            "file",
            "format",
            "history",
            "levels",
            "strongest",
            "weakestViolated",
            "anomalies",
            "inferred",
            "notes",
            "timing");
    assertThat(lines.get(0))
        .contains("\"levels\":{\"cut-isolation\":{\"verdict\":\"violated\"")
        .contains("\"forward-consistent-view\":{\"verdict\":\"unknown\"")
        .contains("\"reason\":\"unsupported\"")
        .contains("\"tap\":\"j\"")
        .contains("\"ops\":[[\"r\",1,1],[\"r\",1,2]]");
    assertThat(fields(lines.get(1))).containsExactly("schema", "assay", "file", "error");
    assertThat(lines.get(2)).contains("\"strongest\":[\"cut-isolation\"]");
  }

  @Test
  void junitFailsExactlyWhereTheExitCodeDoes() throws Exception {
    String violated = file("a.txt", NON_REPEATABLE);
    Ran ran = Ran.of("check", "-l", "ci", "--output", "junit", violated, "nosuchfile");
    Document document = xml(ran.out());
    assertThat(document.getElementsByTagName("testsuite").getLength()).isEqualTo(2);
    assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(document.getElementsByTagName("error").getLength()).isEqualTo(1);
    Ran survey = Ran.of("check", "--expect", "ci", "-o", "junit", file("b.txt", ABORTED_READ));
    assertThat(survey.code()).isZero();
    assertThat(xml(survey.out()).getElementsByTagName("failure").getLength()).isZero();
    assertThat(xml(survey.out()).getElementsByTagName("error").getLength()).isZero();
  }

  @Test
  void picturesAreWrittenBesideTheReport() throws IOException {
    Path dot = folder.resolve("x.dot");
    Path tikz = folder.resolve("x.tex");
    Ran ran =
        Ran.of(
            "check",
            "-l",
            "ci",
            file("a.txt", NON_REPEATABLE),
            "--dot",
            dot.toString(),
            "--tikz",
            tikz.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(dot).content().startsWith("digraph").contains("read 1 -> 2");
    assertThat(tikz).content().contains("\\begin{tikzpicture}");
  }

  @Test
  void aPictureThatCannotBeWrittenIsABadArgument() throws IOException {
    String history = file("a.txt", NON_REPEATABLE);
    Ran ran = Ran.of("check", history, "--dot", folder.resolve("no/x.dot").toString());
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("its folder does not exist");
  }

  @Test
  void colourIsUsedOnlyWhenAsked() throws IOException {
    String history = file("a.txt", NON_REPEATABLE);
    assertThat(Ran.of("check", history).out()).doesNotContain("\u001b");
    assertThat(Ran.of("check", history, "--color", "never").out()).doesNotContain("\u001b");
    assertThat(Ran.of("check", history, "--color", "always").out())
        .contains("\u001b[1;31mviolated");
  }

  @Test
  void quietLeavesOnlyTheResult() throws IOException {
    Ran ran = Ran.of("check", "--quiet", "--expect", "ci", file("a.txt", REPEATABLE));
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).doesNotContain("note:").startsWith("ok: ");
  }

  @Test
  void verboseSaysWhatIsJudged() throws IOException {
    Ran ran = Ran.of("check", "--verbose", file("a.txt", REPEATABLE));
    assertThat(ran.err()).contains("read as plume-text").contains("judging serializable");
  }

  @Test
  void theSameInputGivesTheSameOutputTimesAside() throws IOException {
    String history = file("a.txt", NON_REPEATABLE + ABORTED_READ.replace("1,1,", "5,9,"));
    String first = Ran.of("check", history, "--max-witnesses", "5").out();
    String second = Ran.of("check", history, "--max-witnesses", "5").out();
    assertThat(timeless(first)).isEqualTo(timeless(second)).isNotEmpty();
  }

  @Test
  void linesOfTypicalWitnessesFitOneHundredColumns() throws IOException {
    StringBuilder history = new StringBuilder();
    for (int i = 1; i < 60; i++) {
      history.append("w(").append(i * 1000).append(",1,1,1)\n");
    }
    history.append("w(7,100,1,1)\nw(7,200,1,2)\n");
    for (int i = 1; i < 60; i++) {
      history.append("r(").append(i * 1000).append(",1,2,3)\n");
    }
    history.append("r(7,100,2,3)\nr(7,200,2,3)\n");
    String name = file("a.txt", history.toString());
    Ran ran = Ran.of("check", name);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines().filter(line -> !line.contains(name)))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
  }

  // ---- helpers

  private static String timeless(String text) {
    return text.replaceAll("· [0-9.]+ m?s", "");
  }

  private static Document xml(String text) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The names of the fields of an object; fails where the text is not JSON. */
  private static List<String> fields(String json) throws IOException {
    List<String> fields = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        fields.add(parser.currentName());
        parser.nextToken();
        parser.skipChildren();
      }
      assertThat(parser.nextToken()).isNull();
    }
    return fields;
  }
}
