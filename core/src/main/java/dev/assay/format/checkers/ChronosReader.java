package dev.assay.format.checkers;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.assay.format.JsonProblem;
import dev.assay.format.LongList;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The transactions of a file of {@link Chronos}, on their way into a builder. */
final class ChronosReader {
  private static final String TRANSACTION =
      "a transaction with the fields tid, sid, sts, cts and ops";
  private static final String OPERATION = "an operation such as {\"t\": \"w\", \"k\": 7, \"v\": 2}";
  static final long NANOS_PER_MILLI = 1_000_000;

  private final JsonParser json;
  private final String file;
  private final HistoryBuilder builder;

  /** The clocks of all transactions: physical and logical, of the snapshot and the commit. */
  private final LongList clocks = new LongList();

  private long mostLogical;
  private boolean nilRead;

  /** Whether the history is about lists; null as long as no operation says so. */
  private Boolean lists;

  /** Transactions whose reads of null wait for that, in the order of the file. */
  private final List<Pending> waiting = new ArrayList<>();

  ChronosReader(JsonParser json, String file, HistoryBuilder builder) {
    this.json = json;
    this.file = file;
    this.builder = builder;
  }

  void read() throws IOException, ParseException {
    try {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw wrong("an array of transactions");
      }
      Pending txn = new Pending();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
          throw wrong(TRANSACTION);
        }
        txn.clear();
        readTransaction(txn);
        if (lists == null) {
          waiting.add(txn);
          txn = new Pending();
        } else {
          addWaiting();
          txn.addTo(builder);
        }
      }
      if (json.nextToken() != null) {
        throw wrong("the end of the file");
      }
    } catch (StreamConstraintsException e) {
      // It alone does not know its place.
      throw notJson(e, json.currentLocation());
    } catch (JacksonException e) {
      throw notJson(e, e.getLocation());
    }
    addWaiting();
    builder.zeroIsInitial(!nilRead);
    setTimestamps();
  }

  private void addWaiting() {
    waiting.forEach(txn -> txn.addTo(builder));
    waiting.clear();
  }

  // ---- one transaction

  private void readTransaction(Pending txn) throws IOException, ParseException {
    JsonLocation start = json.currentTokenLocation();
    txn.line = start.getLineNr();
    long[] clock = new long[4];
    int seen = 0;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "tid" -> txn.id = scalar("the id of a transaction");
        case "sid" -> txn.session = scalar("the id of a session");
        case "sts" -> readClock(clock, 0);
        case "cts" -> readClock(clock, 2);
        case "ops" -> readOperations(txn);
        case "rtts" -> txn.shownEnd = millis();
        default -> json.skipChildren();
      }
      seen |= 1 << List.of("tid", "sid", "sts", "cts", "ops").indexOf(name) + 1;
    }
    if ((seen | 1) != 0b111111) {
      throw wrong(start, "a transaction without one of its fields", TRANSACTION);
    }
    if (clock[0] > clock[2] || (clock[0] == clock[2] && clock[1] > clock[3])) {
      throw wrong(start, "a transaction that commits before its start", "sts not after cts");
    }
    clocks.addAll(clock, 0, clock.length);
  }

  private void readClock(long[] clock, int at) throws IOException, ParseException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw wrong("a timestamp such as {\"p\": 1691420095436341, \"l\": 61}");
    }
    boolean physical = false;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "p" -> {
          clock[at] = integer("the physical part of a timestamp");
          physical = true;
        }
        case "l" -> {
          long logical = integer("the logical part of a timestamp");
          if (logical < 0) {
            throw wrong("the logical part of a timestamp, which is not negative");
          }
          clock[at + 1] = logical;
          mostLogical = Math.max(mostLogical, logical);
        }
        default -> json.skipChildren();
      }
    }
    if (!physical) {
      throw wrong(json.currentTokenLocation(), "a timestamp without \"p\"", "\"p\" and \"l\"");
    }
  }

  private void readOperations(Pending txn) throws IOException, ParseException {
    if (json.currentToken() != JsonToken.START_ARRAY || txn.kinds.size() > 0) {
      throw wrong("one array of operations");
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw wrong(OPERATION);
      }
      readOperation(txn);
    }
  }

  private void readOperation(Pending txn) throws IOException, ParseException {
    JsonLocation start = json.currentTokenLocation();
    String type = null;
    long key = RawScalars.UNKNOWN;
    long value = RawScalars.NIL;
    int elements = -1;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "t" -> {
          if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw wrong("\"r\", \"w\" or \"a\"");
          }
          type = json.getText().toLowerCase(Locale.ROOT);
        }
        case "k" -> key = scalar("a key");
        case "v" -> {
          if (json.currentToken() == JsonToken.START_ARRAY) {
            elements = readElements(txn);
          } else {
            value = scalar("a value");
          }
        }
        default -> json.skipChildren();
      }
    }
    if (type == null || key == RawScalars.UNKNOWN) {
      throw wrong(start, "an operation without \"t\" or \"k\"", OPERATION);
    }
    addOperation(txn, start, type, key, value, elements);
  }

  private void addOperation(
      Pending txn, JsonLocation start, String type, long key, long value, int elements)
      throws ParseException {
    boolean array = elements >= 0;
    switch (type) {
      case "r", "read" -> {
        if (array) {
          lists = true;
          txn.add(OpKind.LIST_READ, key, elements);
        } else {
          txn.add(OpKind.READ, key, value);
        }
      }
      case "w", "write", "a", "append" -> {
        boolean append = type.startsWith("a");
        if (array || (append && value == RawScalars.NIL)) {
          throw wrong(start, "a value that cannot be written", OPERATION);
        }
        lists = lists == null ? append : lists;
        txn.add(append ? OpKind.APPEND : OpKind.WRITE, key, value);
      }
      default -> throw wrong(start, "an operation of another type", "\"r\", \"w\" or \"a\"");
    }
  }

  private int readElements(Pending txn) throws IOException, ParseException {
    int before = txn.elements.size();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      txn.elements.add(scalar("an element"));
    }
    return txn.elements.size() - before;
  }

  /** A transaction that has been read. */
  private final class Pending {
    private final LongList kinds = new LongList();
    private final LongList keys = new LongList();

    /** By kind: the value, or how many of {@link #elements} a list read takes. */
    private final LongList values = new LongList();

    private final LongList elements = new LongList();
    private long session;
    private long id;
    private long line;
    private long shownEnd;

    void clear() {
      kinds.clear();
      keys.clear();
      values.clear();
      elements.clear();
      shownEnd = History.ABSENT;
    }

    void add(OpKind kind, long key, long value) {
      kinds.add(kind.ordinal());
      keys.add(key);
      values.add(value);
    }

    void addTo(HistoryBuilder to) {
      int txn = to.begin(to.rawSession(session), Outcome.COMMITTED);
      to.id(txn, id);
      to.position(txn, line);
      to.shownEnd(txn, shownEnd);
      int element = 0;
      for (int i = 0; i < kinds.size(); i++) {
        OpKind kind = OpKind.of((byte) kinds.get(i));
        long value = values.get(i);
        if (kind == OpKind.LIST_READ) {
          int end = element + (int) value;
          to.readList(keys.get(i), elements.array(), element, end);
          element = end;
        } else if (kind == OpKind.READ && value == RawScalars.NIL && lists == Boolean.TRUE) {
          // An empty list may be written as null.
          to.readList(keys.get(i), elements.array(), 0, 0);
        } else {
          nilRead |= kind == OpKind.READ && value == RawScalars.NIL;
          to.op(kind, keys.get(i), value);
        }
      }
    }
  }

  // ---- timestamps

  /** Makes one number of both parts of each clock. */
  private void setTimestamps() throws ParseException {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(mostLogical);
    if (bits > 0) {
      builder.metadata(Chronos.LOGICAL_BITS, Integer.toString(bits));
    }
    for (int txn = 0; txn < builder.transactionCount(); txn++) {
      builder.snapshotTs(txn, timestamp(4 * txn, bits));
      builder.commitTs(txn, timestamp(4 * txn + 2, bits));
    }
  }

  private long timestamp(int at, int bits) throws ParseException {
    long physical = clocks.get(at);
    long shifted = bits == Long.SIZE ? 0 : physical << bits;
    if (bits > 0 && (bits >= Long.SIZE - 1 || shifted >> bits != physical)) {
      throw ParseException.ofFile(
          file,
          "has a timestamp of " + physical + " and logical parts up to " + mostLogical,
          "timestamps whose two parts fit 64 bits together",
          null);
    }
    return shifted | clocks.get(at + 1);
  }

  // ---- scalars and errors

  private long integer(String what) throws IOException, ParseException {
    if (json.currentToken() == JsonToken.VALUE_STRING && json.getText().matches("-?\\d{1,18}")) {
      return Long.parseLong(json.getText());
    }
    boolean integer =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    if (!integer) {
      throw wrong(what + ", a 64-bit integer");
    }
    return json.getLongValue();
  }

  private long millis() throws IOException, ParseException {
    long millis = integer("a time in milliseconds");
    if (Math.abs(millis) > Long.MAX_VALUE / NANOS_PER_MILLI) {
      throw wrong("a time in milliseconds");
    }
    return millis * NANOS_PER_MILLI;
  }

  private long scalar(String what) throws IOException, ParseException {
    return switch (json.currentToken()) {
      case VALUE_NUMBER_INT ->
          json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? builder.scalars().of(json.getBigIntegerValue())
              : builder.scalars().of(json.getLongValue());
      case VALUE_STRING -> builder.scalars().of(json.getText());
      case VALUE_NULL -> RawScalars.NIL;
      default -> throw wrong(what + ", an integer, a string or null");
    };
  }

  private ParseException wrong(String expected) {
    JsonToken token = json.currentToken();
    String found = token == null ? "the end of the file" : ViperParser.nameOf(token);
    return wrong(json.currentTokenLocation(), found, expected);
  }

  private ParseException wrong(JsonLocation at, String found, String expected) {
    return ParseException.atLine(file, at.getLineNr(), at.getColumnNr(), found, expected, null);
  }

  private ParseException notJson(JacksonException e, JsonLocation at) {
    boolean cut = e.getOriginalMessage().startsWith("Unexpected end-of-input");
    String found = cut ? "the file ends inside a transaction" : "not JSON: " + JsonProblem.of(e);
    String hint = cut ? "the file may be cut short" : null;
    return at == null || at.getLineNr() < 1
        ? ParseException.ofFile(file, found, TRANSACTION, hint)
        : ParseException.atLine(file, at.getLineNr(), at.getColumnNr(), found, TRANSACTION, hint);
  }
}
