package dev.assay.format.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RandomHistories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading a recording while it is written. */
class AssayBinaryTailTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void emptyFile() throws IOException {
    file = folder.resolve("history.assay");
    Files.createFile(file);
  }

  @Test
  void blocksAreTheWholeHistoryPieceByPiece() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      // One type each: what a key that is used as several is taken for depends on the whole
      // history.
      OpKind.Type type = seed % 4 < 2 ? OpKind.Type.REGISTER : OpKind.Type.LIST;
      RandomHistories random = new RandomHistories(seed).types(type);
      History history = seed % 2 == 0 ? random.next() : random.size(200, 6).bare().next();
      if (history.zeroIsInitial() || history.declaresInitial()) {
        continue;
      }
      List<String> seen = followed(history, new Random(seed));
      assertThat(seen).isEqualTo(lines(Formats.read(Input.of(file))));
    }
  }

  /** Records a history in a journal, flushed at times, and reads it at the same time. */
  private List<String> followed(History history, Random random) throws Exception {
    List<String> seen = new ArrayList<>();
    AssayBinaryTail tail = new AssayBinaryTail(file, file.toString());
    try (tail;
        OutputStream out = Files.newOutputStream(file)) {
      assertThat(tail.next()).isNull();
      try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, history.metadata())) {
        AssayBinary.Pass pass = new AssayBinary.Pass(history, writer);
        AssayBinaryJournal journal = writer.journal();
        pass.write(
            () -> {
              Journals.note(pass.record, journal);
              if (random.nextInt(5) == 0) {
                writer.flush();
                read(tail, seen);
              }
            });
        writer.metadata("ended", "now");
      }
      assertThat(tail.isComplete()).isFalse();
      read(tail, seen);
      assertThat(tail.isComplete()).isTrue();
      assertThat(tail.metadata()).containsEntry("ended", "now");
    }
    return seen;
  }

  private static void read(AssayBinaryTail tail, List<String> to) throws IOException {
    try {
      for (History block = tail.next(); block != null; block = tail.next()) {
        to.addAll(lines(block));
      }
    } catch (ParseException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> lines(History history) {
    List<String> lines = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      StringBuilder line = new StringBuilder(history.sessionText(history.session(txn)));
      line.append(' ').append(history.outcome(txn)).append(' ').append(history.start(txn));
      line.append(' ').append(history.end(txn)).append(' ').append(history.error(txn));
      line.append(" @").append(history.position(txn));
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        line.append(", ").append(history.text(op));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  @Test
  void transactionsHaveTheNamesTheyHaveInTheWholeHistory() throws Exception {
    List<String> names = new ArrayList<>();
    AssayBinaryTail tail = new AssayBinaryTail(file, "h");
    try (tail;
        AssayBinaryWriter writer =
            new AssayBinaryWriter(Files.newOutputStream(file), false, Map.of())) {
      AssayBinaryJournal journal = writer.journal();
      for (int i = 0; i < 10; i++) {
        journal.begin(writer.session(i % 3 == 0 ? "a" : 7L));
        journal.op(OpKind.WRITE, i, i);
        journal.end(Outcome.COMMITTED);
        writer.flush();
        History block = tail.next();
        names.add(block.label(0));
      }
    }
    History whole = Formats.read(Input.of(file));
    List<String> expected = new ArrayList<>();
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      expected.add(whole.label(txn));
    }
    assertThat(names).isEqualTo(expected);
  }

  @Test
  void halfABlockIsNotReadBeforeItsRestIsThere() throws Exception {
    try (AssayBinaryWriter writer =
        new AssayBinaryWriter(Files.newOutputStream(file), false, Map.of())) {
      AssayBinaryJournal journal = writer.journal();
      for (int i = 0; i < 3; i++) {
        journal.begin(writer.session(1L));
        journal.op(OpKind.WRITE, i, i);
        journal.end(Outcome.COMMITTED);
        writer.flush();
      }
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, new byte[0]);
    int transactions = 0;
    try (AssayBinaryTail tail = new AssayBinaryTail(file, "h");
        OutputStream out = Files.newOutputStream(file)) {
      for (byte one : bytes) {
        assertThat(tail.isComplete()).isFalse();
        out.write(one);
        History block = tail.next();
        transactions += block == null ? 0 : block.transactionCount();
      }
      assertThat(tail.isComplete()).isTrue();
    }
    assertThat(transactions).isEqualTo(3);
  }

  @Test
  void anotherFileIsAnErrorWithItsName() throws Exception {
    Files.writeString(file, "this is not a recording");
    try (AssayBinaryTail tail = new AssayBinaryTail(file, "h.assay")) {
      assertThatThrownBy(tail::next)
          .isInstanceOf(ParseException.class)
          .hasMessageContaining("not an .assay file");
    }
  }
}
