package dev.assay.driver;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a history of a notes. Versions that were read and that no recorded statement wrote were
 * there before, or written unseen: they become writes of the transaction that the database names,
 * or else of transactions that stand for those who wrote them.
 */
final class Finish {
  private static final String BEFORE = "before the recording";

  /** A column of some table, as part of every value. */
  private record Slot(String table, String column, int place) {}

  private final Notes notes;
  private final Path part;
  private final boolean ids;

  /** Hashes of keys and versions that recorded statements wrote. */
  private final Set<Long> written = new HashSet<>();

  /** The same of those that were not rolled back. */
  private final Set<Long> kept = new HashSet<>();

  /** Where versions are numbers: the line of the first write of each. */
  private final Map<Long, Integer> firstWrite = new HashMap<>();

  /** Where versions are numbers: those of rows that had been deleted, which begin anew. */
  private final Set<Long> anew = new HashSet<>();

  private final Set<Long> deleted = new HashSet<>();

  /** The writers of versions where the ids of transactions name them. */
  private final Writers writers = new Writers();

  /** Hashes of versions that were read and of which it is not known who wrote them. */
  private final Set<Long> nameless = new HashSet<>();

  /** The numbers of transactions by the database's ids. */
  private final Map<Long, Integer> byId = new HashMap<>();

  /** What was written unseen, by the number of a recorded transaction. */
  private final Map<Integer, Map<String, Part.Entry>> own = new HashMap<>();

  /** The same by the name of another writer. */
  private final Map<String, Map<String, Part.Entry>> others = new LinkedHashMap<>();

  private final Map<String, String> firstUnwritten = new HashMap<>();

  /**
   * Hashes of the keys of rows of which others wrote versions, or statements that were not seen.
   */
  private final Set<Long> writtenUnseen = new HashSet<>();

  private final List<Slot> slots = new ArrayList<>();
  private final Set<String> selected = new HashSet<>();
  private BufferedWriter out;

  /** When the first transaction began. */
  private long start = Long.MAX_VALUE;

  private int number;
  private boolean conditions;

  Finish(Notes notes, Path part) {
    this.notes = notes;
    this.part = part;
    this.ids = notes.firstId != null;
  }

  void write(Path file) throws IOException {
    number = 0;
    Part.read(part, this::collectWrites);
    for (List<String> tables : notes.deleting.values()) {
      for (String table : tables) {
        notes.open.putIfAbsent(table, "who deleted rows of it may be missing");
      }
    }
    number = 0;
    Part.read(part, this::collectUnwritten);
    chooseColumns();
    Path whole = part.resolveSibling(part.getFileName() + ".tmp");
    try (BufferedWriter writer = Files.newBufferedWriter(whole)) {
      out = writer;
      header();
      for (Map.Entry<String, Map<String, Part.Entry>> other : others.entrySet()) {
        writeOther(other.getKey(), other.getValue());
      }
      number = 0;
      Part.read(part, this::writeTransaction);
    }
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
  }

  // ---- who wrote what

  private static long version(Part.Entry entry) {
    return Recording.hash(entry.text() + " " + entry.version());
  }

  private void collectWrites(Part.Line line) {
    start = Math.min(start, Long.parseLong(line.start()));
    notes.deleting.remove(Part.key(line.session(), line.start()));
    if (!line.id().isEmpty()) {
      long id = Long.parseLong(line.id()) & 0xffffffffL;
      byId.put(id, number);
      writers.mayHaveOthers(id - notes.firstId, line);
    }
    for (Part.Entry entry : line.entries()) {
      if (entry.kind().equals(Part.WRITE)) {
        written.add(version(entry));
        if (!ids) {
          firstWrite.putIfAbsent(version(entry), number);
        }
        if (!line.outcome().equals("aborted")) {
          kept.add(version(entry));
        }
        if (deleted.contains(Recording.hash(entry.text()))) {
          anew.add(version(entry));
        }
        if (ids) {
          byId.put(id(entry), number);
          writers.add(entry, id(entry) - notes.firstId, line);
        }
      } else if (entry.kind().equals(Part.DELETE)) {
        deleted.add(Recording.hash(entry.text()));
      } else if (entry.kind().equals(Part.SELECT)) {
        selected.add(entry.table());
      }
    }
    number++;
  }

  /** The id of the transaction that wrote a version, as PostgreSQL names it. */
  private static long id(Part.Entry entry) {
    return Long.parseLong(entry.version().substring(1, entry.version().indexOf(':')));
  }

  private void collectUnwritten(Part.Line line) {
    number++;
    for (Part.Entry entry : line.entries()) {
      // After a rollback, or to a row that was deleted unseen, the same number may be given again.
      long hash = version(entry);
      boolean later = firstWrite.getOrDefault(hash, 0) > number - 1;
      boolean reused = isOpen(entry.table()) && (later || !kept.contains(hash));
      reused |= anew.contains(hash);
      if (!entry.kind().equals(Part.READ) || written.contains(hash) && (ids || !reused)) {
        continue;
      }
      writtenUnseen.add(Recording.hash(entry.text()));
      String name = entry.text() + " " + entry.version();
      if (!ids) {
        others.computeIfAbsent("unrecorded " + name, key -> new LinkedHashMap<>()).put(name, entry);
        String first = firstUnwritten.putIfAbsent(entry.text(), entry.version());
        if (first != null && !first.equals(entry.version())) {
          notes.open.putIfAbsent(entry.table(), "another program changed it");
        }
        continue;
      }
      long id = id(entry);
      Integer writer = byId.get(id);
      boolean again =
          writer != null && writer != number - 1 && writers.wrote(entry, id - notes.firstId);
      if (again || writer == null && writers.isOfOthers(id - notes.firstId)) {
        // The same row in another place, as VACUUM FULL leaves it; or a part of a transaction.
        nameless.add(hash);
        notes.open.putIfAbsent(entry.table(), "it is not known who wrote some of its rows");
      } else if (writer != null) {
        own.computeIfAbsent(writer, key -> new LinkedHashMap<>()).put(name, entry);
        notes.open.putIfAbsent(entry.table(), "a statement that was not seen changed it");
      } else {
        // Ids of 32 bits, which wrap around; those below 3 are of the database itself.
        boolean before = id < 3 || (int) (id - notes.firstId) < 0;
        String owner = before ? BEFORE : "unrecorded " + id;
        others.computeIfAbsent(owner, key -> new LinkedHashMap<>()).put(name, entry);
        if (!before) {
          notes.open.putIfAbsent(entry.table(), "another program changed it");
        }
      }
    }
  }

  // ---- what values are made of

  private boolean isOpen(String table) {
    return notes.open.containsKey("*") || notes.open.containsKey(table);
  }

  /**
   * Whether a number may name versions of two rows of a table that had one key, one after the
   * other.
   */
  private boolean mayBeAnother(String table) {
    return notes.deleted.contains("*") || notes.deleted.contains(table);
  }

  private void chooseColumns() {
    if (!notes.deleted.isEmpty()) {
      notes.metadata.put(
          "note.versions",
          "what was read is left open where rows may have been deleted unseen, because others in"
              + " their place may have the same version: "
              + (notes.deleted.contains("*") ? "all tables" : String.join(", ", notes.deleted)));
    }
    selected.removeIf(
        table -> {
          if (!isOpen(table)) {
            return false;
          }
          String why = notes.open.getOrDefault(table, notes.open.get("*"));
          notes.metadata.put(
              "note.conditions." + table,
              "conditions on " + table + " are left out, because " + why);
          return true;
        });
    conditions = !selected.isEmpty();
    if (!conditions) {
      return;
    }
    StringBuilder names = new StringBuilder("table,version");
    for (String table : new java.util.TreeSet<>(selected)) {
      List<String> columns = notes.tables.get(table);
      for (int place = 0; place < columns.size(); place++) {
        String column = columns.get(place);
        if (notes.conditionColumns.getOrDefault(table, Set.of()).contains(column)) {
          slots.add(new Slot(table, column, place));
          names.append(',').append(table).append('.').append(column);
        }
      }
    }
    notes.metadata.put("columns", names.toString());
    notes.metadata.put(
        "note.conditions",
        "conditions are judged on the premise that all changes of these tables were recorded: "
            + String.join(", ", new java.util.TreeSet<>(selected)));
  }

  private String value(Part.Entry entry) {
    if (!conditions) {
      return entry.version();
    }
    boolean gone = entry.kind().equals(Part.DELETE);
    StringBuilder value = new StringBuilder("{\"vector\":[");
    value.append(gone ? "null" : Json.quoted(entry.table())).append(',').append(entry.version());
    for (Slot slot : slots) {
      boolean there = !gone && slot.table.equals(entry.table());
      value.append(',').append(there ? entry.value(slot.place) : "null");
    }
    return value.append("]}").toString();
  }

  // ---- the history

  private void header() throws IOException {
    StringBuilder header = new StringBuilder("{\"assay\":1,\"metadata\":{");
    String separator = "";
    for (Map.Entry<String, String> entry : notes.metadata.entrySet()) {
      header.append(separator).append(Json.quoted(entry.getKey())).append(':');
      header.append(Json.quoted(entry.getValue()));
      separator = ",";
    }
    out.write(header.append("}}\n").toString());
  }

  /** The writes of others, as far as they were read. */
  private void writeOther(String name, Map<String, Part.Entry> entries) throws IOException {
    // Without transaction ids it is not known that they committed, only that they were seen.
    String outcome = ids ? "committed" : "indeterminate";
    String label = Json.quoted(name.replace("\"", ""));
    StringBuilder line = new StringBuilder("{\"session\":" + label);
    line.append(",\"outcome\":\"").append(outcome).append("\",\"id\":").append(label);
    if (name.equals(BEFORE)) {
      line.append(",\"start\":").append(start - 1).append(",\"end\":").append(start - 1);
    }
    line.append(",\"ops\":[");
    String separator = "";
    for (Part.Entry entry : entries.values()) {
      line.append(separator).append(write(entry));
      separator = ",";
    }
    out.write(line.append("]}\n").toString());
  }

  private String write(Part.Entry entry) {
    return "[\"w\"," + entry.text() + "," + value(entry) + "]";
  }

  private void writeTransaction(Part.Line line) throws IOException {
    Map<String, Part.Entry> more =
        new LinkedHashMap<>(own.getOrDefault(number++, new LinkedHashMap<>()));
    List<String> operations = new ArrayList<>();
    int rows = 0;
    StringBuilder select = null;
    for (Part.Entry entry : line.entries()) {
      Part.Entry unseen = more.remove(entry.text() + " " + entry.version());
      if (unseen != null) {
        // Written by this transaction before it read it; before the query that it is a row of.
        operations.add(write(unseen));
      }
      switch (entry.kind()) {
        case Part.SELECT -> {
          if (selected.contains(entry.table())) {
            rows = Integer.parseInt(entry.version());
            select = new StringBuilder("[\"select\"," + entry.text() + ",[");
            if (rows == 0) {
              operations.add(select + "]]");
            }
          }
        }
        case Part.ABSENT -> {
          // Who wrote such a row unseen, or before the recording, may have deleted it unseen, too.
          boolean unknown =
              writtenUnseen.contains(Recording.hash(entry.text())) || mayBeAnother(entry.table());
          operations.add("[\"r\"," + entry.text() + (unknown ? "]" : ",null]"));
        }
        case Part.UNKNOWN -> operations.add("[\"r\"," + entry.text() + "]");
        case Part.READ -> {
          boolean unknown = nameless.contains(version(entry)) && unseen == null;
          if (unknown || mayBeAnother(entry.table())) {
            operations.add("[\"r\"," + entry.text() + "]");
            continue;
          }
          String row = "[" + entry.text() + "," + value(entry) + "]";
          if (rows > 0) {
            select.append(row).append(--rows > 0 ? "," : "]]");
            if (rows == 0) {
              operations.add(select.toString());
            }
          } else {
            operations.add("[\"r\"," + row.substring(1));
          }
        }
        default -> operations.add(write(entry));
      }
    }
    more.values().forEach(entry -> operations.add(write(entry)));
    if (operations.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder("{\"session\":" + line.session());
    text.append(",\"outcome\":\"").append(line.outcome()).append("\",\"id\":").append(line.label());
    text.append(",\"start\":").append(line.start()).append(",\"end\":").append(line.end());
    if (!line.error().isEmpty()) {
      text.append(",\"error\":").append(line.error());
    }
    text.append(",\"ops\":[").append(String.join(",", operations)).append("]}\n");
    out.write(text.toString());
  }
}
