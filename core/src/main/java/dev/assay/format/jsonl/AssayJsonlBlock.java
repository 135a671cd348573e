package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.LineReader;
import dev.assay.format.LongList;
import dev.assay.format.ParseException;
import dev.assay.format.TransactionRecord;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/** Some whole lines of {@code assay-jsonl}; lines are counted from the first of them. */
final class AssayJsonlBlock {
  private final String file;
  private final TransactionLog log = new TransactionLog();
  private final TransactionRecord record = new TransactionRecord();
  private final PlainTransaction plain = new PlainTransaction(log.scalars(), record);
  private final Set<String> unknownFields = new LinkedHashSet<>();
  private final Set<String> fields = new LinkedHashSet<>();
  private final boolean isFirst;
  private LineReader lines;
  private long lineCount;
  private boolean empty = true;
  private ParseException error;

  /** What is wrong with the first line unless it is the first of the file; a header, mostly. */
  private ParseException wrongAsLater;

  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final LongList sessions = new LongList();

  /** Keys and their initial values in turn. */
  private final LongList initial = new LongList();

  private long initialOfOthers = RawScalars.NIL;
  private long loader = RawScalars.NIL;

  private AssayJsonlBlock(String file, LineReader lines, boolean isFirst) {
    this.file = file;
    this.lines = lines;
    this.isFirst = isFirst;
  }

  /** Parses whole lines; stops at the first that is malformed. */
  static AssayJsonlBlock parse(String file, byte[] bytes, int start, int end, boolean isFirst) {
    LineReader lines = new LineReader(bytes, start, end, isFirst);
    AssayJsonlBlock block = new AssayJsonlBlock(file, lines, isFirst);
    try {
      block.read();
    } catch (ParseException e) {
      block.error = e;
    } catch (IOException e) {
      // Nothing is read but bytes in memory.
      throw new UncheckedIOException(e);
    }
    block.lines = null;
    return block;
  }

  long lineCount() {
    return lineCount;
  }

  /** Whether there are only blank lines. */
  boolean isEmpty() {
    return empty;
  }

  Set<String> unknownFields() {
    return unknownFields;
  }

  /**
   * Adds everything to a history.
   *
   * @param before how many lines came before
   * @param afterOthers whether some of those were not blank
   * @throws ParseException at the first line that is malformed
   */
  void addTo(HistoryBuilder builder, long before, boolean afterOthers) throws ParseException {
    declareTo(builder);
    if (loader != RawScalars.NIL) {
      builder.loaderSession(rawIn(builder, loader));
    }
    for (int i = 0; i < sessions.size(); i++) {
      builder.rawSession(rawIn(builder, sessions.get(i)));
    }
    addTransactionsTo(builder, before, afterOthers, builder::loader);
  }

  /** Adds what the header declares, but for the sessions and the loader. */
  void declareTo(HistoryBuilder builder) {
    if (initialOfOthers != RawScalars.NIL) {
      builder.rawInitially(rawIn(builder, initialOfOthers));
    }
    for (int i = 0; i < initial.size(); i += 2) {
      builder.rawInitially(rawIn(builder, initial.get(i)), rawIn(builder, initial.get(i + 1)));
    }
    metadata.forEach(builder::metadata);
  }

  /** One scalar of the header as the builder has it, without translating the whole dictionary. */
  private long rawIn(HistoryBuilder builder, long raw) {
    return builder.scalars().of(log.scalars().get(raw));
  }

  /** The session that loads the initial state according to the header, or null. */
  Object loader() {
    return log.scalars().get(loader);
  }

  /**
   * Adds the transactions.
   *
   * @param loaders receives the numbers of those that load the initial state
   */
  void addTransactionsTo(
      HistoryBuilder builder, long before, boolean afterOthers, IntConsumer loaders)
      throws ParseException {
    ParseException wrong = afterOthers && wrongAsLater != null ? wrongAsLater : error;
    if (wrong != null) {
      throw wrong.after(before);
    }
    log.addTo(builder, log.translation(builder.scalars()), before, loaders);
  }

  private void read() throws IOException, ParseException {
    while (lines.next()) {
      lineCount++;
      if (!lines.isBlank()) {
        readLine(empty);
        empty = false;
      }
    }
  }

  private void readLine(boolean first) throws IOException, ParseException {
    if (plain.read(lines.bytes(), lines.start(), lines.end())) {
      log.add(record, plain.session(), lines.line());
    } else {
      if (first && !isFirst) {
        wrongAsLater = wrongAsLater();
      }
      readAnyLine(first);
    }
  }

  private void readAnyLine(boolean first) throws IOException, ParseException {
    JsonLine.read(
        file,
        lines,
        log.scalars(),
        values -> {
          boolean header = first && isHeader();
          fields.clear();
          if (header) {
            readHeader(values);
          } else {
            readTransaction(values);
          }
        });
  }

  /** What is wrong with the line at hand if it is not the first of the file, or null. */
  private ParseException wrongAsLater() throws IOException {
    AssayJsonlBlock other = new AssayJsonlBlock(file, lines, false);
    try {
      other.readAnyLine(false);
      return null;
    } catch (ParseException e) {
      return e;
    }
  }

  private boolean isHeader() throws IOException {
    try (JsonParser json = JsonLine.parser(lines)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        if (json.currentName().equals(AssayJsonlReader.HEADER_MARK)) {
          return true;
        }
        json.nextToken();
        json.skipChildren();
      }
      return false;
    }
  }

  // ---- the header

  private void readHeader(AssayJsonlValues values) throws IOException, AssayJsonlValues.Wrong {
    boolean byKey = false;
    while (values.nextField(fields)) {
      switch (values.field()) {
        case AssayJsonlReader.HEADER_MARK -> {
          if (values.integer() != 1) {
            throw values.wrong("version 1 of assay-jsonl", "read it with a newer Assay");
          }
        }
        case "initial" -> {
          byKey = values.keyed(initial);
          if (!byKey) {
            initialOfOthers = values.scalar();
          }
        }
        case "initialOfOthers" -> initialOfOthers = values.scalar();
        case "loader" -> loader = values.scalar();
        case "metadata" -> values.pairs(metadata::put);
        case "sessions" -> {
          LongList names = values.scalars();
          for (int i = 0; i < names.size(); i++) {
            sessions.add(names.get(i));
          }
        }
        default -> ignore(values);
      }
    }
    if (fields.contains("initialOfOthers") && !byKey) {
      throw values.wrong("the values of some keys as \"initial\" beside \"initialOfOthers\"");
    }
  }

  // ---- a transaction

  private void readTransaction(AssayJsonlValues values) throws IOException, AssayJsonlValues.Wrong {
    record.begin(0);
    long session = 0;
    long start = History.ABSENT;
    long end = History.ABSENT;
    long snapshot = History.ABSENT;
    long commit = History.ABSENT;
    while (values.nextField(fields)) {
      switch (values.field()) {
        case "session" -> session = values.scalar();
        case "outcome" -> record.outcome(outcome(values));
        case "id" -> record.id(values.scalar());
        case "start" -> start = values.integerOrAbsent();
        case "end" -> end = values.integerOrAbsent();
        case "snapshot" -> snapshot = values.integerOrAbsent();
        case "commitTs" -> commit = values.integerOrAbsent();
        case "position" -> record.serialPosition(values.integerOrAbsent());
        case "shown" -> readShownTimes(values);
        case "level" -> record.level(values.isNull() ? null : values.text("the name of a level"));
        case "error" -> record.error(values.isNull() ? null : values.text("an error message"));
        case "loader" -> record.loader(values.isTrue("true or false, whether it is the loader"));
        case AssayJsonlReader.OPS -> new AssayJsonlOperations(values, record).read();
        case AssayJsonlReader.HEADER_MARK ->
            throw values.wrong("a transaction", "the header must be the first line");
        default -> ignore(values);
      }
    }
    if (!fields.contains("session") || !fields.contains(AssayJsonlReader.OPS)) {
      String missing = fields.contains(AssayJsonlReader.OPS) ? "session" : AssayJsonlReader.OPS;
      throw values.wrong(
          "a transaction with a field \"" + missing + "\"",
          "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]} is the least a transaction needs");
    }
    record.times(start, end);
    record.timestamps(snapshot, commit);
    log.add(record, session, lines.line());
  }

  private static Outcome outcome(AssayJsonlValues values)
      throws IOException, AssayJsonlValues.Wrong {
    Outcome outcome = Outcome.fromId(values.text("an outcome"));
    if (outcome == null) {
      throw values.wrong("\"committed\", \"aborted\" or \"indeterminate\"");
    }
    return outcome;
  }

  private void readShownTimes(AssayJsonlValues values) throws IOException, AssayJsonlValues.Wrong {
    values.expect(JsonToken.START_ARRAY, "[start, end]");
    values.next();
    long start = values.integerOrAbsent();
    values.next();
    record.shownTimes(start, values.integerOrAbsent());
    values.next();
    values.expect(JsonToken.END_ARRAY, "the end of [start, end]");
  }

  private void ignore(AssayJsonlValues values) throws IOException {
    if (unknownFields.size() < AssayJsonlReader.MAX_NAMED_FIELDS) {
      unknownFields.add(values.field());
    }
    values.skip();
  }
}
