package dev.assay.format.binary;

import static dev.assay.format.binary.AssayBinaryTest.addBlock;
import static dev.assay.format.binary.AssayBinaryTest.read;
import static dev.assay.history.HistoryAssert.assertPrefix;
import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RandomHistories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What clients record in journals. */
class AssayBinaryJournalTest {
  @Test
  void randomHistoriesSurvive() throws Exception {
    for (int seed = 0; seed < 500; seed++) {
      History history = new RandomHistories(seed).next();
      assertSame(read(recorded(history)), history);
      assertSame(read(recordedBothWays(history, new Random(seed))), history);
    }
  }

  @Test
  void listHistoriesSurviveHoweverTheyAreRecorded() throws Exception {
    for (int seed = 0; seed < 30; seed++) {
      History history =
          new RandomHistories(seed).types(OpKind.Type.LIST).size(400, 10).bare().next();
      assertSame(read(recorded(history)), history);
      assertSame(read(recordedBothWays(history, new Random(seed))), history);
    }
  }

  @Test
  void historiesOfManyBlocksSurvive() throws Exception {
    History history =
        new RandomHistories(6)
            .types(OpKind.Type.REGISTER, OpKind.Type.SET, OpKind.Type.PREDICATE)
            .size(40_000, 8)
            .next();
    byte[] bytes = recorded(history);
    assertThat(bytes.length).isGreaterThan(1 << 17);
    assertSame(read(bytes), history);
  }

  @Test
  void integersSurviveHoweverFarApart() throws Exception {
    Random random = new Random(3);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      AssayBinaryJournal journal = writer.journal();
      for (int i = 0; i < 2000; i++) {
        long key = random.nextLong() >> random.nextInt(64);
        long value = i % 7 == 0 ? Long.MAX_VALUE - i : random.nextLong() >> random.nextInt(64);
        journal.begin(writer.session("s"));
        journal.times(random.nextLong() >> 2, random.nextLong() >> 2);
        journal.op(OpKind.WRITE, writer.scalar(key), writer.scalar(value));
        expected.add("write " + key + " " + value);
        journal.end(Outcome.COMMITTED);
      }
    }
    History history = read(out.toByteArray());
    List<String> found = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      found.add(history.text(history.firstOp(txn)));
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void aFileCutAnywhereGivesANotedPrefixOrAnError() throws Exception {
    History history = new RandomHistories(12).types(OpKind.Type.REGISTER).size(30, 4).next();
    byte[] bytes = recordedBothWays(history, new Random(2));
    int prefixes = 0;
    for (int length = 0; length < bytes.length; length++) {
      try {
        History cut = read(Arrays.copyOf(bytes, length));
        assertThat(cut.metadata()).containsKey("note.truncated");
        assertThat(cut.metadata().get("note.truncated")).doesNotContain(": 0 bytes");
        assertPrefix(cut, history);
        prefixes++;
      } catch (ParseException e) {
        assertThat(length).isLessThan(200);
      }
    }
    assertThat(prefixes).isGreaterThan(bytes.length - 200);
  }

  @Test
  void wrongPayloadsUnderRightChecksumsAreErrors() throws Exception {
    Random random = new Random(9);
    byte[] whole = payload();
    int errors = 0;
    int read = 0;
    for (int i = 0; i < 40_000; i++) {
      byte[] payload =
          Arrays.copyOf(whole, whole.length - random.nextInt(2) * random.nextInt(whole.length));
      for (int b = random.nextInt(3); b > 0 && payload.length > 0; b--) {
        payload[random.nextInt(payload.length)] = (byte) random.nextInt();
      }
      AssayBinaryOut file = new AssayBinaryOut();
      AssayBinaryFrame.writeFileHead(file);
      addBlock(file, AssayBinaryFrame.HEADER, new byte[] {0, 0});
      addBlock(file, AssayBinaryFrame.DEFINITIONS, new byte[] {1, 5, 2, 'x', 1, 0, 0, 0});
      addBlock(file, AssayBinaryFrame.JOURNAL, payload);
      try {
        read(Arrays.copyOf(file.array(), file.size()));
        read++;
      } catch (ParseException e) {
        errors++;
      }
    }
    assertThat(errors).isGreaterThan(10_000);
    assertThat(read).isGreaterThan(5_000);
  }

  /** Of a few transactions that have everything, in session 0 with "x" in the dictionary. */
  private static byte[] payload() throws IOException {
    AssayBinaryJournal journal =
        new AssayBinaryWriter(new ByteArrayOutputStream(), false, Map.of()).journal();
    for (int i = 0; i < 3; i++) {
      journal.begin(0);
      journal.times(100L * i, 100L * i + 50);
      journal.op(OpKind.WRITE, 7, i);
      journal.readList(Long.MIN_VALUE + 2, new long[] {1, Long.MAX_VALUE, 3}, 0, 3);
      journal.predicate(OpKind.SELECT, "{}");
      journal.row(3, i);
      if (i > 0) {
        journal.id(i);
        journal.error("no");
      }
      journal.end(Outcome.COMMITTED);
    }
    int end = journal.seal();
    return Arrays.copyOfRange(journal.block(), AssayBinaryFrame.SIZE, end);
  }

  @Test
  void aSessionKeepsItsOrderWhoeverEmptiesItsJournal() throws Exception {
    int each = 40_000;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int session = writer.session((long) t);
        clients.add(CompletableFuture.runAsync(() -> count(writer, session, each)));
      }
      CompletableFuture<Void> all =
          CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
      while (!all.isDone()) {
        writer.flush();
      }
      all.join();
    }
    History history = read(out.toByteArray());
    assertThat(history.transactionCount()).isEqualTo(3 * each);
    for (int s = 0; s < 3; s++) {
      for (int i = 0; i < each; i++) {
        int op = history.firstOp(history.sessionTransaction(s, i));
        if (!history.text(op).equals("write 1 " + i)) {
          throw new AssertionError("transaction " + i + " is " + history.text(op));
        }
      }
    }
  }

  private static void count(AssayBinaryWriter writer, int session, int to) {
    AssayBinaryJournal journal = writer.journal();
    try {
      for (int i = 0; i < to; i++) {
        journal.begin(session);
        journal.op(OpKind.WRITE, 1, i);
        journal.end(Outcome.COMMITTED);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatWaitsInAJournalIsWrittenWhenTheWriterIsFlushed() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of());
    AssayBinaryJournal[] journals = {writer.journal(), writer.journal()};
    for (int i = 0; i < 100; i++) {
      AssayBinaryJournal journal = journals[i % 2];
      journal.begin(writer.session((long) i % 2));
      journal.op(OpKind.WRITE, 1, i);
      journal.readList(2, new long[] {i, i + 1}, 0, 2);
      journal.predicate(OpKind.SELECT, "{}");
      journal.row(3, i);
      journal.end(Outcome.COMMITTED);
    }
    journals[0].begin(0);
    journals[0].op(OpKind.WRITE, 1, 100);
    writer.flush();
    History flushed = read(out.toByteArray());
    assertThat(flushed.transactionCount()).as("all but the open one").isEqualTo(100);
    for (int i = 0; i < 50; i++) {
      int op = flushed.firstOp(flushed.sessionTransaction(1, i));
      assertThat(flushed.text(op)).isEqualTo("write 1 " + (2 * i + 1));
    }
    journals[0].end(Outcome.COMMITTED);
    writer.finish();
    History finished = read(out.toByteArray());
    assertThat(finished.transactionCount()).isEqualTo(101);
    int op = finished.firstOp(finished.sessionTransaction(1, 49));
    assertThat(finished.text(op + 1)).contains("[99 100]");
    int last = finished.firstOp(finished.sessionTransaction(0, 50));
    assertThat(finished.text(last)).isEqualTo("write 1 100");
    assertThatThrownBy(() -> journals[0].end(Outcome.COMMITTED)).hasMessage("the file is complete");
  }

  @Test
  void aTransactionBegunAndNotEndedIsForgotten() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      AssayBinaryJournal journal = writer.journal();
      journal.begin(writer.session("s"));
      journal.predicate(OpKind.SELECT, "{}");
      journal.error("no");
      writer.flush();
      journal.begin(writer.session("s"));
      journal.op(OpKind.WRITE, 1, 5);
      journal.end(Outcome.ABORTED);
      journal.op(OpKind.WRITE, 1, 6);
      writer.flush();
      journal.begin(writer.session("s"));
      journal.op(OpKind.WRITE, 1, 7);
      journal.end(Outcome.COMMITTED);
      journal.begin(writer.session("s"));
      journal.op(OpKind.WRITE, 1, 8);
    }
    History history = read(out.toByteArray());
    assertThat(history.transactionCount()).isEqualTo(2);
    assertThat(history.operationCount()).isEqualTo(2);
    assertThat(history.text(0)).isEqualTo("write 1 5");
    assertThat(history.outcome(0)).isEqualTo(Outcome.ABORTED);
    assertThat(history.error(0)).isNull();
    assertThat(history.text(1)).isEqualTo("write 1 7");
  }

  @Test
  void rowsAndResultsBelongToPredicateOperations() throws Exception {
    AssayBinaryJournal journal =
        new AssayBinaryWriter(new ByteArrayOutputStream(), false, Map.of()).journal();
    journal.begin(0);
    assertThatThrownBy(() -> journal.row(1, 2)).hasMessageContaining("belong to a predicate");
    journal.predicate(OpKind.UPDATE, "{}");
    journal.row(1, 2);
    journal.op(OpKind.WRITE, 1, 3);
    assertThatThrownBy(() -> journal.row(1, 2)).hasMessageContaining("belong to a predicate");
    assertThatThrownBy(() -> journal.result(2)).hasMessageContaining("belong to a predicate");
    assertThatThrownBy(() -> journal.op(OpKind.SELECT, 1, 2)).hasMessageContaining("its own");
    assertThatThrownBy(() -> journal.op(OpKind.LIST_READ, 1, 2)).hasMessageContaining("its own");
    assertThatThrownBy(() -> journal.predicate(OpKind.READ, "{}")).hasMessageContaining("has no");
  }

  @Test
  void aSessionThatNobodyDefinedIsRefused() throws Exception {
    AssayBinaryWriter writer = new AssayBinaryWriter(new ByteArrayOutputStream(), false, Map.of());
    AssayBinaryJournal journal = writer.journal();
    journal.begin(4);
    journal.end(Outcome.COMMITTED);
    assertThatThrownBy(writer::flush).hasMessage("no session 4");
  }

  private static byte[] recorded(History history) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer =
        new AssayBinaryWriter(out, history.zeroIsInitial(), history.metadata())) {
      AssayBinary.Pass pass = new AssayBinary.Pass(history, writer);
      AssayBinaryJournal journal = writer.journal();
      pass.write(() -> Journals.note(pass.record, journal));
    }
    return out.toByteArray();
  }

  /** Some in a journal and some not, while another thread flushes the writer again and again. */
  private static byte[] recordedBothWays(History history, Random random) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer =
        new AssayBinaryWriter(out, history.zeroIsInitial(), history.metadata())) {
      AssayBinary.Pass pass = new AssayBinary.Pass(history, writer);
      AssayBinaryJournal journal = writer.journal();
      pass.write(
          () -> {
            if (random.nextBoolean()) {
              writer.append(pass.record);
            } else {
              Journals.note(pass.record, journal, () -> flushAtTimes(writer, random));
              writer.flush();
            }
          });
    }
    return out.toByteArray();
  }

  private static void flushAtTimes(AssayBinaryWriter writer, Random random) throws IOException {
    if (random.nextInt(3) == 0) {
      writer.flush();
    }
  }
}
