package dev.assay.format.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to a file while it is followed. */
class GrowingFileTest {
  @TempDir Path folder;

  private Path file;
  private HistoryStream stream;
  private final List<String> remarks = new ArrayList<>();

  @BeforeEach
  void follow() {
    file = folder.resolve("h.jsonl");
    follow(file);
  }

  private void follow(Path path) {
    stream = new HistoryStream("h", new GrowingFile(path), null);
    stream.onRemark(remarks::add);
  }

  @AfterEach
  void close() throws IOException {
    stream.close();
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String write(int value) {
    return "{\"session\":1,\"ops\":[[\"w\",\"x\"," + value + "]]}\n";
  }

  /** The names and places of the transactions that are there. */
  private List<String> next() throws ParseException {
    List<String> seen = new ArrayList<>();
    for (History block = stream.next(); block != null; block = stream.next()) {
      addTo(seen, block);
    }
    return seen;
  }

  private static void addTo(List<String> seen, History block) {
    for (int txn = 0; txn < block.transactionCount(); txn++) {
      String write = block.text(block.firstOp(txn));
      seen.add(block.label(txn) + " " + write + " at " + block.position(txn));
    }
  }

  @Test
  void aFileThatIsNotThereYetIsWaitedFor() throws Exception {
    assertThat(next()).isEmpty();
    append("");
    assertThat(next()).isEmpty();
    append(write(1));
    assertThat(next()).containsExactly("1/#1 write x 1 at 1");
    assertThat(next()).isEmpty();
    append(write(2) + write(3));
    assertThat(next()).containsExactly("1/#2 write x 2 at 2", "1/#3 write x 3 at 3");
    assertThat(stream.ended()).isFalse();
  }

  @Test
  void theRestOfALineIsWaitedFor() throws Exception {
    String line = write(1);
    for (int i = 0; i < line.length() - 1; i++) {
      append(line.substring(i, i + 1));
      assertThat(next()).isEmpty();
    }
    append("\n");
    assertThat(next()).containsExactly("1/#1 write x 1 at 1");
  }

  @Test
  void aFileThatIsRenamedIsReadToItsEndAndThenTheNewOne() throws Exception {
    append(write(1));
    assertThat(next()).hasSize(1);
    append(write(2));
    Files.move(file, folder.resolve("h.jsonl.1"));
    assertThat(next()).containsExactly("1/#2 write x 2 at 2");
    Files.writeString(folder.resolve("h.jsonl.1"), write(3), StandardOpenOption.APPEND);
    append("{\"assay\":1}\n" + write(4));
    assertThat(next()).containsExactly("1/#3 write x 3 at 3", "1/#4 write x 4 at 2");
    assertThat(remarks).hasSize(1);
    assertThat(remarks.get(0)).contains("replaced");
  }

  @Test
  void aFileThatIsCutBeginsAgain() throws Exception {
    append(write(1) + write(2));
    assertThat(next()).hasSize(2);
    Files.writeString(file, write(3));
    assertThat(next()).containsExactly("1/#3 write x 3 at 1");
    append(write(4));
    assertThat(next()).containsExactly("1/#4 write x 4 at 2");
  }

  @Test
  void halfALineAtTheEndOfAFileThatIsReplacedIsSaid() throws Exception {
    append(write(1) + "{\"session\":1,");
    assertThat(next()).hasSize(1);
    Files.delete(file);
    append(write(2));
    next();
    assertThat(remarks).anySatisfy(remark -> assertThat(remark).contains("13 bytes"));
  }

  @Test
  void aCompressedFileIsCompleteAndEnds() throws Exception {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((write(1) + write(2)).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(next()).hasSize(2);
    assertThat(stream.ended()).isTrue();
  }

  @Test
  void theHistoryOfAFolderIsWaitedFor() throws Exception {
    Path run = folder.resolve("store/latest");
    follow(run);
    assertThat(next()).isEmpty();
    Files.createDirectories(run);
    Files.writeString(run.resolve("test.jepsen"), "x");
    assertThat(next()).isEmpty();
    file = run.resolve("history.edn");
    append("{:process 0, :type :invoke, :f :txn, :value [[:w 1 2]], :index 0}\n");
    assertThat(next()).isEmpty();
    append("{:process 0, :type :ok, :f :txn, :value [[:w 1 2]], :index 1}\n");
    assertThat(next()).containsExactly("1 write 1 2 at 2");
    append("{:process 0, :type :invoke, :f :txn, :value [[:w 1 3]], :index 2}\n{:pro");
    assertThat(next()).isEmpty();
    List<String> last = new ArrayList<>();
    addTo(last, stream.stop());
    assertThat(last).containsExactly("2 write 1 3 at 3");
    assertThat(remarks).hasSize(1);
  }

  /** Another run of Jepsen does not continue the one before. */
  @ParameterizedTest
  @ValueSource(strings = {"store", "store/latest"})
  void theLatestRunOfAStoreIsFollowedAndNoOther(String followed) throws Exception {
    Path store = folder.resolve("store");
    Path first = Files.createDirectories(store.resolve("test/1")).resolve("history.jsonl");
    Path second = Files.createDirectories(store.resolve("test/2")).resolve("history.jsonl");
    follow(folder.resolve(followed));
    assertThat(next()).isEmpty();
    Files.createSymbolicLink(store.resolve("latest"), first.getParent());
    Files.writeString(first, write(1));
    assertThat(next()).hasSize(1);
    Files.delete(store.resolve("latest"));
    Files.createSymbolicLink(store.resolve("latest"), second.getParent());
    Files.writeString(second, write(2));
    assertThat(next()).isEmpty();
    Files.writeString(first, write(3), StandardOpenOption.APPEND);
    assertThat(next()).hasSize(1);
  }

  @Test
  void whatIsNotAHistoryIsAnError() throws Exception {
    append("a,b,c\n".repeat(20_000));
    assertThatThrownBy(() -> stream.next())
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("not in a format that Assay reads");
  }

  @Test
  void aFormatThatCannotBeFollowedSaysSo() throws Exception {
    byte[] dbcop = new byte[200];
    stream =
        new HistoryStream(
            "h", new Pieces.Drip(dbcop, 10), new dev.assay.format.checkers.Dbcop(), 100);
    assertThatThrownBy(() -> Pieces.all(stream))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("can only be read as a whole");
  }
}
