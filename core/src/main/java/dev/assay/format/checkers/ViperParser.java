package dev.assay.format.checkers;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.ParseException;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;

/** The transactions of one of Viper's logs, on their way into a builder. */
final class ViperParser implements Closeable {
  private static final String OPERATION = "an operation such as [\"w\", key, value, true]";

  private final JsonParser json;
  private final String file;
  private final HistoryBuilder builder;
  private final UnwrittenValues values;
  private long committedWithFailures;
  private boolean initialSeen;

  // The transaction being read.
  private Outcome outcome;
  private boolean failures;
  private boolean initial;
  private long begun;
  private long ended;

  // The operation being read.
  private String kind;
  private boolean hasKey;
  private long key;
  private boolean hasValue;
  private long value;
  private boolean hasReadValue;
  private long readValue;
  private boolean succeeded;

  ViperParser(JsonParser json, String file, HistoryBuilder builder, UnwrittenValues values) {
    this.values = values;
    this.json = json;
    this.file = file;
    this.builder = builder;
  }

  /** How many committed transactions have operations that were left out because they failed. */
  long committedWithFailures() {
    return committedWithFailures;
  }

  /** Whether some transaction is the one that holds the initial state. */
  boolean hasInitialState() {
    return initialSeen;
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  /** How far the file has been read. */
  JsonLocation place() {
    return json.currentLocation();
  }

  /** Moves to the next transaction; false at the end of the file. */
  boolean nextTransaction() throws IOException, ParseException {
    JsonToken token = json.nextToken();
    if (token != null && token != JsonToken.START_OBJECT) {
      throw wrong("a transaction such as {\"value\": [[\"w\", key, value, true]]}", null);
    }
    return token != null;
  }

  void readTransaction(int session, int fileIndex) throws IOException, ParseException {
    int txn = builder.begin(session, Outcome.COMMITTED);
    builder.position(txn, json.currentTokenLocation().getLineNr());
    builder.file(txn, fileIndex);
    outcome = Outcome.COMMITTED;
    failures = false;
    initial = false;
    begun = 0;
    ended = 0;
    boolean hasOperations = false;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals("value")) {
        if (hasOperations) {
          throw wrong("one \"value\" per transaction", null);
        }
        hasOperations = true;
        readOperations();
      } else {
        readProperty(name);
      }
    }
    if (!hasOperations) {
      throw wrong("a transaction with the field \"value\"", null);
    }
    builder.outcome(txn, outcome);
    if (initial) {
      builder.loader(txn);
      initialSeen = true;
    }
    if (failures && outcome == Outcome.COMMITTED) {
      committedWithFailures++;
    }
    // Without clocks Viper's clients log 0 or -1.
    if (begun > 0 && ended >= begun) {
      builder.start(txn, begun);
      builder.end(txn, ended);
    }
  }

  /** A field beside the operations; most say nothing about isolation. */
  private void readProperty(String name) throws IOException {
    JsonToken token = json.currentToken();
    switch (name) {
      case "preBeginTS" -> begun = readTime();
      case "postCommitTS" -> ended = readTime();
      case "isInitial" -> initial = token == JsonToken.VALUE_TRUE;
      case "committed", "success", "succ" -> {
        if (token == JsonToken.VALUE_FALSE) {
          outcome = Outcome.ABORTED;
        }
      }
      case "aborted" -> {
        if (token == JsonToken.VALUE_TRUE) {
          outcome = Outcome.ABORTED;
        }
      }
      case "status", "outcome", "type" -> {
        if (token == JsonToken.VALUE_STRING) {
          outcome = outcomeNamed(json.getText());
        }
      }
      default -> {}
    }
    json.skipChildren();
  }

  private long readTime() throws IOException {
    boolean time =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    return time ? json.getLongValue() : 0;
  }

  private Outcome outcomeNamed(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "aborted", "abort", "failed", "fail" -> Outcome.ABORTED;
      case "indeterminate", "info", "unknown" -> Outcome.INDETERMINATE;
      default -> outcome;
    };
  }

  private void readOperations() throws IOException, ParseException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw wrong("an array of operations", null);
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      JsonLocation start = json.currentTokenLocation();
      kind = null;
      hasKey = false;
      hasValue = false;
      hasReadValue = false;
      succeeded = true;
      if (json.currentToken() == JsonToken.START_ARRAY) {
        readArray();
      } else if (json.currentToken() == JsonToken.START_OBJECT) {
        readObject();
      } else {
        throw wrong(OPERATION, null);
      }
      addOperation(start);
    }
  }

  private void readArray() throws IOException, ParseException {
    if (json.nextToken() != JsonToken.VALUE_STRING) {
      throw wrong("\"r\", \"w\", \"i\" or \"d\"", null);
    }
    kind = json.getText();
    boolean inserts = kind.equals("i") || kind.equals("d");
    boolean known = inserts || kind.equals("r") || kind.equals("w");
    int successIndex = inserts ? 5 : kind.equals("w") ? 3 : -1;
    for (int i = 1; json.nextToken() != JsonToken.END_ARRAY; i++) {
      if (!known) {
        json.skipChildren();
      } else if (i == 1) {
        readKey();
      } else if (i == 2) {
        readValue();
      } else if (i == 3 && inserts) {
        readReadValue();
      } else if (i == successIndex) {
        succeeded = readBoolean();
      } else {
        json.skipChildren();
      }
    }
  }

  private void readObject() throws IOException, ParseException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "opType" -> {
          if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw wrong("\"r\", \"w\", \"i\" or \"d\"", null);
          }
          kind = json.getText();
        }
        case "key" -> readKey();
        case "value" -> readValue();
        case "readValue" -> readReadValue();
        case "succ" -> succeeded = readBoolean();
        default -> json.skipChildren();
      }
    }
  }

  private void addOperation(JsonLocation start) throws ParseException {
    if (kind == null) {
      throw wrong(start, "an operation without a kind", OPERATION, null);
    }
    boolean inserts = kind.equals("i") || kind.equals("d");
    if (!inserts && !kind.equals("r") && !kind.equals("w")) {
      boolean range = kind.equals("range");
      throw wrong(
          start,
          range ? "a range query" : "an operation of another kind",
          "operations \"r\", \"w\", \"i\" and \"d\"",
          range ? "Viper's range queries are not supported; record the run without them" : null);
    }
    if (!hasKey || !hasValue || (inserts && !hasReadValue)) {
      throw wrong(start, "an operation \"" + kind + "\" with too few fields", OPERATION, null);
    }
    if (kind.equals("r")) {
      read(value);
      return;
    }
    if (inserts) {
      read(readValue);
    }
    if (succeeded) {
      builder.op(OpKind.WRITE, key, value);
      values.wrote(key, value);
    } else {
      failures = true;
    }
  }

  private void read(long seen) {
    builder.op(OpKind.READ, key, seen);
    values.read(key, seen);
  }

  private void readKey() throws IOException, ParseException {
    key = readScalar("a key");
    hasKey = true;
  }

  private void readValue() throws IOException, ParseException {
    value = readScalar("a value");
    hasValue = true;
  }

  private void readReadValue() throws IOException, ParseException {
    readValue = readScalar("the value that was read");
    hasReadValue = true;
  }

  private long readScalar(String what) throws IOException, ParseException {
    switch (json.currentToken()) {
      case VALUE_NUMBER_INT -> {
        if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          return builder.scalars().of(json.getBigIntegerValue());
        }
        return builder.scalars().of(json.getLongValue());
      }
      case VALUE_NUMBER_FLOAT -> {
        double number = json.getDoubleValue();
        if (Double.isInfinite(number)) {
          throw wrong(what + " that fits in 64 bits", null);
        }
        return builder.scalars().of((Object) number);
      }
      case VALUE_STRING -> {
        return builder.scalars().of(json.getText());
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        return builder.scalars().of((Object) json.getBooleanValue());
      }
      case VALUE_NULL -> {
        return builder.scalars().of((Object) null);
      }
      default -> throw wrong(what + ", a number, string or null", null);
    }
  }

  private boolean readBoolean() throws IOException, ParseException {
    JsonToken token = json.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw wrong("true or false, whether the operation succeeded", null);
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private ParseException wrong(String expected, String hint) {
    return wrong(json.currentTokenLocation(), nameOf(json.currentToken()), expected, hint);
  }

  private ParseException wrong(JsonLocation at, String found, String expected, String hint) {
    return ParseException.atLine(file, at.getLineNr(), at.getColumnNr(), found, expected, hint);
  }

  /** What was found, in an error. */
  static String nameOf(JsonToken token) {
    if (token == null) {
      return "the end of the file";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case END_OBJECT -> "the end of an object";
      case END_ARRAY -> "the end of an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case VALUE_NULL -> "null";
      default -> token.name();
    };
  }
}
