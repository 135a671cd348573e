package dev.assay.driver;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The transactions of a recording as they are kept until it is finished: one line each, with all
 * columns of every row, because it shows only later which of them matter.
 */
final class Part {
  /** The rows that follow were selected by a condition. */
  static final String SELECT = "s";

  static final String READ = "r";
  static final String WRITE = "w";
  static final String DELETE = "d";
  static final String ABSENT = "a";
  static final String UNKNOWN = "u";

  // Json.quoted leaves no control characters, so these separate.
  static final char FIELD = '\u0001';
  private static final char ENTRY = '\u0002';

  /** How lines begin that are notes. */
  private static final String NOTE = "#";

  /** How the file begins. */
  private static final String TITLE = "#assay-driver 1";

  private static final String END = ".part";

  private Part() {}

  /**
   * A transaction.
   *
   * @param entries each with its kind first; see {@link #rowEntry}
   */
  record Line(
      String session,
      String label,
      String outcome,
      String start,
      String end,
      String id,
      String error,
      List<Entry> entries) {}

  /**
   * A row, a row that was not there, or a condition.
   *
   * @param text the key of the row in JSON, or the condition
   * @param version in JSON, or the number of rows that a condition selected
   */
  record Entry(String kind, String table, String text, String version, String[] fields) {
    /** The JSON of a column by its place. */
    String value(int column) {
      return fields[4 + column];
    }
  }

  /** A transaction by its session and its start. */
  static String key(String session, String start) {
    return session + " " + start;
  }

  interface Reader {
    void read(Line line) throws IOException;
  }

  /** The file beside a history in which this process keeps transactions until the end. */
  static Path of(Path history) {
    String name = history.getFileName() + "." + ProcessHandle.current().pid() + END;
    return history.resolveSibling(name);
  }

  /** The process that writes a file, as its name says; empty if it has ended. */
  static Optional<ProcessHandle> writer(Path part) {
    String[] words = part.getFileName().toString().split("\\.");
    String pid = words.length < 3 ? "" : words[words.length - 2];
    return pid.matches("\\d{1,18}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
  }

  static boolean isPart(Path file) {
    if (!file.getFileName().toString().endsWith(END) || !Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] title = in.readNBytes(TITLE.length());
      return new String(title, StandardCharsets.US_ASCII).equals(TITLE);
    } catch (IOException e) {
      return false;
    }
  }

  static BufferedWriter begin(Path part) throws IOException {
    BufferedWriter out = Files.newBufferedWriter(part);
    out.write(TITLE);
    out.newLine();
    return out;
  }

  static void write(BufferedWriter out, Notes.Fact fact, List<String> texts) throws IOException {
    out.write(NOTE + Notes.line(fact, texts));
    out.newLine();
  }

  static void read(Path part, Reader reader) throws IOException {
    lines(
        part,
        line -> {
          if (!line.startsWith(NOTE)) {
            reader.read(parsed(line));
          }
        });
  }

  /** The notes in a file. */
  static Notes notes(Path part) throws IOException {
    Notes notes = new Notes();
    lines(
        part,
        line -> {
          if (line.startsWith(NOTE) && !line.equals(TITLE)) {
            notes.read(line.substring(1));
          }
        });
    return notes;
  }

  private interface Lines {
    void read(String line) throws IOException;
  }

  /** All whole lines: who is killed leaves a part of the last. */
  private static void lines(Path part, Lines lines) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(part)) {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0; c = in.read()) {
        if (c == '\n') {
          lines.read(line.toString().stripTrailing());
          line.setLength(0);
        } else {
          line.append((char) c);
        }
      }
    }
  }

  private static Line parsed(String line) {
    String[] parts = line.split(String.valueOf(ENTRY), -1);
    String[] head = parts[0].split(String.valueOf(FIELD), -1);
    List<Entry> entries = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      String[] fields = parts[i].split(String.valueOf(FIELD), -1);
      entries.add(new Entry(fields[0], fields[1], fields[2], fields[3], fields));
    }
    return new Line(head[0], head[1], head[2], head[3], head[4], head[5], head[6], entries);
  }

  static String line(int session, String label, Transaction transaction) {
    StringBuilder line = new StringBuilder();
    line.append(session).append(FIELD).append(Json.quoted(label));
    line.append(FIELD).append(transaction.outcome);
    line.append(FIELD).append(transaction.start).append(FIELD).append(transaction.end);
    line.append(FIELD).append(transaction.id == null ? "" : transaction.id);
    line.append(FIELD).append(transaction.error == null ? "" : Json.quoted(transaction.error));
    for (Operation operation : transaction.operations) {
      String table = operation.table.label();
      if (operation.condition != null) {
        entry(line, SELECT, table, operation.condition, String.valueOf(operation.rows.size()));
      }
      if (operation.absent != null) {
        String kind = operation.neverThere ? ABSENT : UNKNOWN;
        entry(line, kind, table, Json.quoted(operation.absent), "");
      }
      for (Row row : operation.rows.values()) {
        rowEntry(line, operation.kind, row);
      }
    }
    return line.toString();
  }

  private static void rowEntry(StringBuilder line, Operation.Kind kind, Row row) {
    String name =
        switch (kind) {
          case READ -> READ;
          case WRITE -> WRITE;
          case DELETE -> DELETE;
        };
    entry(line, name, row.table().label(), Json.quoted(row.key()), Json.quoted(row.version()));
    if (row.values() != null) {
      row.values().forEach(value -> line.append(FIELD).append(value));
    }
  }

  private static void entry(
      StringBuilder line, String kind, String table, String text, String version) {
    line.append(ENTRY).append(kind).append(FIELD).append(table);
    line.append(FIELD).append(text).append(FIELD).append(version);
  }
}
