package dev.assay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.history.History;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What tests of formats share: histories as text, errors as values, folders of the corpus. */
public final class Written {
  private static final Path CORPUS = Path.of("..", "..", "shared", "corpus");

  private Written() {}

  /** All a reader must get right, one transaction a line: session, outcome, operations. */
  public static String text(History history) {
    StringBuilder text = new StringBuilder();
    for (int session = 0; session < history.sessionCount(); session++) {
      text.append("session ").append(history.sessionText(session)).append('\n');
      for (int place = 0; place < history.sessionSize(session); place++) {
        int txn = history.sessionTransaction(session, place);
        text.append("  ").append(history.outcome(txn).id());
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          text.append(", ").append(history.text(op));
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  public static byte[] bytes(HistoryFormat format, History history) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format.write(history, out);
    return out.toByteArray();
  }

  public static History read(HistoryFormat format, String name, byte[] bytes)
      throws ParseException {
    return Formats.read(Input.of(name, bytes), format);
  }

  public static ParseException error(HistoryFormat format, Input input) {
    ParseException e =
        catchThrowableOfType(ParseException.class, () -> Formats.read(input, format));
    assertThat(e).as("the reader must refuse this").isNotNull();
    return e;
  }

  /** Folders of the corpus of real histories, none where it is not there. */
  public static List<Path> corpus(String folder) throws IOException {
    Path path = CORPUS.resolve(folder);
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    }
  }
}
