package dev.assay.format.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CobraTest {
  private static final Cobra COBRA = new Cobra();
  private static final long INITIAL = 0xbebeebeeL;
  private static final long NULL = 0xdeadbeefL;

  @TempDir Path folder;

  /** A log as it is put together by hand. */
  private static final class Log {
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 12);

    Log start(long txn) {
      return record('S', txn);
    }

    Log commit(long txn) {
      return record('C', txn);
    }

    Log write(long writeId, long key) {
      return record('W', writeId, key, 99);
    }

    Log read(long writer, long writeId, long key) {
      return record('R', writer, writeId, key, 99);
    }

    Log record(char tag, long... numbers) {
      buffer.put((byte) tag);
      for (long number : numbers) {
        buffer.putLong(number);
      }
      return this;
    }

    byte[] done() {
      return Arrays.copyOf(buffer.array(), buffer.position());
    }
  }

  private static final long BY_VALUE = 0xabddefeeL;

  @Test
  void aWriterMayBeNamedByTheValue() throws Exception {
    put(
        "T1.log",
        new Log()
            .start(1)
            .record('W', BY_VALUE, 7, 42)
            .record('W', BY_VALUE, 8, 42)
            .commit(1)
            .done());
    put(
        "T2.log",
        new Log()
            .start(2)
            .record('R', BY_VALUE, BY_VALUE, 7, 42)
            .record('R', BY_VALUE, BY_VALUE, 8, 43)
            .record('R', INITIAL, INITIAL, 9, 5)
            .record('R', NULL, NULL, 9, 0)
            .commit(2)
            .done());
    assertThat(Written.text(Formats.read(Input.of(folder))))
        .isEqualTo(
            """
            session T1
              committed, write 7 1, write 8 1
            session T2
              committed, read 7 -> 1, read 8 -> 2, read 9 -> nil, read 9 -> nil
            """);
  }

  @Test
  void aReadIsNamedByTheValueOrNot() throws Exception {
    put("T1.log", new Log().start(1).record('R', BY_VALUE, 3, 7, 42).commit(1).done());
    assertThat(error()).hasMessage("a read that names either the writer or the write by the value");
    put("T1.log", new Log().start(1).record('R', 3, BY_VALUE, 7, 42).commit(1).done());
    assertThat(error().offset()).isEqualTo(9);
  }

  private static byte[] sample() {
    return new Log()
        .start(1L << 32)
        .write(501, 7)
        .read(INITIAL, INITIAL, 8)
        .read(NULL, NULL, 9)
        .commit(1L << 32)
        .start(2)
        .write(502, 7)
        .start(3)
        .write(501, 7)
        .read(2, 502, 7)
        .commit(3)
        .done();
  }

  private void put(String name, byte[] bytes) throws IOException {
    Files.write(folder.resolve(name), bytes);
  }

  private ParseException error() {
    return Written.error(COBRA, Input.of(folder));
  }

  @Test
  void versionsAreNamedByWriterAndWrite() throws Exception {
    put("T10.log", sample());
    put("12.log", new Log().start(4).read(3, 501, 7).read(1L << 32, 501, 7).commit(4).done());
    History history = Formats.read(Input.of(folder));
    assertThat(Written.text(history))
        .isEqualTo(
            """
            session 12
              committed, read 7 -> 1, read 7 -> 2
            session T10
              committed, write 7 2, read 8 -> nil, read 9 -> nil
              aborted, write 7 3
              committed, write 7 1, read 7 -> 3
            """);
    assertThat(history.sessionName(0)).isEqualTo(12L);
    assertThat(history.zeroIsInitial()).isFalse();
    assertThat(history.ownId(1)).isEqualTo(1L << 32);
    assertThat(history.label(2)).isEqualTo("2");
    assertThat(history.place(0)).isEqualTo(folder + "/12.log@0");
    assertThat(history.place(2)).isEqualTo(folder + "/T10.log@" + (9 + 25 + 33 + 33 + 9));
  }

  @Test
  void keysAreUnsigned() throws Exception {
    put("a.log", new Log().start(1).write(1, -1).write(2, Long.MAX_VALUE).write(3, -1).done());
    History history = Formats.read(Input.of(folder));
    assertThat(history.operation(0).key()).isEqualTo(new BigInteger("18446744073709551615"));
    assertThat(history.operation(1).key()).isEqualTo(Long.MAX_VALUE);
    assertThat(history.key(2)).isEqualTo(history.key(0));
    assertThat(history.keys().count()).isEqualTo(2);
  }

  @Test
  void emptyLogsAreNoSessions() throws Exception {
    put("a.log", new byte[0]);
    put("b.log", sample());
    History history = Formats.read(Input.of(folder));
    assertThat(history.sessionCount()).isEqualTo(1);
    assertThat(history.place(0)).endsWith("b.log@0");
  }

  @Test
  void packedLogsAreRead() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(sample());
    }
    put("T10.log.gz", packed.toByteArray());
    assertThat(Formats.read(Input.of(folder)).sessionName(0)).isEqualTo("T10");
    put("T10.log.gz", Arrays.copyOf(packed.toByteArray(), packed.size() - 12));
    assertThat(error().place()).isEqualTo(folder + "/T10.log.gz");
    assertThat(error()).hasMessageContaining("cut short");
  }

  @Test
  void unknownRecordsAreErrors() throws Exception {
    put("a.log", new Log().start(1).record('A', 1).done());
    assertThat(error()).hasMessage("a record that begins with the byte 65");
    assertThat(error().place()).isEqualTo(folder + "/a.log@9");
    assertThat(error().expected()).isEqualTo("one of S, C, W, R");
  }

  @Test
  void recordsOutsideTransactionsAreErrors() throws Exception {
    for (Log log : List.of(new Log().commit(1), new Log().write(1, 1), new Log().read(1, 1, 1))) {
      put("a.log", new Log().start(1).commit(1).done());
      put("b.log", log.done());
      assertThat(error()).hasMessageContaining("outside a transaction");
      assertThat(error().place()).isEqualTo(folder + "/b.log@0");
    }
    put("b.log", new Log().start(1).commit(2).done());
    assertThat(error()).hasMessage("a commit of transaction 2");
    assertThat(error().expected()).isEqualTo("a commit of the open one, 1");
  }

  @Test
  void truncationInsideARecordIsAnErrorAndBetweenRecordsAnOpenTransaction() throws Exception {
    byte[] whole = sample();
    int histories = 0;
    for (int length = 1; length < whole.length; length++) {
      put("a.log", Arrays.copyOf(whole, length));
      try {
        Formats.read(Input.of(folder), COBRA);
        histories++;
      } catch (ParseException e) {
        assertThat(e).hasMessage("the file ends in the middle of its data");
        assertThat(e.offset()).isEqualTo(length);
      }
    }
    assertThat(histories).isEqualTo(10);
  }

  @Test
  void aFolderOfOtherLogsOrAFileIsNotRecognised() throws Exception {
    assertThat(COBRA.recognises(Input.of(folder))).isFalse();
    assertThat(error()).hasMessage("has no such log files");
    for (String text : List.of("Starting the server\n", "{\"value\": []}\n")) {
      put("a.log", text.getBytes(StandardCharsets.UTF_8));
      assertThat(COBRA.recognises(Input.of(folder))).isFalse();
    }
    Path file = folder.resolve("a.log");
    Files.write(file, sample());
    assertThat(COBRA.recognises(Input.of(file))).isFalse();
    assertThat(Written.error(COBRA, Input.of(file))).hasMessage("is not a folder");
  }

  @Test
  void damagedLogsGiveAHistoryOrAnError() throws Exception {
    Random random = new Random(20260102);
    int errors = 0;
    for (int i = 0; i < 3_000; i++) {
      put("a.log", Mutations.mutate(sample(), random));
      try {
        Formats.read(Input.of(folder), COBRA);
      } catch (ParseException e) {
        errors++;
      }
    }
    assertThat(errors).isBetween(500, 2_999);
  }

  @Test
  void realLogsAreReadAndEveryVersionThatWasReadWasWritten() throws Exception {
    Map<String, int[]> expected =
        Map.of(
            "rubis", new int[] {24, 9358, 47027},
            "tpcc", new int[] {24, 13870, 320217},
            "twitter", new int[] {25, 9571, 49817});
    for (Path run : Written.corpus("strong/bench")) {
      int[] counts = expected.get(run.getFileName().toString());
      if (counts == null) {
        continue;
      }
      History history = Formats.read(Input.of(run));
      assertThat(history.origin().format()).isEqualTo("cobra");
      assertThat(history.sessionCount()).isEqualTo(counts[0]);
      assertThat(history.transactionCount()).isEqualTo(counts[1]);
      assertThat(history.operationCount()).isEqualTo(counts[2]);
      assertThat(readsOfNobodysWrites(history)).isZero();
    }
  }

  private static int readsOfNobodysWrites(History history) {
    Set<Long> written = new HashSet<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).isWrite()) {
        written.add((long) history.key(op) << 32 | history.value(op));
      }
    }
    int missing = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      if (!history.hasInitialValue(op)
          && !written.contains((long) history.key(op) << 32 | history.value(op))) {
        missing++;
      }
    }
    return missing;
  }
}
