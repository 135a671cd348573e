package dev.assay.format.follow;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All pieces of a history together are the history, whatever their size. */
class PiecesOfEveryFormatTest {
  private static final List<Path> SAMPLES =
      List.of(
          Path.of("..", "histories"),
          Path.of("src", "test", "resources"),
          Path.of("..", "..", "shared", "corpus", "review"),
          Path.of("..", "..", "shared", "corpus", "init"),
          Path.of("..", "..", "shared", "corpus", "elle"),
          Path.of("..", "..", "shared", "corpus", "taps"),
          Path.of("..", "..", "shared", "corpus", "weak"));

  private static final int MAX_BYTES = 1 << 17;

  /** How much is read at once, and how much comes at once. */
  private static final int[][] SIZES = {{1, 1}, {100, 33}, {5000, 700}, {1 << 20, 1 << 20}};

  private static List<Path> samples() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : SAMPLES) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> all = Files.walk(folder)) {
          all.filter(Files::isRegularFile)
              .filter(f -> f.toFile().length() < MAX_BYTES)
              .sorted()
              .forEach(files::add);
        }
      }
    }
    return files;
  }

  private static boolean isStreamed(HistoryFormat format) {
    return isStreamed(format, "file");
  }

  private static boolean isStreamed(HistoryFormat format, String name) {
    return catchThrowableOfType(ParseException.class, () -> format.pieces(name)) == null;
  }

  @Test
  void formatsThatCannotBeReadInPiecesSaySo() {
    TreeSet<String> whole = new TreeSet<>();
    for (HistoryFormat format : Formats.all()) {
      if (!isStreamed(format)) {
        whole.add(format.id());
      }
    }
    assertThat(whole)
        .containsExactly("chronos", "cobra", "dbcop", "html-report", "parquet", "viper-log");
  }

  @Test
  void allPiecesOfASampleAreTheSample() throws Exception {
    TreeSet<String> tried = new TreeSet<>();
    for (Path file : samples()) {
      History history = history(file);
      if (history == null) {
        continue;
      }
      HistoryFormat own = Formats.byId(history.origin().format()).orElseThrow();
      if (isStreamed(own, file.toString())) {
        tried.add(own.id());
        try (InputStream in = Input.of(file).open()) {
          assertPieces(file, own, in.readAllBytes());
        }
      }
      for (HistoryFormat format : Formats.all()) {
        if (format.isWritable() && isStreamed(format) && format.losses(history).isEmpty()) {
          tried.add(format.id());
          assertPieces(file, format, Written.bytes(format, history));
        }
      }
    }
    assertThat(tried)
        .hasSize((int) Formats.all().stream().filter(PiecesOfEveryFormatTest::isStreamed).count());
  }

  private static History history(Path file) throws IOException {
    try {
      return Formats.detect(Input.of(file)).isPresent() ? Formats.read(Input.of(file)) : null;
    } catch (ParseException e) {
      return null;
    }
  }

  private static void assertPieces(Path file, HistoryFormat format, byte[] bytes)
      throws ParseException, IOException {
    History whole = Formats.read(Input.of("file", bytes), format);
    for (int[] size : SIZES) {
      try {
        List<History> pieces = Pieces.read(format, bytes, size[0], size[1]);
        History joined = Pieces.joined(pieces, whole);
        assertSame(joined, whole);
        for (int txn = 0; txn < whole.transactionCount(); txn++) {
          assertThat(joined.position(txn)).isEqualTo(whole.position(txn));
        }
      } catch (AssertionError | ParseException | RuntimeException e) {
        throw new AssertionError(
            file + " as " + format.id() + " in pieces of " + size[0] + ": " + e.getMessage(), e);
      }
    }
  }
}
