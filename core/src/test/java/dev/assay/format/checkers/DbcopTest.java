package dev.assay.format.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DbcopTest {
  private static final Dbcop DBCOP = new Dbcop();

  /** The header of Size of the header of {@link Bytes#header}. */
  private static final int HEADER_BYTES = 40 + 3 * 8 + "Galera".length() + "s".length();

  /** A file as it is put together by hand. */
  private static final class Bytes {
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

    static Bytes header() {
      return new Bytes().longs(7, 2, 2, 2, 2).text("Galera").text("s").text("");
    }

    Bytes longs(long... numbers) {
      for (long number : numbers) {
        buffer.putLong(number);
      }
      return this;
    }

    Bytes text(String text) {
      buffer.putLong(text.length()).put(text.getBytes(StandardCharsets.UTF_8));
      return this;
    }

    Bytes event(int isWrite, long key, long value, int success) {
      buffer.put((byte) isWrite).putLong(key).putLong(value).put((byte) success);
      return this;
    }

    Bytes flag(int flag) {
      buffer.put((byte) flag);
      return this;
    }

    byte[] done() {
      return Arrays.copyOf(buffer.array(), buffer.position());
    }
  }

  private static byte[] sample() {
    return Bytes.header()
        .longs(2)
        .longs(2)
        .longs(2)
        .event(1, 1, 10, 1)
        .event(0, -2, 0, 1)
        .flag(1)
        .longs(1)
        .event(1, 1, Long.MIN_VALUE, 1)
        .flag(0)
        .longs(1)
        .longs(3)
        .event(0, 1, 10, 1)
        .event(1, 1, 11, 0)
        .event(1, Long.MAX_VALUE, 12, 1)
        .flag(1)
        .done();
  }

  private static History read(byte[] bytes) throws ParseException {
    return Formats.read(Input.of("run.bincode", bytes));
  }

  private static ParseException error(byte[] bytes) {
    return Written.error(DBCOP, Input.of("run.bincode", bytes));
  }

  @Test
  void sessionsTransactionsAndEventsAreReadInOrder() throws Exception {
    History history = read(sample());
    assertThat(Written.text(history))
        .isEqualTo(
            """
            session 0
              committed, write 1 10, read -2 -> 0
              aborted, write 1 -9223372036854775808
            session 1
              committed, read 1 -> 10, write 9223372036854775807 12
            """);
    assertThat(history.zeroIsInitial()).isTrue();
    assertThat(history.origin().format()).isEqualTo("dbcop");
    assertThat(history.label(1)).isEqualTo("0/#2");
    assertThat(history.place(0)).isEqualTo("run.bincode@" + (HEADER_BYTES + 16));
    assertThat(history.place(1)).isEqualTo("run.bincode@" + (HEADER_BYTES + 16 + 8 + 36 + 1));
  }

  @Test
  void textsOfTheHeaderAreMetadataUnlessEmpty() throws Exception {
    assertThat(read(sample()).metadata())
        .containsEntry("info", "Galera")
        .containsEntry("start", "s")
        .doesNotContainKey("end");
  }

  @Test
  void failedEventsOfCommittedTransactionsAreLeftOutWithANote() throws Exception {
    assertThat(read(sample()).metadata())
        .containsEntry(
            "note.failed-events",
            "1 committed transaction contains failed operations, which were left out");
    byte[] aborted = Bytes.header().longs(1, 1, 1).event(1, 1, 1, 0).flag(0).done();
    assertThat(read(aborted).metadata()).doesNotContainKey("note.failed-events");
    assertThat(read(aborted).operationCount()).isZero();
  }

  @Test
  void emptyTransactionsAndEmptySessionsStay() throws Exception {
    History history = read(Bytes.header().longs(3, 0, 1, 0).flag(1).longs(0).done());
    assertThat(Written.text(history)).isEqualTo("session 0\nsession 1\n  committed\nsession 2\n");
    assertThat(read(Bytes.header().longs(0).done()).transactionCount()).isZero();
  }

  @Test
  void aFolderWithTheFileIsTheHistory(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("history.bincode");
    Files.write(file, sample());
    History history = Formats.read(Input.of(folder));
    assertThat(Written.text(history)).isEqualTo(Written.text(read(sample())));
    assertThat(history.place(0)).startsWith(folder + "/history.bincode@");
    Files.delete(file);
    assertThat(DBCOP.recognises(Input.of(folder))).isFalse();
    assertThat(Written.error(DBCOP, Input.of(folder))).hasMessage("has no history.bincode");
  }

  @Test
  void aPackedFileInAFolderIsFound(@TempDir Path folder) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(sample());
    }
    Files.write(folder.resolve("history.bincode.gz"), packed.toByteArray());
    assertThat(Formats.read(Input.of(folder)).transactionCount()).isEqualTo(3);
  }

  @Test
  void everyTruncationIsAnErrorAtTheEndOfTheFile() {
    byte[] whole = sample();
    for (int length = 1; length < whole.length; length++) {
      ParseException e = error(Arrays.copyOf(whole, length));
      assertThat(e).hasMessage("the file ends in the middle of its data");
      assertThat(e.offset()).isEqualTo(length);
      assertThat(e.expected()).isNotBlank();
    }
  }

  @Test
  void trailingBytesAreAnError() {
    byte[] whole = sample();
    ParseException e = error(Arrays.copyOf(whole, whole.length + 1));
    assertThat(e).hasMessage("more data");
    assertThat(e.expected()).isEqualTo("the end of the file");
    assertThat(e.place()).isEqualTo("run.bincode@" + whole.length);
  }

  @Test
  void flagsOtherThanZeroAndOneAreErrors() {
    int first = HEADER_BYTES + 24;
    for (int at : List.of(first, first + 17, first + 36)) {
      byte[] bytes = sample();
      bytes[at] = 2;
      ParseException e = error(bytes);
      assertThat(e).hasMessage("the byte 2");
      assertThat(e.offset()).isEqualTo(at);
    }
  }

  @Test
  void hostileCountsAreErrorsAndCostNoMemory() {
    for (long count : List.of(-1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40)) {
      assertThat(error(Bytes.header().longs(count).done()).expected()).contains("sessions");
      assertThat(error(Bytes.header().longs(1, count).done()).expected()).contains("transactions");
      assertThat(error(Bytes.header().longs(1, 1, count).done()).expected()).contains("events");
      assertThat(error(new Bytes().longs(0, 0, 0, 0, 0, count).done()))
          .hasMessageContaining("text");
    }
    for (long count : List.of(1_000_000L, 2_000_000_000L)) {
      assertThat(error(Bytes.header().longs(count).done())).hasMessageContaining("ends in the mid");
      assertThat(error(Bytes.header().longs(1, 1, count).done())).hasMessageContaining("ends in");
    }
  }

  @Test
  void aHeaderThatIsNotUtf8IsAnError() {
    byte[] bytes = sample();
    bytes[48] = (byte) 0xff;
    assertThat(error(bytes)).hasMessage("bytes that are not UTF-8");
    assertThat(error(bytes).offset()).isEqualTo(48);
  }

  @Test
  void contentIsRecognisedWithoutANameAndTextIsNot() throws Exception {
    assertThat(DBCOP.recognises(Input.of("-", sample()))).isTrue();
    for (String text :
        List.of("r(1,2,3,4)\nw(1,2,3,4)\n".repeat(99), "{:type :ok}\n".repeat(99), "", "short")) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      assertThat(DBCOP.recognises(Input.of("-", bytes))).isFalse();
    }
    assertThat(DBCOP.recognises(Input.of("-", new byte[1 << 17]))).isFalse();
    byte[] text = "w 1 2\nw 3 4\n-----\n".getBytes(StandardCharsets.UTF_8);
    assertThat(DBCOP.recognises(Input.of("x.bincode", text))).isFalse();
  }

  @Test
  void aCutFileIsRecognisedByNameSoThatTheReaderCanSayWhatIsWrong() throws Exception {
    byte[] cut = Arrays.copyOf(sample(), HEADER_BYTES + 3);
    assertThat(DBCOP.recognises(Input.of("x.bincode", cut))).isTrue();
    assertThat(DBCOP.recognises(Input.of("x.bincode.gz", cut))).isTrue();
    assertThat(DBCOP.recognises(Input.of("-", cut))).isFalse();
  }

  @Test
  void aTransactionLargerThanTheHeadIsRecognised() throws Exception {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(1), Outcome.COMMITTED);
    for (int i = 0; i < 10_000; i++) {
      b.write(i, i + 1);
    }
    byte[] bytes = Written.bytes(DBCOP, b.build());
    assertThat(DBCOP.recognises(Input.of("-", bytes))).isTrue();
    assertThat(read(bytes).operationCount()).isEqualTo(10_000);
  }

  @Test
  void aFileReadInSmallPiecesIsTheSame() throws Exception {
    byte[] bytes = sample();
    InputStream slow =
        new InputStream() {
          private int next;

          @Override
          public int read() {
            return next == bytes.length ? -1 : bytes[next++] & 0xff;
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            if (next == bytes.length) {
              return -1;
            }
            to[offset] = bytes[next++];
            return 1;
          }
        };
    History history = Formats.read(Input.of("-", slow));
    assertThat(Written.text(history)).isEqualTo(Written.text(read(bytes)));
  }

  @Test
  void writingAndReadingGivesTheSameHistory() throws Exception {
    History history = read(sample());
    assertThat(DBCOP.losses(history)).isEmpty();
    byte[] written = Written.bytes(DBCOP, history);
    History again = read(written);
    assertThat(Written.text(again)).isEqualTo(Written.text(history));
    assertThat(again.metadata()).containsOnlyKeys("info", "start").containsEntry("info", "Galera");
    assertThat(Written.bytes(DBCOP, again)).isEqualTo(written);
  }

  @Test
  void nilIsWrittenAsZero() throws Exception {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session("a"), Outcome.COMMITTED);
    b.read(1, null);
    b.write(1, 5);
    History history = b.build();
    assertThat(DBCOP.losses(history)).isEmpty();
    assertThat(Written.text(read(Written.bytes(DBCOP, history))))
        .isEqualTo("session 0\n  committed, read 1 -> 0, write 1 5\n");
  }

  @Test
  void whatCannotBeWrittenIsLeftOut() throws Exception {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session("a"), Outcome.INDETERMINATE);
    b.write(1, 1);
    b.begin(b.session("a"), Outcome.COMMITTED);
    b.append(2, 1);
    b.write("x", 1);
    b.write(1, "v");
    b.write(1, 6);
    History history = b.build();
    assertThat(DBCOP.losses(history)).hasSize(4);
    assertThat(Written.text(read(Written.bytes(DBCOP, history))))
        .isEqualTo("session 0\n  committed, write 1 6\n");
  }

  @Test
  void damagedFilesGiveAHistoryOrAnError() throws Exception {
    Random random = new Random(20260101);
    byte[] whole = sample();
    int errors = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = Mutations.mutate(whole, random);
      try {
        Formats.read(Input.of("run.bincode", damaged), DBCOP);
      } catch (ParseException e) {
        errors++;
      }
    }
    assertThat(errors).isBetween(1_000, 4_999);
  }

  @Test
  void realHistoriesHoldWhatTheirHeadersSay() throws IOException, ParseException {
    for (String place : List.of("strong/real", "strong/bench", "taps/dbcop")) {
      for (Path folder : Written.corpus(place)) {
        Path file = folder.resolve("history.bincode");
        if (Files.exists(file)) {
          compareWithHeader(folder, file, place.startsWith("taps"));
        }
      }
    }
  }

  /** The transactions and events of a header are totals in taps/, else those of one session. */
  private static void compareWithHeader(Path folder, Path file, boolean totals)
      throws IOException, ParseException {
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    long sessions = header.getLong(8);
    long transactions = header.getLong(24) * (totals ? 1 : sessions);
    long events = header.getLong(32) * (totals ? 1 : transactions);
    Input input = Input.of(folder);
    assertThat(DBCOP.recognises(input)).isTrue();
    History history = Formats.read(input);
    assertThat(history.sessionCount()).as(folder.toString()).isEqualTo((int) sessions);
    assertThat(history.transactionCount()).as(folder.toString()).isEqualTo((int) transactions);
    // A few events in a hundred failed.
    assertThat((long) history.operationCount()).isBetween(events * 95 / 100, events);
    assertThat(DBCOP.losses(history)).isEmpty();
    History again = read(Written.bytes(DBCOP, history));
    assertThat(Written.text(again)).isEqualTo(Written.text(history));
  }
}
