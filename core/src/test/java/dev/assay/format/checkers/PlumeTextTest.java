package dev.assay.format.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.history.HistoryAssert;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class PlumeTextTest {
  private static final PlumeText FORMAT = new PlumeText();

  private static History read(String text) throws ParseException {
    return Formats.read(Input.of("h.txt", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static ParseException error(String text) {
    return Written.error(FORMAT, Input.of("h.txt", text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void operationsOfOnePairFormATransactionWhereverTheyStand() throws ParseException {
    History h = read("w(1,1,0,7)\nr(2,0,1,8)\nw(2,1,0,7)\nr(1,1,0,9)");
    assertThat(Written.text(h))
        .isEqualTo(
            """
            session 0
              committed, write 1 1, write 2 1
              committed, read 1 -> 1
            session 1
              committed, read 2 -> 0
            """);
    assertThat(h.label(0)).isEqualTo("7");
    assertThat(h.place(2)).isEqualTo("h.txt:4");
    assertThat(h.zeroIsInitial()).isTrue();
  }

  @Test
  void numbersThatRepeatBetweenSessionsAreDifferentTransactions() throws ParseException {
    History h = read("w(1,1,0,0)\nw(1,2,1,0)\n");
    assertThat(h.transactionCount()).isEqualTo(2);
    assertThat(h.label(1)).isEqualTo("1/0");
  }

  @Test
  void consecutiveAbortedOperationsOfASessionAreOneTransaction() throws ParseException {
    History h = read("w(1,1,0,-1)\nw(5,5,3,4)\nw(2,1,0,-1)\nr(1,1,0,1)\nw(3,1,0,-1)\n");
    assertThat(Written.text(h))
        .isEqualTo(
            """
            session 0
              aborted, write 1 1, write 2 1
              committed, read 1 -> 1
              aborted, write 3 1
            session 3
              committed, write 5 5
            """);
  }

  @Test
  void windowsLineEndsBlanksBlankLinesAndAByteOrderMarkAreAccepted() throws ParseException {
    History h = read("\uFEFFw(1,1,0,0)\r\n\r\n  r( 1 , 1 ,1,1)  \r\n\n \n");
    assertThat(h.operationCount()).isEqualTo(2);
    assertThat(h.position(1)).isEqualTo(3);
  }

  @Test
  void allSixtyFourBitsAreKept() throws ParseException {
    String text =
        "w(-9223372036854775808,9223372036854775807,-1,5)\n"
            + "w(9223372036854775807,-9223372036854775808,1,2)\n";
    History h = read(text);
    assertThat(h.text(0)).isEqualTo("write -9223372036854775808 9223372036854775807");
    assertThat(h.text(1)).isEqualTo("write 9223372036854775807 -9223372036854775808");
  }

  @Test
  void malformedLinesAreNamedByLineAndColumn() {
    assertThat(error("w(1,1,0,0)\nq(1,1,0,0)\n").place()).isEqualTo("h.txt:2:1");
    assertThat(error("w(1,1,0,0)\nr(1,x,0,0)\n").place()).isEqualTo("h.txt:2:5");
    assertThat(error("w(1,1,0,0)\nr(1,x,0,0)\n").getMessage()).isEqualTo("found \"x,0,0)\"");
    assertThat(error("w(1,1,0,0)\nr(1,1,0").getMessage()).isEqualTo("found the end of the line");
    assertThat(error("w(1,1,0,0) w(1,2,0,0)\n").expected()).isEqualTo("the end of the line");
    assertThat(error("w(1,9223372036854775808,0,0)\n").expected()).contains("64-bit");
  }

  @Test
  void theFirstOfSeveralErrorsInDifferentBlocksIsReported() {
    String line = "w(1,1,0,0)\n";
    int perBlock = (1 << 22) / line.length() + 1;
    String text = line.repeat(perBlock) + "bad\n" + line.repeat(perBlock) + "worse\n";
    assertThat(error(text).line()).isEqualTo(perBlock + 1);
  }

  @Test
  void aTransactionMaySpanBlocks() throws ParseException {
    StringBuilder text = new StringBuilder();
    int lines = 600_000;
    for (int i = 0; i < lines; i++) {
      text.append("w(").append(i).append(",1,").append(i % 2).append(",0)\n");
    }
    History h = read(text.toString());
    assertThat(h.transactionCount()).isEqualTo(2);
    assertThat(h.operationCount()).isEqualTo(lines);
    assertThat(h.text(h.endOp(1) - 1)).isEqualTo("write " + (lines - 1) + " 1");
  }

  @Test
  void aLineOfTensOfMegabytesIsAnErrorAndNoHang() {
    byte[] blanks = new byte[30 << 20];
    Arrays.fill(blanks, (byte) ' ');
    blanks[0] = 'r';
    blanks[1] = '(';
    assertThat(Written.error(FORMAT, Input.of("h.txt", blanks)).line()).isEqualTo(1);
  }

  @Test
  void gzipIsUnpackedAndItsTruncationReported() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write("w(1,1,0,0)\n".repeat(1000).getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = packed.toByteArray();
    assertThat(Formats.read(Input.of("h.txt.gz", bytes)).operationCount()).isEqualTo(1000);
    InputStream cut = new ByteArrayInputStream(bytes, 0, bytes.length - 9);
    assertThat(Written.error(FORMAT, Input.of("h.txt.gz", cut)).getMessage())
        .contains("damaged or cut short");
  }

  @Test
  void whatItWritesItReadsBack() throws Exception {
    String text = "w(1,1,3,7)\nr(2,0,4,8)\nw(2,5,3,-1)\nr(1,1,4,9)\n";
    History h = read(text);
    assertThat(FORMAT.losses(h)).isEmpty();
    assertThat(new String(Written.bytes(FORMAT, h), StandardCharsets.UTF_8)).isEqualTo(text);
    HistoryAssert.assertSame(Written.read(FORMAT, "h.txt", Written.bytes(FORMAT, h)), h);
  }

  @Test
  void whatItCannotExpressIsNamed() {
    HistoryBuilder b = new HistoryBuilder();
    int s = b.session("alice");
    b.begin(s, Outcome.ABORTED);
    b.append("x", 1);
    b.begin(s, Outcome.ABORTED);
    b.write(1, 0);
    int t = b.begin(s, Outcome.INDETERMINATE);
    b.start(t, 1);
    assertThat(FORMAT.losses(b.build()))
        .contains(
            "1 list operation",
            "1 indeterminate transaction",
            "1 border between aborted transactions in a row",
            "1 transaction without operations")
        .anyMatch(loss -> loss.contains("real times"))
        .anyMatch(loss -> loss.contains("value 0"));
  }

  @Test
  void damagedFilesGiveAHistoryOrAnErrorWithAPlace() throws Exception {
    byte[] good =
        "w(1,1,0,0)\nw(2,1,0,0)\r\nr(1,1,1,1)\nr(2,-12,2,-1)\nw(7,99999,2,3)\n"
            .repeat(5)
            .getBytes(StandardCharsets.UTF_8);
    Random random = new Random(7);
    for (int i = 0; i < 5000; i++) {
      byte[] damaged = Mutations.mutate(good, random);
      try {
        History h = Formats.read(Input.of("h.txt", damaged), FORMAT);
        long lines =
            Arrays.stream(new String(damaged, StandardCharsets.ISO_8859_1).split("\n"))
                .filter(line -> !line.isBlank() && !line.equals("\u00ef\u00bb\u00bf"))
                .count();
        assertThat((long) h.operationCount()).isEqualTo(lines);
      } catch (ParseException e) {
        assertThat(e.getMessage()).isNotBlank();
        assertThat(e.file()).isEqualTo("h.txt");
      }
    }
  }
}
