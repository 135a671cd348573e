package dev.assay.format.jepsen;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.Excerpt;
import dev.assay.format.ParseException;
import dev.assay.history.Keyword;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads Jepsen operations written as JSON objects. Names may have a colon in front or not. */
final class JsonOps {
  private static final String MICRO_OP =
      "a micro-operation such as [\"append\", 1, 2] or [\"r\", 1, null]";

  /** A value that no history can hold, with its name for messages. */
  private record Unsupported(String what) {}

  private final String file;
  private final JsonParser json;
  private final RawScalars scalars;

  /** Lines of a larger input before the first of this one. */
  private final long before;

  JsonOps(String file, JsonParser json, RawScalars scalars, long before) {
    this.file = file;
    this.json = json;
    this.scalars = scalars;
    this.before = before;
  }

  /** A name without the colon that EDN puts in front. */
  static String bare(String name) {
    return name.startsWith(":") ? name.substring(1) : name;
  }

  /** Whether a string represents a keyword, as {@link JepsenSyntax#JSON} writes it. */
  static boolean isKeyword(String text) {
    return text.length() > 1
        && text.charAt(0) == ':'
        && text.chars().skip(1).allMatch(c -> EdnScanner.isNameCharacter((char) c));
  }

  ParseException error(String found, String expected, String hint) {
    JsonLocation at = json.currentTokenLocation();
    return ParseException.atLine(
        file, before + at.getLineNr(), at.getColumnNr(), Excerpt.found(found), expected, hint);
  }

  // ---- an operation

  /** Reads the object that begins here. */
  void read(JepsenOp op) throws IOException, ParseException {
    JsonLocation at = json.currentTokenLocation();
    op.clear(before + at.getLineNr(), at.getColumnNr());
    int seen = 0;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = bare(json.currentName());
      int field = fieldNumber(name);
      if (field >= 0 && (seen & 1 << field) != 0) {
        throw error("a second \"" + name + "\" in one operation", "each field once", null);
      }
      seen |= field < 0 ? 0 : 1 << field;
      json.nextToken();
      field(field, op);
    }
  }

  private static int fieldNumber(String name) {
    return switch (name) {
      case "type" -> 0;
      case "f" -> 1;
      case "value" -> 2;
      case "process" -> 3;
      case "time" -> 4;
      case "index" -> 5;
      case "error" -> 6;
      default -> -1;
    };
  }

  private void field(int field, JepsenOp op) throws IOException {
    switch (field) {
      case 0 -> type(op);
      case 1 -> function(op);
      case 2 -> value(op);
      case 3 -> process(op);
      case 4 -> op.time = JepsenOp.orAbsent(integerOrSkip());
      case 5 -> op.index = JepsenOp.orAbsent(integerOrSkip());
      case 6 -> error(op);
      default -> json.skipChildren();
    }
  }

  private boolean isLong() throws IOException {
    return json.currentToken() == JsonToken.VALUE_NUMBER_INT
        && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  private long integerOrSkip() throws IOException {
    if (isLong()) {
      return json.getLongValue();
    }
    json.skipChildren();
    return -1;
  }

  private void type(JepsenOp op) throws IOException {
    op.type = JepsenOp.Type.of(bare(json.getText()));
    if (op.type == null) {
      op.problem(
          error(
              "an operation of type " + json.getText(),
              "\"invoke\", \"ok\", \"fail\" or \"info\" as \"type\"",
              null));
    }
    json.skipChildren();
  }

  private void function(JepsenOp op) throws IOException {
    boolean transaction =
        json.currentToken() == JsonToken.VALUE_NULL || bare(json.getText()).equals("txn");
    op.otherFunction = transaction ? null : json.getText();
    json.skipChildren();
  }

  private void process(JepsenOp op) throws IOException {
    switch (json.currentToken()) {
      case VALUE_NULL -> op.process = RawScalars.NIL;
      case VALUE_NUMBER_INT -> op.process = scalars.of(integer());
      default -> {
        op.otherProcess = json.getText();
        json.skipChildren();
      }
    }
  }

  private Object integer() throws IOException {
    if (isLong()) {
      return json.getLongValue();
    }
    return json.getBigIntegerValue();
  }

  private void error(JepsenOp op) throws IOException {
    switch (json.currentToken()) {
      case VALUE_NULL -> op.error = null;
      case VALUE_STRING -> op.error = json.getText();
      default -> {
        StringBuilder text = new StringBuilder();
        structure(text);
        op.error = text.toString();
      }
    }
  }

  /** Appends what begins here, as the JSON text it is, without white space. */
  private void structure(StringBuilder text) throws IOException {
    int depth = 0;
    boolean first = true;
    do {
      JsonToken token = json.currentToken();
      text.append(first || token.isStructEnd() ? "" : ",");
      first = token.isStructStart() || token == JsonToken.FIELD_NAME;
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING) {
        JepsenSyntax.JSON.string(text, json.getText());
        text.append(token == JsonToken.FIELD_NAME ? ":" : "");
      } else {
        text.append(json.getText());
      }
    } while (depth > 0 && json.nextToken() != null);
  }

  // ---- its value

  private void value(JepsenOp op) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    op.hasValue = true;
    if (json.currentToken() != JsonToken.START_ARRAY) {
      op.problem(notATransaction());
      form(op);
      return;
    }
    json.nextToken();
    boolean micro = json.currentToken().isStructStart();
    if (!micro && SingleOps.isFunction(op.otherFunction)) {
      op.problem(notATransaction());
      List<Object> elements = new ArrayList<>();
      for (; json.currentToken() != JsonToken.END_ARRAY; json.nextToken()) {
        elements.add(scalar());
      }
      op.hasForm = elements.stream().noneMatch(Unsupported.class::isInstance);
      op.form = elements;
      return;
    }
    for (; json.currentToken() != JsonToken.END_ARRAY; json.nextToken()) {
      if (json.currentToken() == JsonToken.START_ARRAY) {
        microOp(op);
      } else {
        op.problem(error(shown() + " in a transaction", MICRO_OP, null));
        json.skipChildren();
      }
    }
  }

  /** Keeps a value that is no array. */
  private void form(JepsenOp op) throws IOException {
    boolean map =
        json.currentToken() == JsonToken.START_OBJECT && SingleOps.isFunction(op.otherFunction);
    op.form = map ? map() : scalar();
    op.hasForm = !(op.form instanceof Unsupported);
  }

  /** The object that begins here; names that are integers are such keys, as JSON has no others. */
  private Object map() throws IOException {
    Map<Object, Object> map = new LinkedHashMap<>();
    Object unsupported = null;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      Object value = scalar();
      unsupported = value instanceof Unsupported ? value : unsupported;
      Object number = name.length() < 19 ? EdnScalars.integerOrDecimal(name) : null;
      Object key = isKeyword(name) ? new Keyword(name.substring(1)) : name;
      map.put(number instanceof Long ? number : key, value);
    }
    return unsupported == null ? map : unsupported;
  }

  private ParseException notATransaction() throws IOException {
    return error(
        "the value " + shown(),
        "an array of micro-operations such as [[\"append\", 1, 2], [\"r\", 1, null]]",
        "Assay reads transactions of r, w, append, add and inc micro-operations, and"
            + " registers, sets, counters and banks with read, write, cas, add and transfer");
  }

  private String shown() throws IOException {
    String text = json.getText();
    return text.length() <= 40 ? text : text.substring(0, 40);
  }

  private void microOp(JepsenOp op) throws IOException {
    JsonToken token = json.nextToken();
    OpKind kind = null;
    if (token == JsonToken.END_ARRAY) {
      op.problem(error("an empty micro-operation", MICRO_OP, null));
      return;
    }
    if (token == JsonToken.VALUE_STRING) {
      kind = MicroOps.kind(bare(json.getText()));
      // Conditions and rows are maps with keys that JSON does not have.
      kind = kind == OpKind.SELECT ? null : kind;
    }
    if (kind == null) {
      op.problem(
          error(
              "a micro-operation named " + shown(), "r, w, append, add or inc as its name", null));
      json.skipChildren();
      skipRest();
      return;
    }
    if (json.nextToken() == JsonToken.END_ARRAY) {
      op.problem(error("a micro-operation on no key", MICRO_OP, null));
      return;
    }
    long key = raw(op);
    if (json.nextToken() == JsonToken.END_ARRAY) {
      if (kind == OpKind.READ) {
        op.ops.add(kind, key, RawScalars.NIL);
      } else {
        op.problem(error("a write of nothing", MICRO_OP, null));
      }
      return;
    }
    valueOrResult(op, kind, key);
    if (json.nextToken() != JsonToken.END_ARRAY) {
      op.problem(error("a micro-operation of more than three elements", MICRO_OP, null));
      json.skipChildren();
      skipRest();
    }
  }

  /** Steps to the end of the array whose elements are being read. */
  private void skipRest() throws IOException {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      json.skipChildren();
    }
  }

  private void valueOrResult(JepsenOp op, OpKind kind, long key) throws IOException {
    if (kind == OpKind.READ && json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        op.ops.element(raw(op));
      }
      op.ops.add(OpKind.LIST_READ, key, RawScalars.NIL);
      return;
    }
    if (kind == OpKind.INCREMENT && !isLong()) {
      op.problem(error("an increment by " + shown(), "an integer of at most 64 bits", null));
    }
    op.ops.add(kind, key, raw(op));
  }

  private long raw(JepsenOp op) throws IOException {
    if (isLong()) {
      return scalars.of(json.getLongValue());
    }
    JsonLocation at = json.currentTokenLocation();
    Object value = scalar();
    if (value instanceof Unsupported unsupported) {
      op.problem(
          ParseException.atLine(
              file,
              at.getLineNr(),
              at.getColumnNr(),
              Excerpt.found(unsupported.what() + " as or in a key or value"),
              "a number, string, null, boolean or array of these",
              null));
      return RawScalars.NIL;
    }
    return scalars.of(value);
  }

  /** The value that begins here as a scalar of {@link RawScalars#of}, or {@link Unsupported}. */
  private Object scalar() throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> {
        Object number = EdnScalars.integerOrDecimal(json.getText());
        yield number == null ? new Unsupported("the number " + json.getText()) : number;
      }
      case VALUE_STRING -> {
        String text = json.getText();
        yield isKeyword(text) ? new Keyword(text.substring(1)) : text;
      }
      case START_ARRAY -> {
        List<Object> elements = new ArrayList<>();
        Object unsupported = null;
        while (json.nextToken() != JsonToken.END_ARRAY) {
          Object element = scalar();
          unsupported = element instanceof Unsupported ? element : unsupported;
          elements.add(element);
        }
        yield unsupported == null ? elements : unsupported;
      }
      default -> {
        json.skipChildren();
        yield new Unsupported("an object");
      }
    };
  }
}
