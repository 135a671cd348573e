package dev.assay.format.jepsen;

import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Histories of Jepsen and Elle: operation maps in EDN, one a line or in one vector; a stored run's
 * folder; Jepsen's {@code history.txt}, which has the fields of an operation side by side; and its
 * {@code test.jepsen}, which is binary.
 */
public final class JepsenEdn implements HistoryFormat {
  /** The files of a stored run that hold its history, best first. */
  private static final List<String> RUN_FILES =
      List.of("history.edn", "history.edn.gz", "history.txt", "history.txt.gz", "test.jepsen");

  /** Files that every stored run has from its start, also one that ended before its history. */
  private static final List<String> TEST_FILES = List.of("test.jepsen", "test.fressian");

  private static final Pattern TEXT_LINE =
      Pattern.compile("(-?\\d+|:\\S+)[ \\t]+:(invoke|ok|fail|info)([ \\t].*)?");

  @Override
  public String id() {
    return "jepsen-edn";
  }

  @Override
  public String title() {
    return "Jepsen and Elle: operation maps in EDN, or a stored run's folder";
  }

  @Override
  public List<String> extensions() {
    return List.of(".edn");
  }

  // ---- detection

  enum Layout {
    MAPS,
    TEXT,
    OTHER
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    if (!input.isFolder()) {
      return StoreFile.isMagic(input.head()) || layout(input.head()) != Layout.OTHER;
    }
    Path history = fileNamed(RUN_FILES, input);
    // A run without history is one bad history, rather than its other EDN files one each.
    return fileNamed(TEST_FILES, input) != null
        || (history != null && layout(input.part(history).head()) != Layout.OTHER);
  }

  private static Path fileNamed(List<String> names, Input folder) throws IOException {
    for (String name : names) {
      for (Path file : folder.files(name)) {
        if (file.getFileName().toString().equals(name)) {
          return file;
        }
      }
    }
    return null;
  }

  /** How the first lines are laid out; log lines between the operations don't count. */
  static Layout layout(byte[] head) {
    String text = new String(head, StandardCharsets.UTF_8);
    if (text.startsWith("\uFEFF")) {
      text = text.substring(1);
    }
    int from = 0;
    while (from < text.length()) {
      int newline = text.indexOf('\n', from);
      int end = newline < 0 ? text.length() : newline;
      int first = skipBlanks(text, from);
      if (first < end && "{[(#".indexOf(text.charAt(first)) >= 0) {
        return isMaps(text, first) ? Layout.MAPS : Layout.OTHER;
      }
      if (TEXT_LINE.matcher(text.substring(from, end).strip()).matches()) {
        return Layout.TEXT;
      }
      from = end + 1;
    }
    return Layout.OTHER;
  }

  /** Whether an EDN map begins here, perhaps tagged, perhaps as the first of a vector. */
  private static boolean isMaps(String text, int from) {
    int i = from;
    if (text.charAt(i) == '[' || text.charAt(i) == '(') {
      i = skipBlanks(text, i + 1);
    }
    if (i < text.length() && text.charAt(i) == '#') {
      while (i < text.length() && text.charAt(i) != '{') {
        if (!EdnScanner.isNameCharacter(text.charAt(i)) && text.charAt(i) != ' ') {
          return false;
        }
        i++;
      }
    }
    if (i >= text.length() || text.charAt(i) != '{') {
      return false;
    }
    i = skipBlanks(text, i + 1);
    return i < text.length() && text.charAt(i) == ':';
  }

  /** The next place that is neither white space, comma nor in a comment. */
  private static int skipBlanks(String text, int from) {
    int i = from;
    boolean comment = false;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == ';') {
        comment = true;
      } else if (c == '\n') {
        comment = false;
      } else if (!comment && c > ' ' && c != ',') {
        break;
      }
      i++;
    }
    return i;
  }

  // ---- reading

  @Override
  public History read(Input input) throws IOException, ParseException {
    if (!input.isFolder()) {
      return read(input, new Origin(input.name(), id(), Origin.Unit.LINE, List.of()));
    }
    Path history = fileNamed(RUN_FILES, input);
    if (history == null) {
      throw ParseException.ofFile(
          input.name(),
          "is a folder without a history",
          "history.edn, history.txt or test.jepsen in it",
          "name the folder of one stored run, such as store/my-test/latest");
    }
    List<String> files = List.of(history.getFileName().toString());
    return read(input.part(history), new Origin(input.name(), id(), Origin.Unit.LINE, files));
  }

  private static History read(Input file, Origin origin) throws IOException, ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(origin);
    if (StoreFile.isMagic(file.head())) {
      readStoreFile(file, builder);
      return builder.build();
    }
    boolean text = layout(file.head()) == Layout.TEXT;
    try (InputStream in = file.open()) {
      EdnScanner scanner = new EdnScanner(file.name(), in);
      JepsenOps ops = new JepsenOps(file.name(), builder, false);
      EdnOps reader = new EdnOps(scanner, builder.scalars());
      if (text) {
        ops.skippedLines(new JepsenText(scanner, reader, ops).read());
      } else {
        LogLines lines = new LogLines();
        readMaps(scanner, reader, ops, lines);
        lines.finish(file.name(), ops);
      }
      ops.finish();
    }
    return builder.build();
  }

  /** Reads the operations of {@code test.jepsen}; its lines are their numbers. */
  private static void readStoreFile(Input file, HistoryBuilder builder)
      throws IOException, ParseException {
    JepsenOps ops = new JepsenOps(file.name(), builder, false);
    LogLines lines = new LogLines();
    long[] before = {0};
    try (InputStream in = file.open()) {
      new StoreFile(file.name(), in.readAllBytes())
          .read(
              edn -> {
                EdnScanner scanner =
                    new EdnScanner(
                        file.name(),
                        new ByteArrayInputStream(edn.getBytes(StandardCharsets.UTF_8)));
                scanner.countAfter(before[0]);
                readMaps(scanner, new EdnOps(scanner, builder.scalars()), ops, lines);
                before[0] += edn.chars().filter(c -> c == '\n').count();
              });
    }
    ops.finish();
  }

  /** The lines between the operations that hold none. */
  static final class LogLines {
    private long count;
    private long first;

    void finish(String file, JepsenOps ops) throws ParseException {
      if (ops.maps() == 0 && count > 0) {
        throw ParseException.atLine(
            file, first, 1, "no operation anywhere in the file", "a map such as {:type …", null);
      }
      ops.skippedLines(count);
    }
  }

  static void readMaps(EdnScanner scanner, EdnOps reader, JepsenOps ops, LogLines logLines)
      throws IOException, ParseException {
    JepsenOp op = new JepsenOp();
    long lastLine = 0;
    while (true) {
      int c = scanner.next();
      switch (c) {
        case EdnScanner.EOF -> {
          return;
        }
        case '{' -> {
          reader.read(op);
          ops.accept(op);
        }
        case '[', '(' -> readVector(c, scanner, reader, ops);
        case '#', ']', ')', '}' -> throw noOperation(scanner);
        default -> {
          // Only a line of its own is a log line; what follows an operation is damage.
          if (scanner.formLine() == lastLine) {
            throw noOperation(scanner);
          }
          if (logLines.count++ == 0) {
            logLines.first = scanner.formLine();
          }
          scanner.skipLine();
        }
      }
      lastLine = scanner.line();
    }
  }

  private static void readVector(int open, EdnScanner scanner, EdnOps reader, JepsenOps ops)
      throws IOException, ParseException {
    long line = scanner.formLine();
    long column = scanner.formColumn();
    JepsenOp op = new JepsenOp();
    scanner.skip();
    for (int c = scanner.next(); c != EdnScanner.closing(open); c = scanner.next()) {
      if (c == EdnScanner.EOF) {
        throw scanner.unclosed(open, line, column);
      }
      if (c != '{') {
        throw noOperation(scanner);
      }
      reader.read(op);
      ops.accept(op);
    }
    scanner.skip();
  }

  private static ParseException noOperation(EdnScanner scanner) {
    return scanner.error(scanner.snippet(), "an operation, a map such as {:type :invoke …}", null);
  }

  @Override
  public PieceReader pieces(String name) throws ParseException {
    if (name.endsWith(".jepsen")) {
      throw ParseException.ofFile(
          name,
          "is binary, and can only be read as a whole",
          "history.edn or history.txt, which Jepsen writes beside it",
          null);
    }
    return new JepsenPieces(name, id(), new EdnPiece(name));
  }

  // ---- writing

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    return JepsenLosses.of(history, JepsenSyntax.EDN);
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new JepsenWriter(history, JepsenSyntax.EDN, out).write();
  }
}
