package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JepsenEdnTest {
  private static final JepsenEdn FORMAT = new JepsenEdn();

  private static final String PAIR =
      """
      {:type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r :x nil]], :time 5, :index 0}
      {:type :ok, :process 0, :f :txn, :value [[:append :x 1] [:r :x [1]]], :time 9, :index 1}
      """;

  private static History read(String text) throws ParseException {
    return Written.read(FORMAT, "h.edn", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String only(String ops) throws ParseException {
    History history = read(ops);
    return Written.text(history);
  }

  // ---- layouts

  @Test
  void anInvocationAndItsCompletionAreOneTransaction() throws ParseException {
    History h = read(PAIR);
    assertThat(Written.text(h)).isEqualTo("session 0\n  committed, append :x 1, read :x -> [1]\n");
    assertThat(h.ownId(0)).isEqualTo(1L);
    assertThat(h.start(0)).isEqualTo(0);
    assertThat(h.end(0)).isEqualTo(1);
    assertThat(h.shownStart(0)).isEqualTo(5);
    assertThat(h.shownEnd(0)).isEqualTo(9);
    assertThat(h.place(0)).isEqualTo("h.edn:2");
    assertThat(h.origin().format()).isEqualTo("jepsen-edn");
    assertThat(h.zeroIsInitial()).isFalse();
    assertThat(h.metadata()).isEmpty();
  }

  @Test
  void layoutsMakeNoDifference() throws ParseException {
    String expected = only(PAIR);
    String oneLine = PAIR.replace("\n", " ");
    for (String text :
        List.of(
            oneLine,
            "[" + PAIR + "]",
            "(" + oneLine + ")\n\n  ",
            "\uFEFF" + PAIR,
            PAIR.replace("\n", "\r\n"),
            "; a comment {\n" + PAIR + "; the end",
            PAIR.replace("{", "#jepsen.history.Op{"),
            PAIR.replace("{", "#jepsen.history.Op {:exception {:via [#{1 2} \\} \"}\"]}, "),
            PAIR.replace("{", "#_{:junk [1} #_(a \"b\") ^{:line 3} {".replace("1}", "1]}")),
            PAIR.replace(",", ""),
            PAIR.replace(", ", "\n  "),
            PAIR.replace(":ok", "\"ok\"").replace(":append", "append").replace(":r ", "\"r\" "),
            PAIR.replace("[[", "([").replace("nil]]", "nil])").replace("[1]]]", "(1)])"),
            PAIR.replace(":f :txn", ":f nil"),
            PAIR.replace(":f :txn,", ""),
            PAIR.replace(":f :txn", ":f :append"),
            PAIR.replace("{", "{:jepsen.core/node \"n1\" :more {:a 1} \"text\" 2 "),
            PAIR.substring(0, PAIR.length() - 1))) {
      assertThat(only(text)).as(text).isEqualTo(expected);
    }
  }

  @Test
  void logLinesBetweenOperationsAreLeftOutAndCounted() throws ParseException {
    History h = read("INFO [2024-01-01] jepsen {:not an op\n" + PAIR + "\n2024 WARN x\n");
    assertThat(h.transactionCount()).isEqualTo(1);
    assertThat(h.metadata())
        .containsEntry("note.lines", "left out 2 lines that hold no operation")
        .hasSize(1);
  }

  @Test
  void gzipIsUnpacked() throws IOException, ParseException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(PAIR.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(Formats.read(Input.of("h", bytes.toByteArray())).transactionCount()).isEqualTo(1);
  }

  @Test
  void aStoredRunIsReadFromItsFolder(@TempDir Path folder) throws IOException, ParseException {
    Files.writeString(folder.resolve("history.txt"), "0\t:ok\t:txn\t[[:w 1 1]]\n");
    Files.writeString(folder.resolve("jepsen.log"), "whatever");
    History text = Formats.read(Input.of(folder));
    assertThat(Written.text(text)).isEqualTo("session 0\n  committed, write 1 1\n");
    assertThat(text.place(0)).endsWith("history.txt:1");
    Files.writeString(folder.resolve("history.edn"), PAIR);
    History edn = Formats.read(Input.of(folder));
    assertThat(edn.operationCount()).isEqualTo(2);
    assertThat(edn.place(0)).endsWith("history.edn:2");
  }

  private static void writeRestOfAStoredRun(Path folder) throws IOException {
    Files.write(folder.resolve("test.jepsen"), new byte[] {'J', 'E', 'P', 'S', 'E', 'N', 0, 1});
    Files.writeString(folder.resolve("results.edn"), "{:valid? true, :stats {:type :ok}}");
    Files.writeString(folder.resolve("test.edn"), "{:name \"append\"}");
    Files.writeString(folder.resolve("timeline.html"), "<html></html>");
    Files.writeString(Files.createDirectory(folder.resolve("n1")).resolve("db.log"), "started");
  }

  @Test
  void theOtherFilesOfAStoredRunDoNotMatter(@TempDir Path folder) throws Exception {
    writeRestOfAStoredRun(folder);
    Files.writeString(folder.resolve("history.edn"), PAIR);
    assertThat(Formats.detect(Input.of(folder))).get().isInstanceOf(JepsenEdn.class);
    assertThat(Formats.read(Input.of(folder)).transactionCount()).isEqualTo(1);
  }

  @Test
  void aStoredRunThatEndedBeforeItsHistoryIsRefusedAsOne(@TempDir Path folder) throws Exception {
    writeRestOfAStoredRun(folder);
    assertThat(Formats.detect(Input.of(folder))).get().isInstanceOf(JepsenEdn.class);
    assertThat(Written.error(FORMAT, Input.of(folder)).getMessage())
        .isEqualTo("is damaged: its header is cut short");
    Files.move(folder.resolve("test.jepsen"), folder.resolve("test.fressian"));
    assertThat(Written.error(FORMAT, Input.of(folder)).getMessage())
        .isEqualTo("is a folder without a history");
  }

  @Test
  void aFolderWithoutHistoryIsRefusedByName(@TempDir Path folder) {
    ParseException e = Written.error(FORMAT, Input.of(folder));
    assertThat(e.getMessage()).isEqualTo("is a folder without a history");
  }

  @Test
  void historyTextHasTheFieldsOfAnOperationSideBySide() throws ParseException {
    String text =
        """
        :nemesis	:info	:start	{:cut #{1 2}}
        0	:invoke	:txn	[[:append 1 1] [:r 1 nil]]
        12   :invoke   :txn    [[:w "a b" nil]]
        0	:fail	:txn	[[:append 1 1] [:r 1 nil]]	[:conflict "x; y"]
        12   :info   :txn    nil   indeterminate: timeout
        some log line
        """;
    History h = Formats.read(Input.of("h.txt", text.getBytes(StandardCharsets.UTF_8)));
    assertThat(Written.text(h))
        .isEqualTo(
            """
            session 0
              aborted, append 1 1, read 1 -> ?
            session 12
              indeterminate, write a b nil
            """);
    assertThat(h.error(0)).isEqualTo("[:conflict \"x; y\"]");
    assertThat(h.error(1)).isEqualTo("indeterminate: timeout");
    assertThat(h.position(1)).isEqualTo(5);
    assertThat(h.metadata()).containsOnlyKeys("note.skipped", "note.lines");
  }

  // ---- outcomes and sessions

  @Test
  void typesOfCompletionsAreOutcomes() throws ParseException {
    String text =
        """
        {:type :ok :process 0 :value [[:w 1 1]]}
        {:type :fail :process 1 :value [[:w 1 2]] :error [:conflict {:a 1}]}
        {:type :info :process 2 :value [[:w 1 3]] :error "gone"}
        {:type :invoke :process 3 :value [[:w 1 4]]}
        """;
    History h = read(text);
    assertThat(List.of(h.outcome(0), h.outcome(1), h.outcome(2), h.outcome(3)))
        .containsExactly(
            Outcome.COMMITTED, Outcome.ABORTED, Outcome.INDETERMINATE, Outcome.INDETERMINATE);
    assertThat(h.error(0)).isNull();
    assertThat(h.error(1)).isEqualTo("[:conflict {:a 1}]");
    assertThat(h.error(2)).isEqualTo("gone");
    assertThat(h.metadata())
        .containsEntry("note.unfinished", "took 1 invocation that never completed as indeterminate")
        .containsEntry("note.uninvoked", "found no invocation, so no real time: 3 completions");
  }

  @Test
  void nilReadsAreInitialInOkAndUnknownElsewhere() throws ParseException {
    String reads = "[[:w 1 nil] [:r 1] [:r 1 nil]]";
    assertThat(only("{:type :ok :process 0 :value " + reads + "}"))
        .endsWith("committed, write 1 nil, read 1 -> nil, read 1 -> nil\n");
    for (String type : List.of(":fail", ":info", ":invoke")) {
      assertThat(only("{:type " + type + " :process 0 :value " + reads + "}"))
          .endsWith(", write 1 nil, read 1 -> ?, read 1 -> ?\n");
    }
  }

  @Test
  void aCompletionWithoutValueHasThatOfItsInvocation() throws ParseException {
    for (String value : List.of("", ":value nil")) {
      String text =
          "{:type :invoke :process 0 :value [[:w 1 1] [:r 1 nil]]}\n"
              + "{:type :ok :process 0 %s}".formatted(value);
      assertThat(only(text)).isEqualTo("session 0\n  committed, write 1 1, read 1 -> ?\n");
    }
  }

  @Test
  void aProcessThatCrashedGoesOnAsANewSession() throws ParseException {
    String text =
        """
        {:type :invoke :process 3 :value [[:w 1 1]]}
        {:type :info :process 3 :value [[:w 1 1]]}
        {:type :invoke :process 3 :value [[:w 1 2]]}
        {:type :invoke :process 3 :value [[:w 1 3]]}
        {:type :ok :process 3 :value [[:w 1 3]]}
        {:type :invoke :process 3 :value [[:w 1 4]]}
        {:type :fail :process 3 :value [[:w 1 4]]}
        """;
    History h = read(text);
    assertThat(Written.text(h))
        .isEqualTo(
            """
            session 3
              indeterminate, write 1 1
            session 3'1
              indeterminate, write 1 2
            session 3'2
              committed, write 1 3
              aborted, write 1 4
            """);
    assertThat(h.end(0)).isEqualTo(History.ABSENT);
    assertThat(h.end(1)).isEqualTo(History.ABSENT);
    assertThat(h.position(1)).isEqualTo(3);
    assertThat(h.start(2)).isEqualTo(3);
    assertThat(h.end(2)).isEqualTo(4);
  }

  @Test
  void realTimeIsTheOrderInTheFileAndTimeIsOnlyShown() throws ParseException {
    String text =
        """
        {:type :invoke :process 0 :value [[:w 1 1]] :time 100}
        {:type :info :process :nemesis :f :start :value [:cut {:a :b}] :time 3}
        {:type :invoke :process 1 :value [[:w 1 2]] :time 90}
        {:type :ok :process 1 :value [[:w 1 2]] :time 80}
        {:type :ok :process 0 :value [[:w 1 1]] :time -1}
        """;
    History h = read(text);
    assertThat(List.of(h.start(0), h.end(0), h.start(1), h.end(1))).containsExactly(0L, 3L, 1L, 2L);
    assertThat(h.shownStart(1)).isEqualTo(90);
    assertThat(h.shownEnd(0)).isEqualTo(History.ABSENT);
    assertThat(h.ownId(0)).isEqualTo(4L);
    assertThat(h.ownId(1)).isEqualTo(3L);
    assertThat(h.metadata())
        .containsEntry("note.skipped", "left out 1 operation of non-clients: :nemesis");
  }

  @Test
  void aFileOfCompletionsOnlyHasNoTimes() throws ParseException {
    History h =
        read(
            """
            {:type :ok :process 1 :value [[:w 1 1]] :index 7}
            {:type :ok :process 1 :value [[:w 1 2]] :index 9}
            """);
    assertThat(h.hasTimes()).isFalse();
    assertThat(h.sessionSize(0)).isEqualTo(2);
    assertThat(h.ownId(1)).isEqualTo(9L);
    assertThat(h.metadata()).isEmpty();
  }

  @Test
  void operationsWithoutProcessPairWithTheirNeighbours() throws ParseException {
    History h =
        read(
            """
            {:type :invoke :value [[:w 1 1]]}
            {:type :ok :value [[:w 1 1]]}
            {:type :invoke :process nil :value [[:w 1 2]]}
            {:type :fail :process nil :value [[:w 1 2]]}
            """);
    assertThat(h.sessionCount()).isEqualTo(2);
    assertThat(h.end(1)).isEqualTo(3);
    assertThat(h.metadata())
        .containsEntry(
            "note.anonymous", "made a session of each transaction: 4 operations without :process");
  }

  // ---- values

  @Test
  void keysAndValuesOfEveryKindKeepTheirIdentity() throws ParseException {
    String values =
        "1|-1|+2|1N|12345678901234567890|-9223372036854775808|1.5|1.50|2.5M|1e400"
            + "|0.12345678901234567891|\"s\\n\\\"\\u00e9\"|:k|:ns/k|sym|true|false|nil|\\a|\\space"
            + "|#inst \"2024-01-01\"|#uuid \"x\"|##NaN|[1 [2 nil]]|(3)";
    StringBuilder ops = new StringBuilder();
    for (String value : values.split("\\|")) {
      ops.append("[:w 0 ").append(value).append("]");
    }
    History h = read("{:type :ok :process 0 :value [" + ops + "]}");
    List<Object> read = new ArrayList<>();
    for (int op = 0; op < h.operationCount(); op++) {
      read.add(h.operation(op).value());
    }
    assertThat(read.stream().map(String::valueOf))
        .containsExactly(
            "1",
            "-1",
            "2",
            "1",
            "12345678901234567890",
            "-9223372036854775808",
            "1.5",
            "1.5",
            "2.5",
            "1E+400",
            "0.12345678901234567891",
            "s\n\"é",
            ":k",
            ":ns/k",
            "sym",
            "true",
            "false",
            "null",
            "a",
            " ",
            "2024-01-01",
            "x",
            "NaN",
            "[1, [2, null]]",
            "[3]");
    assertThat(h.value(0)).isEqualTo(h.value(3));
    assertThat(h.value(6)).isEqualTo(h.value(7));
  }

  @Test
  void setsAndCountersAreToldByWhatIsDoneToTheirKeys() throws ParseException {
    assertThat(
            only(
                """
                {:type :ok :process 0 :value [[:add 1 5] [:inc 2 3] [:add 1 4]]}
                {:type :ok :process 0 :value [[:r 1 #{5 4}] [:r 1 [5]] [:r 2 3] [:r 3 #{"a" 1}]]}
                """))
        .endsWith(
            """
              committed, add 1 5, increment 2 3, add 1 4
              committed, read 1 -> {4 5}, read 1 -> {5}, read 2 -> 3, read 3 -> {1 a}
            """);
  }

  @Test
  void longListsOfAllKindsOfElementsAreReadWhole() throws ParseException {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      list.append(i % 97 == 0 ? "\n" : i % 89 == 0 ? " , " : " ");
      list.append(i % 1000 == 999 ? "-" : "").append(i);
    }
    History h = read("{:type :ok :process 0 :value [[:r 1 [" + list + "]]]}");
    int sequence = h.value(0);
    assertThat(h.sequences().length(sequence)).isEqualTo(100_000);
    for (int i = 0; i < 100_000; i++) {
      assertThat(h.sequences().element(sequence, i)).isEqualTo(i % 1000 == 999 ? -i : i);
    }
  }

  // ---- the corpus

  @Test
  void publishedHistoriesAreRead() throws IOException, ParseException {
    for (String folder : List.of("taps", "elle")) {
      Path path = Path.of("..", "..", "shared", "corpus", folder);
      if (!Files.isDirectory(path)) {
        continue;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*.edn")) {
        for (Path file : files) {
          History h = Formats.read(Input.of(file));
          assertThat(h.transactionCount()).as(file.toString()).isPositive();
          assertThat(h.origin().format()).isEqualTo("jepsen-edn");
        }
      }
    }
  }

  // ---- detection

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"session\":\"3\",\"outcome\":\"committed\",\"ops\":[[\"r\",\"x\",1]]}",
        "{\"assay\":1}",
        "{\"value\": [[\"w\", 1, 2, true]]}",
        "[{\"type\":\"ok\",\"process\":0,\"value\":[]}]",
        "r(1,2,3,4)\nw(1,2,3,4)\n",
        "w 1 2\n-----\n",
        "[]",
        "",
        "3 :start now"
      })
  void otherFormatsAreNotClaimed(String text) throws IOException, ParseException {
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThat(FORMAT.recognises(input)).isFalse();
  }
}
