package dev.assay.format.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViperLogTest {
  private static final ViperLog VIPER = new ViperLog();

  @TempDir Path folder;

  private void put(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private History read(String text) throws IOException, ParseException {
    put("J1.log", text);
    return Formats.read(Input.of(folder), VIPER);
  }

  private ParseException error(String text) throws IOException {
    put("J1.log", text);
    ParseException e = Written.error(VIPER, Input.of(folder));
    assertThat(e.file()).isEqualTo(folder + "/J1.log");
    return e;
  }

  @Test
  void eachFileIsASessionAndEachLineATransaction() throws Exception {
    put("J24.log", "{\"value\": [[\"w\", 1, 2, true]]}\n{\"value\": [[\"r\", 1, 2, true]]}\n");
    put("J25.log", "{\"value\": [[\"r\", 2, 0, false], [\"w\", 2, 3]]}");
    History history = Formats.read(Input.of(folder));
    assertThat(Written.text(history))
        .isEqualTo(
            """
            session J24
              committed, write 1 2
              committed, read 1 -> 2
            session J25
              committed, read 2 -> 0, write 2 3
            """);
    assertThat(history.zeroIsInitial()).isTrue();
    assertThat(history.metadata()).isEmpty();
    assertThat(history.hasTimes()).isFalse();
    assertThat(history.place(1)).isEqualTo(folder + "/J24.log:2");
    assertThat(history.place(2)).isEqualTo(folder + "/J25.log:1");
  }

  private static boolean holds(History history, Level level) {
    return Assay.check(history, List.of(level), Budget.unlimited()).holds(level);
  }

  @Test
  void withoutAnInitialTransactionWhatNobodyWroteWasThereBefore() throws Exception {
    put("J1.log", "{\"value\": [[\"r\", 7, 99, false]]}\n");
    put("J2.log", "{\"value\": [[\"w\", 7, 1, true]]}\n{\"value\": [[\"r\", 7, 1, false]]}\n");
    History history = Formats.read(Input.of(folder));
    assertThat(history.values().get(history.declaredInitial(0))).isEqualTo(99L);
    assertThat(holds(history, Level.STRONG_SESSION_SERIALIZABLE)).isTrue();

    put("J1.log", "{\"value\": [[\"r\", 7, 1, false]]}\n{\"value\": [[\"r\", 7, 99, false]]}\n");
    assertThat(holds(Formats.read(Input.of(folder)), Level.CAUSAL)).isFalse();
  }

  @Test
  void aKeyBeginsWithOneValueOnly() throws Exception {
    assertThat(
            holds(
                read("{\"value\": [[\"r\", 7, 99, false]]}{\"value\": [[\"r\", 7, 98, false]]}"),
                Level.READ_COMMITTED))
        .isFalse();
    assertThat(
            holds(
                read("{\"value\": [[\"r\", 7, 99, false]]}{\"value\": [[\"r\", 7, 0, false]]}"),
                Level.READ_COMMITTED))
        .isFalse();
  }

  @Test
  void theInitialTransactionPrecedesAllOthers() throws Exception {
    put("J0.log", "{\"value\": [[\"w\", 7, 99, true]], \"isInitial\": true}");
    put("J1.log", "{\"value\": [[\"r\", 7, 99, false]]}");
    put("J2.log", "{\"value\": [[\"w\", 7, 1, true]]}\n{\"value\": [[\"r\", 7, 99, false]]}\n");
    History history = Formats.read(Input.of(folder));
    assertThat(history.transactionCount()).isEqualTo(3);
    assertThat(history.place(0)).isEqualTo(folder + "/J1.log:1");
    assertThat(holds(history, Level.STRONG_SESSION_SERIALIZABLE)).isFalse();
    assertThat(holds(history, Level.READ_YOUR_WRITES)).isFalse();

    // With an initial state on record, nothing else was there before.
    put("J1.log", "{\"value\": [[\"r\", 8, 98, false]]}");
    assertThat(holds(Formats.read(Input.of(folder)), Level.READ_COMMITTED)).isFalse();
  }

  @Test
  void aReadWhoseFourthFieldIsFalseDidHappen() throws Exception {
    assertThat(Written.text(read("{\"value\": [[\"r\", 1, 2, false]]}")))
        .isEqualTo("session J1\n  committed, read 1 -> 2\n");
  }

  @Test
  void failedWritesAreLeftOutWithANote() throws Exception {
    History history =
        read(
            """
            {"value": [["w", 1, 2, false], ["w", 1, 3, true]]}
            {"value": [["w", 1, 4, false]], "committed": false}
            """);
    assertThat(Written.text(history)).isEqualTo("session J1\n  committed, write 1 3\n  aborted\n");
    assertThat(history.metadata())
        .containsEntry(
            "note.failed-events",
            "1 committed transaction contains failed operations, which were left out");
  }

  @Test
  void insertsAndDeletesReadAndThenWrite() throws Exception {
    History history =
        read(
            """
            {"value": [["i", 1, 10, 0, false, true], ["d", 1, 11, 10, false, true]]}
            {"value": [["d", 1, 12, 11, true, false]]}
            """);
    assertThat(Written.text(history))
        .isEqualTo(
            """
            session J1
              committed, read 1 -> 0, write 1 10, read 1 -> 10, write 1 11
              committed, read 1 -> 11
            """);
  }

  @Test
  void operationsMayBeObjects() throws Exception {
    String line =
        """
        {"value": [{"opType": "r", "key": "k", "value": 0, "isDead": false, "reqTS": 1},\
         {"value": 5, "succ": true, "key": "k", "opType": "w"},\
         {"opType": "i", "key": 2, "value": 7, "readValue": 0, "isDead": false, "succ": true}]}
        """;
    assertThat(Written.text(read(line)))
        .isEqualTo("session J1\n  committed, read k -> 0, write k 5, read 2 -> 0, write 2 7\n");
  }

  @Test
  void keysAndValuesMayBeAnyScalar() throws Exception {
    String line =
        "{\"value\": [[\"w\",\"x\",1.5],[\"r\",-9223372036854775808,null],"
            + "[\"w\",18446744073709551616,\"v\"],[\"w\",1.5,true]]}";
    History history = read(line);
    assertThat(Written.text(history))
        .isEqualTo(
            "session J1\n  committed, write x 1.5, read -9223372036854775808 -> nil,"
                + " write 18446744073709551616 v, write 1.5 true\n");
  }

  @Test
  void fieldsThatSayTheTransactionAbortedAreHeard() throws Exception {
    List<String> aborted =
        List.of(
            "\"status\": \"aborted\"",
            "\"outcome\": \"ABORT\"",
            "\"type\": \"fail\"",
            "\"committed\": false",
            "\"success\": false",
            "\"aborted\": true");
    for (String field : aborted) {
      assertThat(Written.text(read("{" + field + ", \"value\": []}"))).contains("aborted");
      assertThat(Written.text(read("{\"value\": [], " + field + "}"))).contains("aborted");
    }
    assertThat(Written.text(read("{\"type\": \"info\", \"value\": []}"))).contains("indeterminate");
    for (String field : List.of("\"type\": \"ok\"", "\"aborted\": false", "\"x\": {\"a\": [1]}")) {
      assertThat(Written.text(read("{" + field + ", \"value\": []}"))).contains("committed");
    }
  }

  @Test
  void timestampsAreRealTimesWhereTheyAreGiven() throws Exception {
    History history =
        read(
            """
            {"preBeginTS": 10, "postBeginTS": 11, "postCommitTS": 13, "value": []}
            {"preBeginTS": 0, "postCommitTS": 13, "value": []}
            {"preBeginTS": 99999999999999999999, "postCommitTS": "x", "value": []}
            """);
    assertThat(history.start(0)).isEqualTo(10);
    assertThat(history.end(0)).isEqualTo(13);
    assertThat(history.start(1)).isEqualTo(History.ABSENT);
    assertThat(history.end(1)).isEqualTo(History.ABSENT);
    assertThat(history.start(2)).isEqualTo(History.ABSENT);
  }

  @Test
  void byteOrderMarksBlankLinesAndWindowsLineEndsAreSkipped() throws Exception {
    put("J0.log", "");
    History history = read("\ufeff\r\n{\"value\": []}\r\n\r\n{\"value\": []}  \r\n\r\n");
    assertThat(history.transactionCount()).isEqualTo(2);
    assertThat(history.sessionCount()).isEqualTo(1);
    assertThat(history.place(1)).isEqualTo(folder + "/J1.log:4");
    assertThat(VIPER.recognises(Input.of(folder))).isTrue();
  }

  @Test
  void whatIsNotATransactionIsAnErrorWithItsPlace() throws Exception {
    ParseException range =
        error("{\"value\": []}\n{\"value\": [[\"range\", 1, 2, [{\"id\": 1}], []]]}\n");
    assertThat(range).hasMessage("a range query");
    assertThat(range.line()).isEqualTo(2);
    assertThat(range.column()).isEqualTo(12);
    assertThat(range.hint()).contains("not supported");

    assertThat(error("{\"value\": [[\"r\", 1]]}")).hasMessageContaining("too few fields");
    assertThat(error("{\"value\": [[\"i\", 1, 2]]}")).hasMessageContaining("too few fields");
    assertThat(error("{\"value\": [[\"x\", 1, 2]]}")).hasMessageContaining("another kind");
    assertThat(error("{\"value\": [{\"key\": 1}]}")).hasMessageContaining("without a kind");
    assertThat(error("{\"value\": [[1, 1, 2]]}")).hasMessage("a number");
    assertThat(error("{\"value\": [[\"r\", [1], 2]]}")).hasMessage("an array");
    assertThat(error("{\"value\": [[\"r\", 1, 1e999]]}").expected()).contains("fits in 64 bits");
    assertThat(error("{\"value\": [[\"w\", 1, 2, 3]]}").expected()).contains("true or false");
    assertThat(error("{\"value\": [5]}").expected()).contains("an operation such as");
    assertThat(error("{\"value\": {}}").expected()).isEqualTo("an array of operations");
    assertThat(error("{\"value\": [], \"value\": []}").expected()).contains("one \"value\"");
    assertThat(error("{\"x\": 1}").expected()).contains("\"value\"");
    assertThat(error("[]")).hasMessage("an array");
    assertThat(error("\u0000\u0000\u0000\u0000")).hasMessageStartingWith("not JSON");
  }

  @Test
  void brokenJsonIsAnErrorWithItsPlace() throws Exception {
    ParseException cut = error("{\"value\": []}\n{\"value\": [[\"r\", 1,");
    assertThat(cut).hasMessageStartingWith("not JSON: ");
    assertThat(cut.line()).isEqualTo(2);
    assertThat(cut.getMessage()).doesNotContain("\n");
    assertThat(error("{\"x\": " + "[".repeat(100_000))).hasMessageStartingWith("not JSON");
    assertThat(error("{\"value\": [[\"w\", " + "9".repeat(100_000) + ", 1]]}"))
        .hasMessageStartingWith("not JSON");
  }

  @Test
  void otherFoldersAreNotRecognised() throws Exception {
    assertThat(VIPER.recognises(Input.of(folder))).isFalse();
    assertThat(Written.error(VIPER, Input.of(folder))).hasMessage("has no such log files");
    put("K1.log", "{\"value\": []}");
    assertThat(VIPER.recognises(Input.of(folder))).isFalse();
    put("J1.log", "Just a log\n");
    assertThat(VIPER.recognises(Input.of(folder))).isFalse();
  }

  @Test
  void damagedLogsGiveAHistoryOrAnError() throws Exception {
    byte[] whole =
        """
        {"preBeginTS": 5, "postCommitTS": 6, "value": [["w", 1, 2, true], ["r", "x", null, false]]}
        {"value": [["i", 1, 10, 0, false, true], {"opType": "w", "key": 1.5, "value": 3}]}
        """
            .getBytes(StandardCharsets.UTF_8);
    Random random = new Random(20260103);
    int errors = 0;
    for (int i = 0; i < 3_000; i++) {
      Files.write(folder.resolve("J1.log"), Mutations.mutate(whole, random));
      try {
        Formats.read(Input.of(folder), VIPER);
      } catch (ParseException e) {
        errors++;
      }
    }
    assertThat(errors).isBetween(500, 2_999);
  }

  @Test
  void realLogsAreRead() throws Exception {
    for (Path run : Written.corpus("taps/viper")) {
      History history = Formats.read(Input.of(run));
      assertThat(history.origin().format()).isEqualTo("viper-log");
      assertThat(history.sessionCount()).isBetween(1, 5);
      assertThat(history.transactionCount()).isBetween(1, 8);
      assertThat(history.operationCount()).isBetween(3, 10);
    }
  }
}
