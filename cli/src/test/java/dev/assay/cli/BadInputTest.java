package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.binary.AssayBinary;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no client can have recorded is one error with its place, and stops no other file. */
class BadInputTest {
  private static final String LONG = "k".repeat(100_000);

  @TempDir Path folder;

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private String predicate(String operation) throws IOException {
    return file(
        "a.jsonl",
        "{\"session\":1,\"ops\":[[\"w\",\"x\",2]]}\n"
            + "{\"session\":2,\"ops\":[[\"r\",\"x\",2],"
            + operation
            + "]}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[\"select\",{\"select\":[\"min\",\"v\"]},[[\"x\",2]]] | asks for a min and gave rows",
        "[\"select\",{\"select\":[\"count\"]},[]] | asks for a count and gave rows",
        "[\"select\",{\"select\":[\"count\"]},{\"vector\":[1]}] | a count and gave a vector",
        "[\"select\",{\"select\":[\"count\"]},null] | asks for a count and gave null",
        "[\"select\",{\"select\":[\"count\"]},2.5] | asks for a count and gave 2.5",
        "[\"select\",{\"select\":[\"max\",\"v\"]},{\"vector\":[1]}] | a max and gave a vector",
        "[\"select\",{\"select\":[\"sum\",\"v\"]},{\"vector\":[1]}] | a sum and gave a vector",
        "[\"select\",{\"where\":[\">\",\"v\",0]},999] | asks for rows and gave 999",
        "[\"select\",{\"where\":[\">\",\"v\",0]},null] | asks for rows and gave null",
        "[\"select\",{},2] | asks for rows and gave 2",
        "[\"update\",{},[[\"x\",3],[\"x\",4]]] | gave the row x twice",
      })
  void aResultThatItsConditionCannotHaveIsAMistakeInTheFile(String operation, String message)
      throws IOException {
    String file = predicate(operation);
    for (String output : List.of("text", "json")) {
      Ran ran = Ran.of("check", "--output", output, file);
      assertThat(ran.code()).isEqualTo(254);
      assertThat(ran.err() + ran.out()).contains("that is operation 2").contains(message);
    }
    assertThat(Ran.of("check", file).err()).contains("a.jsonl:2").contains("expected: ");
    assertThat(Ran.of("stats", file).code()).isEqualTo(254);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"select\",{\"select\":[\"count\"]},1]",
        "[\"select\",{\"select\":[\"sum\",\"v\"],\"where\":[\">\",\"v\",5]},null]",
        "[\"select\",{\"where\":[\">\",\"v\",5]},[]]",
        "[\"select\",{\"select\":[\"median\",\"v\"]},{\"vector\":[1]}]",
        "[\"select\",{},[[\"x\",2],[\"x\",1]]]",
      })
  void otherResultsAreForCheckersToJudge(String operation) throws IOException {
    // A read of an unwritten value makes every renderer show the operations.
    String file = predicate(operation + ",[\"r\",\"y\",7]");
    String page = folder.resolve("p.html").toString();
    for (String output : List.of("text", "json", "junit")) {
      Ran ran = Ran.of("check", "--output", output, "--report", page, file);
      assertThat(ran.code()).as(ran.err()).isEqualTo(1);
    }
  }

  @Test
  void aBinaryFileIsHeldToTheSame() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session("a"), Outcome.COMMITTED);
    b.predicate(OpKind.SELECT, "{\"select\":[\"min\",\"v\"]}");
    b.row(b.scalars().of("x"), b.scalars().of(1L));
    b.result(b.scalars().of(1L));
    Path file = folder.resolve("a.assay");
    try (OutputStream out = Files.newOutputStream(file)) {
      new AssayBinary().write(b.build(), out);
    }
    Ran ran = Ran.of("check", file.toString());
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("a.assay@").contains("asks for a min and gave rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "stats --constraints"})
  void aCertificateIsAFile(String command) throws IOException {
    String file = file("a.jsonl", "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n");
    Ran ran = Ran.of((command + " --version-order - " + file).split(" "));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("--version-order needs a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "convert", "elle", "generate", "shrink", "stats", "watch"})
  void aMissingArgumentIsNamed(String command) {
    Ran ran = Ran.of(command);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).doesNotContain("defect").containsIgnoringCase("missing");
  }

  @Test
  void errorsAreShortHoweverLongTheInputIs() throws IOException {
    String history = file("a.jsonl", "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n");
    for (String line :
        List.of(
            "{\"key\":\"" + LONG + "\",\"versions\":[1]}",
            "{\"key\":\"x\",\"versions\":[" + "1".repeat(9_999) + "]}",
            "{\"order\":[\"" + LONG + "\"]}",
            "{\"select\":\"" + LONG + "#0\",\"snapshot\":{\"upTo\":null}}")) {
      Ran ran = Ran.of("check", "--version-order", file("c.jsonl", line), history);
      assertThat(ran.code()).isEqualTo(254);
      assertThat(ran.err()).contains("c.jsonl:1").contains("…");
      assertThat(ran.err().length()).isLessThan(1_000);
    }
    String rows = "[[\"" + LONG + "\",1],[\"" + LONG + "\",1]]";
    Ran ran = Ran.of("check", predicate("[\"update\",{}," + rows + "]"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("twice");
    assertThat(ran.err().length()).isLessThan(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "digits | a number that is too long, 10001 of at most 10000 characters",
        "depth | arrays and objects nested too deep, 251 of at most 250 levels",
        "NaN | Non-standard token 'NaN'",
        "/*a*/1 | maybe a (non-standard) comment?",
      })
  void nobodyIsToldAboutTheParser(String value, String message) throws IOException {
    String deep = "{\"vector\":[".repeat(200) + "]}".repeat(200);
    String json =
        switch (value) {
          case "digits" -> "1".repeat(10_001);
          case "depth" -> deep;
          default -> value;
        };
    String file = file("a.jsonl", "{\"session\":1,\"ops\":[[\"w\",\"x\"," + json + "]]}\n");
    Ran ran = Ran.of("check", file);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err())
        .contains("a.jsonl:1")
        .contains(message)
        .doesNotContain("Feature")
        .doesNotContain("Constraints");
  }

  @Test
  void whatIsTooLongHasAPlaceInJepsensFilesToo() throws IOException {
    String op = "{\"type\":\"%s\",\"process\":0,\"f\":\"txn\",\"value\":[[\"w\",\"x\",%s]]}\n";
    String digits = "1".repeat(10_001);
    Ran ran =
        Ran.of("check", file("a.json", op.formatted("invoke", 1) + op.formatted("ok", digits)));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("a.json:2:").contains("a number that is too long");
  }

  @Test
  void aConditionThatIsNotJsonIsSaidWithoutTheParser() throws IOException {
    for (String literal : List.of("NaN", "1".repeat(10_001), "{\"" + LONG + "\":1}")) {
      HistoryBuilder b = new HistoryBuilder();
      b.begin(b.session("a"), Outcome.COMMITTED);
      b.predicate(OpKind.SELECT, "{\"where\":[\"=\",\"v\"," + literal + "]}");
      Path file = folder.resolve("a.assay");
      try (OutputStream out = Files.newOutputStream(file)) {
        new AssayBinary().write(b.build(), out);
      }
      Ran ran = Ran.of("check", file.toString());
      assertThat(ran.code()).isEqualTo(254);
      assertThat(ran.err()).contains("a condition that is wrong at character");
      assertThat(ran.err()).doesNotContain("Feature").doesNotContain("maximum allowed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"=\",\"zz\",1]",
        "[\"=\",\"v\",{\"text\":\"a\"}]",
        "[\"=\",[\"%\",\"v\",0],1]",
        "[\"=\",[\"*\",\"v\",9223372036854775807],1]",
      })
  void anErrorOfEvaluationLeavesLevelsUnknown(String where) throws IOException {
    Ran ran = Ran.of("check", predicate("[\"select\",{\"where\":" + where + "},[]]"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).contains("note: predicates were not examined: ");
  }
}
