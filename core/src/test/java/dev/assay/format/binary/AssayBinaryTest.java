package dev.assay.format.binary;

import static dev.assay.history.HistoryAssert.assertPrefix;
import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.TransactionRecord;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RandomHistories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AssayBinaryTest {
  private static final AssayBinary FORMAT = new AssayBinary();
  private static final String TRUNCATED = "note.truncated";

  @Test
  void randomHistoriesSurvive() throws Exception {
    for (int seed = 0; seed < 500; seed++) {
      History history = new RandomHistories(seed).next();
      assertSame(read(bytes(history)), history);
    }
  }

  @Test
  void listHistoriesSurvive() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      History history =
          new RandomHistories(seed).types(OpKind.Type.LIST).size(400, 10).bare().next();
      assertSame(read(bytes(history)), history);
    }
  }

  @Test
  void historiesOfManyBlocksSurvive() throws Exception {
    History history = null;
    for (int seed = 6; history == null || history.operationCount() < 150_000; seed++) {
      history =
          new RandomHistories(seed)
              .types(OpKind.Type.REGISTER, OpKind.Type.SET, OpKind.Type.PREDICATE)
              .size(80_000, 8)
              .next();
    }
    assertSame(read(bytes(history)), history);
  }

  @Test
  void aTransactionLargerThanABlockSurvives() throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    builder.begin(builder.session("loader"), Outcome.COMMITTED);
    for (int i = 0; i < 200_000; i++) {
      builder.write(i, 0);
    }
    builder.begin(builder.session("reader"), Outcome.INDETERMINATE);
    builder.read(7, 0);
    History history = builder.build();
    assertSame(read(bytes(history)), history);
  }

  @Test
  void aTransactionOfAMillionEqualOperationsSurvives() throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    builder.begin(builder.session("loader"), Outcome.COMMITTED);
    for (int i = 0; i < 1_200_000; i++) {
      builder.read(1, null);
    }
    History history = builder.build();
    History again = read(bytes(history));
    assertThat(again.operationCount()).isEqualTo(history.operationCount());
    assertThat(again.text(1_199_999)).isEqualTo("read 1 -> nil");
  }

  @Test
  void anEmptyHistorySurvives() throws Exception {
    History history = new HistoryBuilder().build();
    assertSame(read(bytes(history)), history);
  }

  @Test
  void detectionFindsItByItsFirstBytes() throws Exception {
    History history = new RandomHistories(1).next();
    byte[] bytes = bytes(history);
    assertThat(Formats.detect(Input.of("x", bytes))).map(HistoryFormat::id).hasValue("assay");
    assertSame(Formats.read(Input.of("x", bytes)), history);
    assertThat(Formats.byName("run.assay.gz")).map(HistoryFormat::id).hasValue("assay");
  }

  @Test
  void uniformIntegerHistoriesTakeLessThanSixBytesAnOperation() throws Exception {
    int operations = 2_000_000;
    CountingStream out = new CountingStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, true, Map.of("seed", "1"))) {
      writeUniform(writer, operations, 50, 10_000);
    }
    assertThat((double) out.bytes / operations).isLessThan(3.5);
  }

  @Test
  void uniqueValuesAndTimesStayBelowSixBytesAnOperation() throws Exception {
    int operations = 1_000_000;
    Random random = new Random(4);
    CountingStream out = new CountingStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      TransactionRecord record = new TransactionRecord();
      long clock = 1_700_000_000_000_000_000L;
      for (int op = 0; op < operations; ) {
        record.begin(writer.session((long) random.nextInt(50)));
        record.id(op);
        clock += random.nextInt(200_000);
        record.times(clock - random.nextInt(20_000_000), clock);
        for (int i = 0; i < 20; i++, op++) {
          boolean write = random.nextBoolean();
          int value = write ? op : random.nextInt(op + 1);
          record.op(write ? OpKind.WRITE : OpKind.READ, random.nextInt(10_000), value);
        }
        writer.append(record);
      }
    }
    assertThat((double) out.bytes / operations).isLessThan(5.5);
  }

  @Test
  void growingListsCostWhatWasAppendedNotWhatWasRead() throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    int session = builder.session(0L);
    long[] list = new long[2000];
    for (int i = 0; i < 2000; i++) {
      builder.begin(session, Outcome.COMMITTED);
      builder.append("x", i);
      list[i] = i;
      builder.readList(builder.scalars().of("x"), list, 0, i + 1);
    }
    History history = builder.build();
    byte[] bytes = bytes(history);
    assertThat(bytes.length).isLessThan(4000 * 3);
    assertSame(read(bytes), history);
  }

  @Test
  void aFileCutAnywhereGivesANotedPrefixOrAnError() throws Exception {
    byte[] bytes = recordedInBlocks();
    History whole = read(bytes);
    boolean[] seen = new boolean[whole.transactionCount() + 1];
    for (int length = 0; length < bytes.length; length++) {
      History prefix;
      try {
        prefix = read(Arrays.copyOf(bytes, length));
      } catch (ParseException e) {
        assertThat(seen).as("errors only before the header is whole").doesNotContain(true);
        continue;
      }
      assertThat(prefix.metadata()).containsKey(TRUNCATED);
      assertPrefix(prefix, whole);
      seen[prefix.transactionCount()] = true;
    }
    assertThat(seen).as("each flush adds a transaction").containsOnly(true);
  }

  @Test
  void aFlippedBitAnywhereIsNoticed() throws Exception {
    byte[] bytes = recordedInBlocks();
    History whole = read(bytes);
    int errors = 0;
    for (int i = 0; i < bytes.length * 8; i++) {
      bytes[i / 8] ^= (byte) (1 << (i % 8));
      try {
        History prefix = read(bytes);
        assertThat(prefix.metadata()).as("bit " + i).containsKey(TRUNCATED);
        assertPrefix(prefix, whole);
      } catch (ParseException e) {
        errors++;
      }
      bytes[i / 8] ^= (byte) (1 << (i % 8));
    }
    assertThat(errors).isGreaterThan(bytes.length * 7);
  }

  @Test
  void zerosAfterTheLastWholeBlockAreATornTail() throws Exception {
    byte[] bytes = recordedInBlocks();
    History whole = read(bytes);
    for (int kept = bytes.length - 40; kept < bytes.length; kept++) {
      byte[] torn = Arrays.copyOf(Arrays.copyOf(bytes, kept), 10_000);
      try {
        History prefix = read(torn);
        assertThat(prefix.metadata()).containsKey(TRUNCATED);
        assertPrefix(prefix, whole);
      } catch (ParseException e) {
        assertThat(e).hasMessage("data after the end block");
      }
    }
  }

  @Test
  void damageInTheMiddleNamesTheBlock() throws Exception {
    byte[] bytes = recordedInBlocks();
    bytes[40] ^= 1;
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOfSatisfying(
            ParseException.class,
            e -> assertThat(e.offset()).isBetween((long) AssayBinaryFrame.FILE_HEAD, 40L));
  }

  @Test
  void aMissingBlockIsNoticed() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int before;
    int after;
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      before = appendAndFlush(writer, out, 1);
      after = appendAndFlush(writer, out, 2);
      appendAndFlush(writer, out, 3);
    }
    byte[] whole = out.toByteArray();
    ByteArrayOutputStream without = new ByteArrayOutputStream();
    without.write(whole, 0, before);
    without.write(whole, after, whole.length - after);
    assertThatThrownBy(() -> read(without.toByteArray())).isInstanceOf(ParseException.class);
  }

  @Test
  void anUnknownVersionIsRefusedByName() throws Exception {
    byte[] bytes = bytes(new RandomHistories(1).next());
    bytes[8] = 2;
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(ParseException.class)
        .hasMessage("version 2 of the .assay format");
  }

  @Test
  void wrongPayloadsUnderRightChecksumsAreErrors() throws Exception {
    Random random = new Random(9);
    int errors = 0;
    for (int i = 0; i < 20_000; i++) {
      AssayBinaryOut file = new AssayBinaryOut();
      AssayBinaryFrame.writeFileHead(file);
      addBlock(file, AssayBinaryFrame.HEADER, new byte[] {0, 0});
      addBlock(file, AssayBinaryFrame.DEFINITIONS, new byte[] {1, 5, 2, 'x', 1, 0, 0, 0});
      byte[] payload = new byte[random.nextInt(60)];
      for (int b = 0; b < payload.length; b++) {
        payload[b] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(4));
      }
      addBlock(file, 2 + random.nextInt(4), payload);
      try {
        read(Arrays.copyOf(file.array(), file.size()));
      } catch (ParseException e) {
        errors++;
      }
    }
    assertThat(errors).isGreaterThan(10_000);
  }

  @Test
  void manyThreadsMayRecordAtOnce() throws Exception {
    int threads = 4;
    int each = 500;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String name = "client " + t;
        clients.add(CompletableFuture.runAsync(() -> recordUnchecked(writer, name, each)));
      }
      clients.forEach(CompletableFuture::join);
    }
    History history = read(out.toByteArray());
    assertThat(history.transactionCount()).isEqualTo(threads * each);
    for (int s = 0; s < threads; s++) {
      for (int i = 0; i < each; i++) {
        int txn = history.sessionTransaction(s, i);
        String expected = "write " + history.sessionText(s) + " v" + i;
        assertThat(history.text(history.firstOp(txn))).isEqualTo(expected);
      }
    }
  }

  @Test
  void aFailedWriteEndsTheFileThere() throws Exception {
    ByteArrayOutputStream disk = new ByteArrayOutputStream();
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (disk.size() == 100) {
              throw new IOException("disk full");
            }
            disk.write(b);
          }
        };
    AssayBinaryWriter writer = new AssayBinaryWriter(full, false, Map.of());
    assertThatThrownBy(() -> record(writer, "x", 100_000)).hasMessage("disk full");
    assertThatThrownBy(writer::flush).hasMessageContaining("earlier write failed");
    writer.close();
    assertThat(read(disk.toByteArray()).metadata()).containsKey(TRUNCATED);
  }

  // ---- helpers

  static void writeUniform(AssayBinaryWriter writer, long operations, int sessions, int keys)
      throws IOException {
    Random random = new Random(1);
    int[] last = new int[keys];
    TransactionRecord record = new TransactionRecord();
    int[] session = new int[sessions];
    for (int s = 0; s < sessions; s++) {
      session[s] = writer.session((long) s);
    }
    for (long op = 0, txn = 0; op < operations; txn++) {
      record.begin(session[random.nextInt(sessions)]);
      record.id(txn);
      for (int i = 0; i < 20; i++, op++) {
        int key = random.nextInt(keys);
        boolean write = random.nextBoolean();
        record.op(write ? OpKind.WRITE : OpKind.READ, key, write ? ++last[key] : last[key]);
      }
      writer.append(record);
    }
  }

  private static void record(AssayBinaryWriter writer, String name, int transactions)
      throws IOException {
    int session = writer.session(name);
    TransactionRecord record = new TransactionRecord();
    for (int i = 0; i < transactions; i++) {
      record.begin(session);
      record.op(OpKind.WRITE, writer.scalar(name), writer.scalar("v" + i));
      writer.append(record);
    }
  }

  private static void recordUnchecked(AssayBinaryWriter writer, String name, int transactions) {
    try {
      record(writer, name, transactions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A small file with a block after each transaction, as a careful recorder would leave it. */
  private static byte[] recordedInBlocks() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, true, Map.of("database", "toy"))) {
      for (int i = 0; i < 4; i++) {
        appendAndFlush(writer, out, i);
      }
      writer.metadata("retries", "3");
    }
    return out.toByteArray();
  }

  private static int appendAndFlush(AssayBinaryWriter writer, ByteArrayOutputStream out, int number)
      throws IOException {
    TransactionRecord record = new TransactionRecord();
    record.begin(writer.session("s" + number % 2));
    record.id(number);
    record.times(10 * number, 10 * number + 5);
    record.op(OpKind.WRITE, writer.scalar("x"), number);
    record.op(OpKind.READ, writer.scalar("y"), writer.scalar("v" + number));
    record.readList(writer.scalar("l"), new long[] {1, 2, 3, 4}, 0, number);
    record.error(number == 2 ? "serialization failure" : null);
    writer.append(record);
    writer.flush();
    return out.size();
  }

  static void addBlock(AssayBinaryOut file, int type, byte[] payload) {
    byte[] block = new byte[AssayBinaryFrame.SIZE + payload.length];
    System.arraycopy(payload, 0, block, AssayBinaryFrame.SIZE, payload.length);
    AssayBinaryFrame.fill(block, type, payload.length, file.size());
    file.raw(block);
  }

  private static byte[] bytes(History history) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FORMAT.write(history, out);
    return out.toByteArray();
  }

  static History read(byte[] bytes) throws ParseException {
    return Formats.read(Input.of("run.assay", bytes), FORMAT);
  }

  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] source, int from, int length) {
      bytes += length;
    }
  }
}
