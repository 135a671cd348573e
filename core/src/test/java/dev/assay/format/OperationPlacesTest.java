package dev.assay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperationPlacesTest {
  @TempDir Path folder;

  private Path file(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    return file;
  }

  private Path file(String name, String content) throws IOException {
    return file(name, content.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] packed(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  private static History read(Path file) throws ParseException {
    return Formats.read(Input.of(file));
  }

  private static OperationPlaces all(Path file, History history) {
    List<Integer> every = IntStream.range(0, history.transactionCount()).boxed().toList();
    return Formats.locate(Input.of(file), history, every);
  }

  // ---- plume-text

  private static final String INTERLEAVED =
      """
      w(1,1,1,1)
      w(1,2,2,1)

      r(1,1,1,1)
       r( 2 , 0 , 2 , 1 )
      w(5,5,3,-1)
      w(2,9,1,2)
      r(5,5,1,1)
      w(5,6,3,-1)
      w(5,7,3,4)
      w(5,8,3,-1)
      """;

  @Test
  void linesOfInterleavedTransactionsAreTheirOwn() throws Exception {
    Path file = file("h.txt", INTERLEAVED);
    History history = read(file);
    OperationPlaces places = all(file, history);
    assertThat(places.of(0)).containsExactly(1, 4, 8);
    assertThat(places.of(1)).containsExactly(2, 5);
    assertThat(places.of(2)).containsExactly(6, 9);
    assertThat(places.of(3)).containsExactly(7);
    assertThat(places.of(4)).containsExactly(10);
    assertThat(places.of(5)).containsExactly(11);
    assertThat(places.place(2)).isEqualTo(file + ":8");
  }

  @Test
  void onlyWhatIsAskedForIsNoted() throws Exception {
    Path file = file("h.txt", INTERLEAVED);
    OperationPlaces places = Formats.locate(Input.of(file), read(file), List.of(5, 1));
    assertThat(places.of(0)).isNull();
    assertThat(places.of(2)).isNull();
    assertThat(places.of(1)).containsExactly(2, 5);
    assertThat(places.of(5)).containsExactly(11);
  }

  @Test
  void packedFilesAndOtherLineEndsAreCountedAlike() throws Exception {
    String text = "\ufeff" + INTERLEAVED.replace("\n", "\r\n");
    Path file = file("h.txt.gz", packed(text.getBytes(StandardCharsets.UTF_8)));
    OperationPlaces places = all(file, read(file));
    assertThat(places.of(0)).containsExactly(1, 4, 8);
    assertThat(places.of(2)).containsExactly(6, 9);
  }

  /** Lines in any order, of few transactions, aborted ones among them. */
  @Test
  void theLineOfEveryOperationOfRandomFilesHoldsThatOperation() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int txn = random.nextInt(5) - 1;
        String op = (random.nextBoolean() ? "w" : "r") + "(" + random.nextInt(9) + "," + i;
        lines.add(random.nextInt(8) == 0 ? "" : op + "," + random.nextInt(3) + "," + txn + ")");
      }
      Path file = file("h.txt", "w(0,0,0,1)\n" + String.join("\n", lines));
      History history = read(file);
      OperationPlaces places = all(file, history);
      for (int op = 1; op < history.operationCount(); op++) {
        int txn = history.transactionOf(op);
        int line = (int) places.of(txn)[op - history.firstOp(txn)];
        assertThat(lines.get(line - 2))
            .contains(
                "(" + history.operation(op).key() + "," + history.operation(op).value() + ",");
      }
    }
  }

  // ---- other formats

  @Test
  void linesOfAwditTestsAreCountedOverCommentsAndBlanks() throws Exception {
    Path file =
        file("h.awdit", "# one\nw 1 1\n\n# two\nr 1 1\n-----\n-----\nr 2 0\n=====\nr 1 1\n");
    OperationPlaces places = all(file, read(file));
    assertThat(places.of(0)).containsExactly(2, 5);
    assertThat(places.of(1)).isNull();
    assertThat(places.of(2)).containsExactly(8);
    assertThat(places.of(3)).containsExactly(10);
    assertThat(Formats.locate(Input.of(file), read(file), List.of(3)).of(3)).containsExactly(10);
  }

  @Test
  void offsetsInDbcopFilesAreThoseOfEventsThatSucceeded() throws Exception {
    ByteBuffer b = ByteBuffer.allocate(1 << 10).order(ByteOrder.LITTLE_ENDIAN);
    for (long count : new long[] {7, 1, 2, 2, 2, 0, 0, 0, 1, 2}) {
      b.putLong(count);
    }
    List<Integer> starts = new ArrayList<>();
    for (int txn = 0; txn < 2; txn++) {
      b.putLong(3);
      for (int event = 0; event < 3; event++) {
        starts.add(b.position());
        boolean success = event != 1;
        b.put((byte) 1).putLong(event).putLong(1 + txn).put((byte) (success ? 1 : 0));
      }
      b.put((byte) 1);
    }
    byte[] bytes = Arrays.copyOf(b.array(), b.position());
    for (Path file :
        List.of(file("h.bincode", bytes), file("run/history.bincode.gz", packed(bytes)))) {
      Path input = file.getParent().endsWith("run") ? file.getParent() : file;
      History history = read(input);
      OperationPlaces places = all(input, history);
      assertThat(places.of(0)).containsExactly(starts.get(0), starts.get(2));
      assertThat(places.of(1)).containsExactly(starts.get(3), starts.get(5));
      assertThat(places.place(3)).isEqualTo(file + "@" + starts.get(5));
    }
  }

  @Test
  void offsetsInCobraFoldersAreThoseOfRecordsInTheirFile() throws Exception {
    for (long log = 0; log < 3; log++) {
      ByteBuffer b = ByteBuffer.allocate(1 << 10);
      for (long txn = 1; txn <= 2; txn++) {
        b.put((byte) 'S').putLong(10 * log + txn);
        b.put((byte) 'W').putLong(txn).putLong(5).putLong(0);
        b.put((byte) 'R').putLong(10 * log + txn).putLong(txn).putLong(5).putLong(0);
        b.put((byte) 'C').putLong(10 * log + txn);
      }
      file("T" + log + ".log", Arrays.copyOf(b.array(), b.position()));
    }
    History history = read(folder);
    OperationPlaces places = Formats.locate(Input.of(folder), history, List.of(5, 2, 3));
    assertThat(places.of(0)).isNull();
    assertThat(places.of(2)).containsExactly(9, 34);
    assertThat(places.of(3)).containsExactly(85, 110);
    assertThat(places.of(5)).containsExactly(85, 110);
    assertThat(places.place(11)).isEqualTo(folder.resolve("T2.log") + "@110");
  }

  @Test
  void inFormatsWithATransactionALineOperationsStandWithTheirTransaction() throws Exception {
    Path file =
        file(
            "h.jsonl",
            "{\"assay\":1}\n{\"session\":1,\"ops\":[[\"w\",\"x\",1],[\"r\",\"x\",1]]}\n");
    OperationPlaces places = all(file, read(file));
    assertThat(places.of(0)).isNull();
    assertThat(places.place(1)).isEqualTo(file + ":2");
  }

  // ---- what cannot be read again

  @Test
  void whatCanBeReadOnlyOnceGivesThePlacesOfTransactions() throws Exception {
    Input once = Input.of("-", INTERLEAVED.getBytes(StandardCharsets.UTF_8));
    History history = Formats.read(once);
    OperationPlaces places = Formats.locate(once, history, List.of(0));
    assertThat(places.of(0)).isNull();
    assertThat(places.place(2)).isEqualTo("-:1");
  }

  @Test
  void aFileThatIsGoneOrCutShortGivesThePlacesOfTransactions() throws Exception {
    Path file = file("h.txt", INTERLEAVED);
    History history = read(file);
    Files.writeString(file, "w(1,1,1,1)\n");
    assertThat(all(file, history).of(0)).isNull();
    Files.delete(file);
    assertThat(all(file, history).place(2)).isEqualTo(file + ":1");
  }
}
