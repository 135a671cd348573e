package dev.assay.format.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of which only the end is kept. */
class AssayBinaryPartsTest {
  private static final long KEEP = 200_000;
  private static final int SESSIONS = 3;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("history.assay");
  }

  /** Transaction number i writes i to a register of its session and reads a list with it. */
  private static void record(AssayBinaryWriter writer, AssayBinaryJournal journal, int i)
      throws IOException {
    journal.begin(writer.session("client " + i % SESSIONS));
    journal.op(OpKind.WRITE, writer.scalar("key " + i % 7), i);
    journal.readList(1000 + i % 5, new long[] {i, i + 1}, 0, 2);
    journal.times(i, i + 1);
    journal.end(Outcome.COMMITTED);
  }

  private long size() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(one -> one.toFile().length()).sum();
    }
  }

  private static List<Long> starts(History history) {
    List<Long> starts = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      starts.add(history.start(txn));
    }
    return starts;
  }

  @Test
  void theEndIsKeptWithinTheLimitAndSaysWhatIsMissing() throws Exception {
    int count = 20_000;
    AssayBinaryParts parts = new AssayBinaryParts(file, KEEP, Map.of("a", "b"));
    AssayBinaryJournal journal = parts.writer().journal();
    for (int i = 0; i < count; i++) {
      record(parts.writer(), journal, i);
      if (i == 10) {
        parts.writer().metadata("said", "in the first part");
      }
      if (i % 100 == 0) {
        parts.writer().flush();
        assertThat(parts.turn(Integer.MAX_VALUE)).isTrue();
        assertThat(size()).isLessThan(KEEP);
      }
    }
    parts.finish();
    parts.join();
    assertThat(size()).isEqualTo(Files.size(file)).isBetween(KEEP / 2, KEEP);
    History history = Formats.read(Input.of(file));
    List<Long> starts = starts(history);
    long missing = count - starts.size();
    assertThat(missing).isPositive();
    for (int i = 0; i < starts.size(); i++) {
      assertThat(starts.get(i)).isEqualTo(missing + i);
    }
    assertThat(history.metadata())
        .containsEntry("a", "b")
        .containsEntry("said", "in the first part")
        .containsEntry(
            "note.beginning",
            "the recording lacks its first %,d transactions, which were not kept (--keep)"
                .formatted(missing));
    assertThat(history.sessionName(history.session(0))).isEqualTo("client " + missing % SESSIONS);
    assertThat(history.text(history.firstOp(0)))
        .isEqualTo("write key " + missing % 7 + " " + missing);
  }

  /** Parts are looked at now and then; what came in between may be more than a part should have. */
  @Test
  void theLimitHoldsWherePartsAreLongerThanTheyShouldBe() throws Exception {
    AssayBinaryParts parts = new AssayBinaryParts(file, KEEP, Map.of());
    AssayBinaryJournal journal = parts.writer().journal();
    for (int i = 1; i <= 60_000; i++) {
      record(parts.writer(), journal, i);
      if (i % 3_000 == 0) {
        parts.writer().flush();
        parts.turn(Integer.MAX_VALUE);
        assertThat(size()).isLessThanOrEqualTo(KEEP);
      }
    }
    assertThat(parts.dropped()).isPositive();
    parts.finish();
    parts.join();
  }

  /** A process that is killed leaves parts that others may explain. */
  @Test
  void eachPartByItselfIsARecordingThatSaysWhatItLacks() throws Exception {
    AssayBinaryParts parts = new AssayBinaryParts(file, KEEP, Map.of());
    AssayBinaryJournal journal = parts.writer().journal();
    for (int i = 0; parts.last() < 3; i++) {
      record(parts.writer(), journal, i);
      parts.writer().flush();
      parts.turn(Integer.MAX_VALUE);
    }
    History first = Formats.read(Input.of(AssayBinaryParts.path(file, 1)));
    History second = Formats.read(Input.of(AssayBinaryParts.path(file, 2)));
    assertThat(first.metadata()).containsKey("note.rest").doesNotContainKey("note.beginning");
    assertThat(second.metadata()).containsKeys("note.rest", "note.beginning");
    assertThat(starts(second).get(0)).isEqualTo(first.transactionCount());
    // No transaction appends what lists show here.
    assertThat(second.text(second.firstOp(0) + 1)).endsWith("-> ?");
    parts.finish();
    parts.join();
    assertThat(Formats.read(Input.of(file)).metadata()).isEmpty();
  }

  @Test
  void aShortRecordingIsAnOrdinaryFile() throws Exception {
    AssayBinaryParts parts = new AssayBinaryParts(file, KEEP, Map.of());
    record(parts.writer(), parts.writer().journal(), 1);
    parts.turn(Integer.MAX_VALUE);
    parts.finish();
    parts.join();
    History history = Formats.read(Input.of(file));
    assertThat(history.transactionCount()).isEqualTo(1);
    assertThat(history.metadata()).isEmpty();
    assertThat(AssayBinaryParts.isCut(history.metadata())).isFalse();
  }

  @Test
  void whatAReaderNeedsStaysAndAllOfItIsRead() throws Exception {
    int count = 20_000;
    Files.writeString(AssayBinaryParts.path(file, 2), "left by a process that was killed");
    List<Long> seen = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean crowded = false;
    AssayBinaryParts parts = new AssayBinaryParts(file, KEEP, Map.of());
    try (AssayBinaryTail tail = AssayBinaryTail.ofParts(file)) {
      AssayBinaryJournal journal = parts.writer().journal();
      int part = 1;
      for (int i = 0; i < count; i++) {
        record(parts.writer(), journal, i);
        if (i % 100 == 0) {
          parts.writer().flush();
          crowded |= !parts.turn(part);
        }
        // The reader is far behind most of the time.
        if (i % 9_000 == 8_999) {
          part = read(tail, part, seen, names);
        }
      }
      parts.finish();
      part = read(tail, part, seen, names);
      assertThat(part).isEqualTo(parts.last());
      assertThat(tail.isComplete()).isTrue();
    }
    assertThat(crowded).isTrue();
    assertThat(seen).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(seen.get(i)).isEqualTo(i);
      assertThat(names.get(i)).isEqualTo("client " + i % SESSIONS + "/#" + (i / SESSIONS + 1));
    }
  }

  private int read(AssayBinaryTail tail, int from, List<Long> seen, List<String> names)
      throws Exception {
    int part = from;
    while (true) {
      for (History block = tail.next(); block != null; block = tail.next()) {
        seen.addAll(starts(block));
        for (int txn = 0; txn < block.transactionCount(); txn++) {
          names.add(block.label(txn));
        }
      }
      if (!tail.isComplete() || !Files.exists(AssayBinaryParts.path(file, part + 1))) {
        return part;
      }
      tail.goOnIn(AssayBinaryParts.path(file, ++part));
    }
  }
}
