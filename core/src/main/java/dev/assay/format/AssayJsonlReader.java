package dev.assay.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads {@code assay-jsonl} line by line. */
final class AssayJsonlReader {
  static final String HEADER_MARK = "assay";
  static final String OPS = "ops";

  /** A list read, where the missing value cannot say that it is one. */
  static final String LIST_READ = "rl";

  private static final int MAX_NESTING = 250;

  /** Longer numbers are hostile: the time to read one grows with the square of its length. */
  static final int MAX_DIGITS = 10_000;

  private static final int MAX_NAMED_FIELDS = 20;

  static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(MAX_DIGITS)
                  .build())
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .build();

  private final Input input;
  private final String format;
  private final HistoryBuilder builder = new HistoryBuilder();
  private final TransactionRecord record = new TransactionRecord();
  private final Set<String> unknownFields = new LinkedHashSet<>();
  private final Set<String> fields = new LinkedHashSet<>();
  private LineReader lines;

  AssayJsonlReader(Input input, String format) {
    this.input = input;
    this.format = format;
  }

  static boolean startsWithByteOrderMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf;
  }

  History read() throws IOException, ParseException {
    builder.origin(new Origin(input.name(), format, Origin.Unit.LINE, List.of()));
    try (InputStream in = input.open()) {
      lines = new LineReader(in);
      boolean first = true;
      while (lines.next()) {
        if (!isBlank()) {
          readLine(first);
          first = false;
        }
      }
    }
    if (!unknownFields.isEmpty()) {
      builder.metadata(
          "note.unknown-fields", "ignored unknown fields: " + String.join(", ", unknownFields));
    }
    try {
      return builder.build();
    } catch (ArithmeticException | IllegalStateException e) {
      throw ParseException.ofFile(
          input.name(),
          "has more operations or distinct large values than fit in memory tables",
          "at most 2^31 operations",
          "check the history in parts");
    }
  }

  private boolean isBlank() {
    for (int i = lines.start(); i < lines.end(); i++) {
      if (lines.bytes()[i] != ' ' && lines.bytes()[i] != '\t' && lines.bytes()[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  private void readLine(boolean first) throws IOException, ParseException {
    JsonLine.read(
        input,
        lines,
        builder.scalars(),
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

  private boolean isHeader() throws IOException {
    try (JsonParser json = JsonLine.parser(lines)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        if (json.currentName().equals(HEADER_MARK)) {
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
    while (values.nextField(fields)) {
      switch (values.field()) {
        case HEADER_MARK -> {
          if (values.integer() != 1) {
            throw values.wrong("version 1 of assay-jsonl", "read it with a newer Assay");
          }
        }
        case "initial" -> {
          boolean isNull = values.isNull();
          if (!isNull && values.integer() != 0) {
            throw values.wrong("0 or null as the initial value");
          }
          builder.zeroIsInitial(!isNull);
        }
        case "metadata" -> values.pairs(builder::metadata);
        case "sessions" -> {
          LongList names = values.scalars();
          for (int i = 0; i < names.size(); i++) {
            builder.rawSession(names.get(i));
          }
        }
        default -> ignore(values);
      }
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
        case "error" -> record.error(values.isNull() ? null : values.text("an error message"));
        case OPS -> new AssayJsonlOperations(values, record).read();
        case HEADER_MARK ->
            throw values.wrong("a transaction", "the header must be the first line");
        default -> ignore(values);
      }
    }
    if (!fields.contains("session") || !fields.contains(OPS)) {
      String missing = fields.contains(OPS) ? "session" : OPS;
      throw values.wrong(
          "a transaction with a field \"" + missing + "\"",
          "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]} is the least a transaction needs");
    }
    record.times(start, end);
    record.timestamps(snapshot, commit);
    record.session = builder.rawSession(session);
    builder.position(record.addTo(builder), lines.line());
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
    if (unknownFields.size() < MAX_NAMED_FIELDS) {
      unknownFields.add(values.field());
    }
    values.skip();
  }
}
