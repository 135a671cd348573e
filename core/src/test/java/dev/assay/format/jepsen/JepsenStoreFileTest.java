package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryAssert;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code test.jepsen}. The files were written with Fressian's own library, as Jepsen does: blocks
 * of operations, a vector of them, a map and an index.
 */
class JepsenStoreFileTest {
  private static byte[] bytes(String name) throws IOException {
    try (InputStream in =
        JepsenStoreFileTest.class.getResourceAsStream("/dev/assay/format/jepsen/" + name)) {
      return in.readAllBytes();
    }
  }

  private static History read(byte[] bytes) throws ParseException {
    return Formats.read(Input.of("test.jepsen", bytes));
  }

  private static History edn(String text) throws ParseException {
    return Formats.read(Input.of("h.edn", text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void transactionsAreReadAsFromEdn() throws Exception {
    String text =
        """
        {:index 0 :time 1000 :type :invoke :process 0 :f :txn :value [[:append 9 1] [:r 8 nil]]}
        {:index 1 :time 2000 :type :info :process :nemesis :f :start-partition :value :majority}
        {:index 2 :time -1 :type :ok :process 0 :f :txn :value [[:append 9 1] [:r 8 []]]}
        {:index 3 :time 70000 :type :invoke :process 1 :f :txn \
        :value [[:append 9 70000] [:r 9 nil]]}
        {:index 4 :time 5000000000 :type :ok :process 1 :f :txn \
        :value [[:append 9 70000] [:r 9 [1 70000]]]}
        {:index 5 :time 5000000001 :type :invoke :process 1 :f :txn :value [[:append 9 -2]]}
        {:index 6 :time 5000000002 :type :info :process 1 :f :txn :value [[:append 9 -2]] \
        :error [:timeout "it took too long to answer"]}
        """;
    History history = read(bytes("append.jepsen"));
    HistoryAssert.assertSame(history, edn(text));
    assertThat(history.shownEnd(1)).isEqualTo(5_000_000_000L);
    assertThat(history.outcome(2)).isEqualTo(Outcome.INDETERMINATE);
    assertThat(history.error(2)).contains("it took too long to answer");
    assertThat(history.metadata()).containsKey("note.skipped");
  }

  @Test
  void tuplesAndSetsAreReadToo() throws Exception {
    History registers = read(bytes("register.jepsen"));
    assertThat(registers.keys().get(0)).isEqualTo(3L);
    assertThat(registers.operationCount()).isEqualTo(4);
    History set = read(bytes("set.jepsen"));
    assertThat(set.kind(1)).isEqualTo(OpKind.SET_READ);
  }

  @Test
  void aFolderWithNothingElseIsARun(@TempDir Path folder) throws Exception {
    Files.write(folder.resolve("test.jepsen"), bytes("append.jepsen"));
    Files.writeString(folder.resolve("jepsen.log"), "2026-01-01 INFO start\n");
    History history = Formats.read(Input.of(folder));
    assertThat(history.transactionCount()).isEqualTo(3);
  }

  /** Wherever the file is cut or changed, the answer is an error, never another history. */
  @Test
  void damageIsFound() throws Exception {
    byte[] whole = bytes("append.jepsen");
    for (int length = 6; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(ParseException.class);
    }
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = whole.clone();
      int at = 6 + random.nextInt(whole.length - 6);
      changed[at] ^= (byte) (1 << random.nextInt(8));
      try {
        HistoryAssert.assertSame(read(changed), read(whole));
      } catch (ParseException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  /** Blocks whose checksums are right and whose content is anything. */
  @Test
  void anyContentIsReadOrRefused() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] content = new byte[random.nextInt(60)];
      random.nextBytes(content);
      try {
        Fressian values = new Fressian(ByteBuffer.wrap(content));
        while (values.hasNext()) {
          new EdnText(new StringBuilder()).write(values.read());
        }
      } catch (Fressian.Malformed e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  @Test
  void integersOfAllLengthsAreDecoded() {
    long[] expected = {63, -1, 64, -4096, 524287, -33554432, 8589934591L, -2199023255552L};
    int[][] codes = {
      {0x3f},
      {0xff},
      {0x50, 0x40},
      {0x40, 0x00},
      {0x6f, 0xff, 0xff},
      {0x70, 0x00, 0x00, 0x00},
      {0x77, 0xff, 0xff, 0xff, 0xff},
      {0x78, 0x00, 0x00, 0x00, 0x00, 0x00},
    };
    for (int i = 0; i < codes.length; i++) {
      ByteBuffer buffer = ByteBuffer.allocate(codes[i].length);
      for (int code : codes[i]) {
        buffer.put((byte) code);
      }
      assertThat(new Fressian(buffer.flip()).read()).isEqualTo(expected[i]);
    }
  }
}
