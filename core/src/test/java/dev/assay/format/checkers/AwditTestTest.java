package dev.assay.format.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AwditTestTest {
  private static final AwditTest AWDIT = new AwditTest();

  private static final String SAMPLE =
      """
      w 0 0
      w 1 -9223372036854775808
      =====
      w 0 1
      -----
      r 0 1
      r 1 0
      =====
      r 9223372036854775807 1
      """;

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static History read(String text) throws ParseException {
    return Written.read(AWDIT, "test.txt", utf8(text));
  }

  private static String readText(String text) throws ParseException {
    return Written.text(read(text));
  }

  private static ParseException error(String text) {
    return Written.error(AWDIT, Input.of("test.txt", utf8(text)));
  }

  @Test
  void dashesEndTransactionsAndEqualsSignsEndSessions() throws Exception {
    History history = Formats.read(Input.of("test.txt", utf8(SAMPLE)));
    assertThat(Written.text(history))
        .isEqualTo(
            """
            session 0
              committed, write 0 0, write 1 -9223372036854775808
            session 1
              committed, write 0 1
              committed, read 0 -> 1, read 1 -> 0
            session 2
              committed, read 9223372036854775807 -> 1
            """);
    assertThat(history.zeroIsInitial()).isFalse();
    assertThat(history.origin().format()).isEqualTo("awdit-test");
    assertThat(history.place(0)).isEqualTo("test.txt:1");
    assertThat(history.place(2)).isEqualTo("test.txt:6");
  }

  @Test
  void theLastSeparatorsMayBeThereOrNot() throws Exception {
    String one = readText("w 1 1");
    assertThat(one).isEqualTo("session 0\n  committed, write 1 1\n");
    for (String end : List.of("\n", "\n-----", "\n-----\n", "\n=====\n", "\n-----\n=====\n")) {
      assertThat(readText("w 1 1" + end)).isEqualTo(one);
    }
  }

  @Test
  void dashesThatEndNothingAreAnEmptyTransaction() throws Exception {
    assertThat(readText("w 1 1\n-----\n-----\nw 1 2\n"))
        .isEqualTo("session 0\n  committed, write 1 1\n  committed\n  committed, write 1 2\n");
    assertThat(readText("-----\n=====\n=====\n-----"))
        .isEqualTo("session 0\n  committed\nsession 1\nsession 2\n  committed\n");
    assertThat(readText("")).isEmpty();
  }

  @Test
  void spacesBlankLinesCommentsAndByteOrderMarksAreSkipped() throws Exception {
    String text =
        "\ufeff# a test\r\n\r\n  w\t1   2 \r\n---------- \r\n\t# more\r\n r 1 2\t\r\n=\r\n\r\n";
    assertThat(readText(text))
        .isEqualTo("session 0\n  committed, write 1 2\n  committed, read 1 -> 2\n");
    assertThat(AWDIT.recognises(Input.of("x", utf8(text)))).isTrue();
    assertThat(read(text).position(0)).isEqualTo(3);
  }

  @Test
  void otherLinesAreErrorsWithTheirPlace() {
    ParseException e = error("w 1 2\nx 1 2\n");
    assertThat(e.place()).isEqualTo("test.txt:2:1");
    assertThat(e).hasMessage("\"x 1 2\"");
    assertThat(e.expected()).contains("\"r key value\"");

    assertThat(error("r(1,2,3,4)").place()).isEqualTo("test.txt:1:1");
    assertThat(error("w").place()).isEqualTo("test.txt:1:1");
    assertThat(error("--=--").place()).isEqualTo("test.txt:1:1");
    assertThat(error("  w 1").place()).isEqualTo("test.txt:1:6");
    assertThat(error("  w 1")).hasMessage("the end of the line");
    assertThat(error("w 1 2 3").place()).isEqualTo("test.txt:1:7");
    assertThat(error("w 1 2 3").expected()).isEqualTo("the end of the line");
    assertThat(error("w x 2").expected()).isEqualTo("a key, an integer");
    assertThat(error("w 1 -").expected()).isEqualTo("a value, an integer");
    assertThat(error("w 1 2x").expected()).isEqualTo("a value, an integer");
    assertThat(error("w 1 2 # no").place()).isEqualTo("test.txt:1:7");
    assertThat(error("w " + "\u0001".repeat(50) + " 1").getMessage())
        .startsWith("\"\ufffd")
        .endsWith("…\"");
  }

  @Test
  void integersBeyond64BitsAreErrors() throws Exception {
    for (String wide :
        List.of("9223372036854775808", "-9223372036854775809", "18446744073709551616")) {
      assertThat(error("w " + wide + " 1").expected()).isEqualTo("a key that fits in 64 bits");
      assertThat(error("w 1 " + wide).expected()).isEqualTo("a value that fits in 64 bits");
    }
    assertThat(readText("w -0 0009223372036854775807")).contains("write 0 9223372036854775807");
  }

  @Test
  void onlyItsOwnLinesAreRecognised() throws Exception {
    for (String text :
        List.of("w 1 2", "=====\n-----\nr -1 2\nnonsense", "-----\n-----\n=====\n")) {
      assertThat(AWDIT.recognises(Input.of("x", utf8(text)))).isTrue();
    }
    for (String text :
        List.of("", "w(1,2,3,4)\n", "w\n", "w x\n", "---\nkey: 1\n", "---\n", "read 1 2\n")) {
      assertThat(AWDIT.recognises(Input.of("x", utf8(text)))).isFalse();
    }
    assertThat(AWDIT.recognises(Input.of("x", new byte[100]))).isFalse();
  }

  @Test
  void plumeTextKeepsItsExtension() {
    assertThat(Formats.byName("run.awdit.gz")).map(HistoryFormat::id).contains("awdit-test");
    assertThat(Formats.byName("run.txt")).map(HistoryFormat::id).isNotEqualTo("awdit-test");
  }

  @Test
  void writingAndReadingGivesTheSameHistory() throws Exception {
    for (String text :
        List.of(SAMPLE, "", "w 1 1\n-----\n-----\n=====\n=====\n-----\nr 1 0\n-----\n-----\n")) {
      History history = read(text);
      assertThat(AWDIT.losses(history)).isEmpty();
      byte[] written = Written.bytes(AWDIT, history);
      History again = Written.read(AWDIT, "again.awdit", written);
      assertThat(Written.text(again)).isEqualTo(Written.text(history));
      assertThat(Written.bytes(AWDIT, again)).isEqualTo(written);
    }
    assertThat(new String(Written.bytes(AWDIT, read("w 1 2")), StandardCharsets.US_ASCII))
        .isEqualTo("w 1 2\n-----\n=====\n");
  }

  @Test
  void whatCannotBeWrittenIsNamedAndLeftOut() throws Exception {
    HistoryBuilder b = new HistoryBuilder();
    int alice = b.session("alice");
    b.begin(alice, Outcome.ABORTED);
    b.write(1, 1);
    b.begin(alice, Outcome.INDETERMINATE);
    b.write(1, 2);
    b.begin(alice, Outcome.COMMITTED);
    b.read("x", null);
    b.read(1, null);
    History history = b.build();
    assertThat(AWDIT.losses(history))
        .containsExactlyInAnyOrder(
            "1 operation on a key that is not a 64-bit integer",
            "1 aborted transaction",
            "1 indeterminate transaction",
            "that 2 reads saw the initial state, which becomes a transaction that writes 0");
    assertThat(Written.text(Written.read(AWDIT, "x", Written.bytes(AWDIT, history))))
        .isEqualTo("session 0\n  committed, read 1 -> 0\nsession 1\n  committed, write 1 0\n");
  }

  @Test
  void zeroIsAValueLikeAnyOther() throws Exception {
    History cycle = read("r 1 1\n-----\nw 0 0\n=====\nr 0 0\n-----\nw 1 1");
    Report report = Assay.check(cycle, Level.surveyed(), Budget.unlimited());
    assertThat(report.anomalies().get(0).type()).isEqualTo(AnomalyType.CYCLIC_CAUSALITY);
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
    assertThat(report.violated(Level.CAUSAL)).isTrue();

    Report read = Assay.check(read("r 0 0"), Level.surveyed(), Budget.unlimited());
    assertThat(read.anomalies().get(0).type()).isEqualTo(AnomalyType.THIN_AIR_READ);
  }

  @Test
  void anInitialStateOfAnotherFormatIsWrittenAsATransaction() throws Exception {
    History plume =
        Formats.read(Input.of("x.txt", utf8("r(1,0,1,1)\nw(1,5,1,1)\nr(2,0,2,2)\nr(1,5,2,2)\n")));
    assertThat(AWDIT.losses(plume))
        .containsExactly(
            "that 2 reads saw the initial state, which becomes a transaction that writes 0");
    History again = Written.read(AWDIT, "x", Written.bytes(AWDIT, plume));
    assertThat(Written.text(again)).endsWith("session 2\n  committed, write 1 0, write 2 0\n");
    assertThat(
            Assay.check(again, Level.surveyed(), Budget.unlimited())
                .holds(Level.STRONG_SESSION_SERIALIZABLE))
        .isTrue();

    // A history that loads zeros itself needs no added loader.
    History loaded = Formats.read(Input.of("x.txt", utf8("w(1,0,1,1)\nr(1,0,2,2)\n")));
    assertThat(AWDIT.losses(loaded))
        .containsExactly("that 0 is the initial value, in 2 operations");
    assertThat(Written.text(Written.read(AWDIT, "x", Written.bytes(AWDIT, loaded))))
        .isEqualTo("session 0\n  committed, write 1 0\nsession 1\n  committed, read 1 -> 0\n");
  }

  @Test
  void damagedFilesGiveAHistoryOrAnError() {
    Random random = new Random(20260104);
    int errors = 0;
    for (int i = 0; i < 5_000; i++) {
      try {
        Written.read(AWDIT, "test.txt", Mutations.mutate(utf8(SAMPLE), random));
      } catch (ParseException e) {
        errors++;
      }
    }
    assertThat(errors).isBetween(1_000, 4_999);
  }
}
