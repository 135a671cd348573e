package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.history.Decimals;
import dev.assay.history.History;
import dev.assay.history.Keyword;
import dev.assay.history.OpKind;
import dev.assay.history.OtherThan;
import dev.assay.history.Predicates;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.history.Versioned;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes a history as {@code assay-jsonl}, a line at a time. */
final class AssayJsonlWriter {
  private final History history;
  private final StringBuilder line = new StringBuilder();

  AssayJsonlWriter(History history) {
    this.history = history;
  }

  void write(OutputStream stream) throws IOException {
    BufferedOutputStream out = new BufferedOutputStream(stream, 1 << 16);
    header();
    emit(out);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      transaction(txn);
      emit(out);
    }
    out.flush();
  }

  private void emit(OutputStream out) throws IOException {
    line.append('\n');
    out.write(line.toString().getBytes(StandardCharsets.UTF_8));
    line.setLength(0);
  }

  /** The header alone. */
  String headerText() {
    header();
    return taken();
  }

  /** The value of an operation as it is in its array; null where there is none. */
  String valueText(int op) throws IOException {
    OpKind kind = history.kind(op);
    if (kind.isPredicate()) {
      result(op);
    } else if (history.value(op) == Values.UNKNOWN) {
      return null;
    } else if (kind.readsSequence()) {
      sequence(history.value(op));
    } else {
      value(history.value(op));
    }
    return taken();
  }

  private String taken() {
    String text = line.toString();
    line.setLength(0);
    return text;
  }

  private void header() {
    line.append("{\"assay\":1,\"initial\":");
    initialState();
    if (!history.metadata().isEmpty()) {
      line.append(",\"metadata\":{");
      String separator = "";
      for (Map.Entry<String, String> entry : history.metadata().entrySet()) {
        if (!AssayJsonl.isFieldName(entry.getKey())) {
          continue;
        }
        line.append(separator);
        JsonText.quote(line, entry.getKey());
        line.append(':');
        JsonText.quote(line, entry.getValue());
        separator = ",";
      }
      line.append('}');
    }
    if (!sessionsAppearInOrder()) {
      line.append(",\"sessions\":[");
      for (int s = 0; s < history.sessionCount(); s++) {
        line.append(s == 0 ? "" : ",");
        scalar(history.sessionName(s));
      }
      line.append(']');
    }
    line.append('}');
  }

  /** Values by key, unless one value of all says everything and is not an object itself. */
  private void initialState() {
    int ofAll = history.initialOfAll();
    int pairs = 0;
    for (int key = 0; key < history.keys().count(); key++) {
      if (isDeclared(key, ofAll)) {
        line.append(pairs++ == 0 ? "[[" : ",[");
        scalar(history.keys().get(key));
        line.append(',');
        value(history.declaredInitial(key));
        line.append(']');
      }
    }
    int start = line.length();
    value(ofAll);
    boolean tagged = line.charAt(start) == '{';
    if (pairs > 0 || tagged) {
      line.insert(start, (pairs > 0 ? "]" : "[]") + ",\"initialOfOthers\":");
    }
  }

  private boolean isDeclared(int key, int ofAll) {
    int declared = history.declaredInitial(key);
    return declared != Values.UNKNOWN && declared != ofAll;
  }

  /** Whether the transactions alone say how many sessions there are and how they are numbered. */
  private boolean sessionsAppearInOrder() {
    int seen = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.session(txn) > seen) {
        return false;
      }
      seen = Math.max(seen, history.session(txn) + 1);
    }
    return seen == history.sessionCount();
  }

  private void transaction(int txn) throws IOException {
    line.append("{\"session\":");
    scalar(history.sessionName(history.session(txn)));
    line.append(",\"outcome\":\"").append(history.outcome(txn).id()).append('"');
    Object id = history.ownId(txn);
    if (id != null) {
      line.append(",\"id\":");
      scalar(id);
    }
    integer("start", history.start(txn));
    integer("end", history.end(txn));
    long shownStart = history.shownStart(txn);
    long shownEnd = history.shownEnd(txn);
    if (shownStart != History.ABSENT || shownEnd != History.ABSENT) {
      line.append(",\"shown\":[").append(orNull(shownStart)).append(',');
      line.append(orNull(shownEnd)).append(']');
    }
    integer("snapshot", history.snapshotTs(txn));
    integer("commitTs", history.commitTs(txn));
    integer("position", history.serialPosition(txn));
    text("level", history.level(txn));
    text("error", history.error(txn));
    line.append(",\"ops\":[");
    for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
      line.append(op == history.firstOp(txn) ? "" : ",");
      operation(op);
    }
    line.append("]}");
  }

  private void integer(String name, long value) {
    if (value != History.ABSENT) {
      line.append(",\"").append(name).append("\":").append(value);
    }
  }

  private void text(String name, String value) {
    if (value != null) {
      line.append(",\"").append(name).append("\":");
      JsonText.quote(line, value);
    }
  }

  private static String orNull(long value) {
    return value == History.ABSENT ? "null" : Long.toString(value);
  }

  private void operation(int op) throws IOException {
    OpKind kind = history.kind(op);
    int value = history.value(op);
    boolean known = kind.isPredicate() || value != Values.UNKNOWN;
    String symbol = kind == OpKind.LIST_READ && !known ? AssayJsonlReader.LIST_READ : kind.symbol();
    line.append("[\"").append(symbol).append("\",");
    if (kind.isPredicate()) {
      predicate(op);
    } else {
      scalar(history.keys().get(history.key(op)));
      if (known) {
        line.append(',');
        if (kind.readsSequence()) {
          sequence(value);
        } else {
          value(value);
        }
      }
    }
    line.append(']');
  }

  private void predicate(int op) throws IOException {
    line.append(canonical(history.predicates().condition(history.value(op)))).append(',');
    result(op);
  }

  private void result(int op) {
    Predicates predicates = history.predicates();
    int id = history.value(op);
    if (predicates.result(id) != Values.UNKNOWN) {
      value(predicates.result(id));
      return;
    }
    line.append('[');
    for (int row = op + 1; row < history.nextOp(op); row++) {
      line.append(row == op + 1 ? "[" : ",[");
      scalar(history.keys().get(history.key(row)));
      line.append(',');
      value(history.value(row));
      line.append(']');
    }
    line.append(']');
  }

  /** The condition on one line, whatever the source of the history made of it. */
  static String canonical(String condition) throws IOException {
    try (JsonParser parser = AssayJsonlReader.JSON.createParser(condition)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        String compact = JsonText.compact(parser);
        if (parser.nextToken() == null) {
          return compact;
        }
      }
    } catch (JsonProcessingException e) {
      throw notJson(condition);
    }
    throw notJson(condition);
  }

  private static IOException notJson(String condition) {
    return new IOException("a predicate's condition is not a JSON object: " + condition);
  }

  private void sequence(int sequence) {
    Sequences sequences = history.sequences();
    line.append('[');
    for (int i = 0; i < sequences.length(sequence); i++) {
      line.append(i == 0 ? "" : ",");
      value(sequences.element(sequence, i));
    }
    line.append(']');
  }

  private void value(int code) {
    Values values = history.values();
    if (values.isInteger(code)) {
      line.append(values.asLong(code));
    } else {
      scalar(values.get(code));
    }
  }

  private void scalar(Object value) {
    scalar(line, value);
  }

  /** Appends a key, value or id as the format writes it. */
  static void scalar(StringBuilder line, Object value) {
    if (value instanceof String text) {
      JsonText.quote(line, text);
    } else if (value instanceof Double number) {
      if (Double.isNaN(number) || Double.isInfinite(number)) {
        line.append("{\"double\":\"").append(number).append("\"}");
      } else {
        line.append(Decimals.text(number));
      }
    } else if (value instanceof BigDecimal decimal) {
      line.append("{\"decimal\":\"").append(decimal).append("\"}");
    } else if (value instanceof Keyword keyword) {
      line.append("{\"keyword\":");
      JsonText.quote(line, keyword.name());
      line.append('}');
    } else if (value instanceof OtherThan other) {
      line.append("{\"not\":");
      scalar(line, other.value());
      line.append('}');
    } else if (value instanceof Versioned versioned) {
      line.append("{\"value\":");
      scalar(line, versioned.value());
      line.append(",\"version\":").append(versioned.version()).append('}');
    } else if (value instanceof List<?> elements) {
      line.append("{\"vector\":[");
      String separator = "";
      for (Object element : elements) {
        line.append(separator);
        scalar(line, element);
        separator = ",";
      }
      line.append("]}");
    } else {
      // null, booleans and integers of any size are JSON as they are.
      line.append(value);
    }
  }
}
