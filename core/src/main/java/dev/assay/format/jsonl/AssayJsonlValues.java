package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.LongList;
import dev.assay.history.Decimals;
import dev.assay.history.History;
import dev.assay.history.Keyword;
import dev.assay.history.LongIndex;
import dev.assay.history.OtherThan;
import dev.assay.history.RawScalars;
import dev.assay.history.Versioned;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** The values in a line: what the current token of the parser must be, or a complaint about it. */
final class AssayJsonlValues {
  private static final String SCALAR =
      "null, true, false, a number, a string, {\"keyword\":…}, {\"decimal\":…}, {\"double\":…}"
          + " or {\"vector\":[…]}";

  private static final String VALUE = "value";
  private static final String VERSION = "version";

  /** Longer tokens are cut in messages. */
  private static final int SHOWN = 40;

  private final JsonParser json;
  private final RawScalars scalars;

  AssayJsonlValues(JsonParser json, RawScalars scalars) {
    this.json = json;
    this.scalars = scalars;
  }

  /** Something other than what the format asks for, at a column of the line. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1;

    private final long column;
    private final String expected;
    private final String hint;

    private Wrong(long column, String found, String expected, String hint) {
      super(found);
      this.column = column;
      this.expected = expected;
      this.hint = hint;
    }

    long column() {
      return column;
    }

    String expected() {
      return expected;
    }

    String hint() {
      return hint;
    }
  }

  Wrong wrong(String expected) {
    return wrong(expected, null);
  }

  Wrong wrong(String expected, String hint) {
    return wrong(found(), expected, hint);
  }

  private Wrong wrong(String found, String expected, String hint) {
    long column = Math.max(1, json.currentTokenLocation().getColumnNr());
    return new Wrong(column, found, expected, hint);
  }

  private String found() {
    try {
      JsonToken token = json.currentToken();
      if (token == null) {
        return "nothing";
      }
      return switch (token) {
        case START_OBJECT -> "an object";
        case END_OBJECT -> "the end of the object";
        case START_ARRAY -> "an array";
        case END_ARRAY -> "the end of the array";
        default -> shortened(token == JsonToken.VALUE_STRING);
      };
    } catch (IOException e) {
      return "something unreadable";
    }
  }

  private String shortened(boolean quoted) throws IOException {
    String text = json.getText();
    String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    if (!quoted) {
      return shown;
    }
    StringBuilder result = new StringBuilder();
    JsonText.quote(result, shown);
    return result.toString();
  }

  // ---- moving on

  JsonToken token() {
    return json.currentToken();
  }

  JsonToken next() throws IOException {
    return json.nextToken();
  }

  /** Moves to the value of the next field, whose name must be a new one; false at the end. */
  boolean nextField(Set<String> seen) throws IOException, Wrong {
    if (json.nextToken() == JsonToken.END_OBJECT) {
      return false;
    }
    if (!seen.add(json.currentName())) {
      throw wrong("each field once");
    }
    json.nextToken();
    return true;
  }

  String field() throws IOException {
    return json.currentName();
  }

  void skip() throws IOException {
    json.skipChildren();
  }

  void expect(JsonToken token, String expected) throws Wrong {
    if (json.currentToken() != token) {
      throw wrong(expected);
    }
  }

  // ---- values

  boolean isNull() {
    return json.currentToken() == JsonToken.VALUE_NULL;
  }

  String text(String expected) throws IOException, Wrong {
    expect(JsonToken.VALUE_STRING, expected);
    return json.getText();
  }

  long integer() throws IOException, Wrong {
    expect(JsonToken.VALUE_NUMBER_INT, "an integer");
    if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw wrong("an integer of 64 bits");
    }
    return json.getLongValue();
  }

  long integerOrAbsent() throws IOException, Wrong {
    if (isNull()) {
      return History.ABSENT;
    }
    long value = integer();
    if (value == History.ABSENT) {
      throw wrong("an integer above -2^63");
    }
    return value;
  }

  /** The value as compact JSON. */
  String json() throws IOException {
    return JsonText.compact(json);
  }

  /** The pairs of an object whose values are texts; other values are kept as their JSON. */
  void pairs(BiConsumer<String, String> target) throws IOException, Wrong {
    expect(JsonToken.START_OBJECT, "an object of names and texts");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
      target.accept(name, isText ? json.getText() : json());
    }
  }

  boolean isTrue(String expected) throws Wrong {
    JsonToken token = json.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw wrong(expected);
    }
    return token == JsonToken.VALUE_TRUE;
  }

  /**
   * Values by key, as an object or as an array of pairs: keys and values in turn, as raw scalars.
   *
   * @return false, at the same token, where it is something else
   */
  boolean keyed(LongList target) throws IOException, Wrong {
    LongIndex seen = new LongIndex();
    if (json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        expect(JsonToken.START_ARRAY, "a pair [key, value]");
        LongList pair = scalars();
        if (pair.size() != 2) {
          throw wrong("a pair [key, value]");
        }
        add(pair.get(0), pair.get(1), seen, target);
      }
      return true;
    }
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (json.nextToken() != JsonToken.END_OBJECT) {
      long key = scalars.of(json.currentName());
      json.nextToken();
      add(key, scalar(), seen, target);
    }
    return true;
  }

  private void add(long key, long value, LongIndex seen, LongList target) throws Wrong {
    int known = seen.size();
    if (seen.indexOf(key) < known) {
      throw wrong(scalars.get(key) + " a second time", "each key once", null);
    }
    target.add(key);
    target.add(value);
  }

  /** An array of scalars, as raw scalars. */
  LongList scalars() throws IOException, Wrong {
    expect(JsonToken.START_ARRAY, "an array of values");
    LongList elements = new LongList();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      elements.add(scalar());
    }
    return elements;
  }

  /** A scalar as a raw scalar. */
  long scalar() throws IOException, Wrong {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT
        && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return scalars.of(json.getLongValue());
    }
    return scalars.of(object());
  }

  /** What a read of a register returned: a value, or {@code {"not": scalar}}. */
  long result() throws IOException, Wrong {
    return json.currentToken() == JsonToken.START_OBJECT
        ? scalars.of(objectOr("not", OtherThan::new))
        : scalar();
  }

  /** The value of a register: a scalar, or {@code {"value": scalar, "version": number}}. */
  long value() throws IOException, Wrong {
    return json.currentToken() == JsonToken.START_OBJECT
        ? scalars.of(objectOr("", value -> value))
        : scalar();
  }

  /** Whether a raw scalar has the number of its version. */
  boolean isVersioned(long rawValue) {
    return scalars.get(rawValue) instanceof Versioned;
  }

  /** The raw scalar of a result that is known only not to be a value. */
  long otherThan(long rawValue) {
    return scalars.of(new OtherThan(scalars.get(rawValue)));
  }

  /**
   * The value of a register as an object; {@code {tag: scalar}} is what another makes of its
   * scalar.
   */
  Object objectOr(String tag, UnaryOperator<Object> other) throws IOException, Wrong {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return scalars.get(scalar());
    }
    Object[] made = {null};
    Object value = tagged(tag, inner -> made[0] = other.apply(scalars.get(scalars.of(inner))));
    return made[0] != null ? made[0] : scalars.get(scalars.of(value));
  }

  private Object object() throws IOException, Wrong {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT -> json.getBigIntegerValue();
      case VALUE_NUMBER_FLOAT -> decimal(json.getText());
      case START_OBJECT -> tagged(null, null);
      default -> throw wrong(SCALAR);
    };
  }

  private Object decimal(String text) throws Wrong {
    try {
      return Decimals.valueOf(text);
    } catch (NumberFormatException | ArithmeticException e) {
      throw wrong("a number whose exponent has at most nine digits");
    }
  }

  private Object tagged(String more, UnaryOperator<Object> other) throws IOException, Wrong {
    if (json.nextToken() != JsonToken.FIELD_NAME) {
      throw wrong(SCALAR);
    }
    String tag = json.currentName();
    json.nextToken();
    if (more != null && (tag.equals(VALUE) || tag.equals(VERSION))) {
      return versioned(tag);
    }
    Object value =
        tag.equals(more)
            ? other.apply(object())
            : switch (tag) {
              case "keyword" -> new Keyword(text("the name of the keyword"));
              case "decimal" -> exactDecimal();
              case "double" -> notFinite();
              case "vector" -> vector();
              default -> throw wrong(SCALAR);
            };
    json.nextToken();
    expect(JsonToken.END_OBJECT, "nothing beside \"" + tag + "\"");
    return value;
  }

  /** A value and the number of its version, in any order. */
  private Versioned versioned(String first) throws IOException, Wrong {
    Object value = null;
    long version = 0;
    String field = first;
    for (int fields = 0; fields < 2; fields++) {
      if (field.equals(VALUE)) {
        value = scalars.get(scalar());
      } else {
        version = longInteger("the number of the version, an integer of 64 bits");
      }
      json.nextToken();
      if (fields == 0) {
        field = first.equals(VALUE) ? VERSION : VALUE;
        if (json.currentToken() != JsonToken.FIELD_NAME || !json.currentName().equals(field)) {
          throw wrong("\"" + field + "\" beside \"" + first + "\"");
        }
        json.nextToken();
      }
    }
    expect(JsonToken.END_OBJECT, "nothing beside \"value\" and \"version\"");
    return new Versioned(value, version);
  }

  private long longInteger(String expected) throws IOException, Wrong {
    if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
        || json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw wrong(expected);
    }
    return json.getLongValue();
  }

  private BigDecimal exactDecimal() throws IOException, Wrong {
    String text = text("a decimal as a string");
    if (text.length() > AssayJsonlReader.MAX_DIGITS) {
      throw wrong("a decimal of at most " + AssayJsonlReader.MAX_DIGITS + " digits");
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw wrong("a decimal as a string");
    }
  }

  private Double notFinite() throws IOException, Wrong {
    return switch (text("\"NaN\", \"Infinity\" or \"-Infinity\"")) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw wrong("\"NaN\", \"Infinity\" or \"-Infinity\"");
    };
  }

  private List<Object> vector() throws IOException, Wrong {
    expect(JsonToken.START_ARRAY, "an array of values");
    List<Object> elements = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      elements.add(object());
    }
    return elements;
  }
}
