package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.LongList;
import dev.assay.format.TransactionRecord;
import dev.assay.format.jsonl.AssayJsonlValues.Wrong;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the operations of one transaction into a record. */
final class AssayJsonlOperations {
  private static final String SHAPE = "an operation such as [\"r\",\"x\",1]";

  /** All kinds by their symbols. */
  private static final Map<String, OpKind> KINDS = kinds();

  private final AssayJsonlValues values;
  private final TransactionRecord record;

  AssayJsonlOperations(AssayJsonlValues values, TransactionRecord record) {
    this.values = values;
    this.record = record;
  }

  void read() throws IOException, Wrong {
    values.expect(JsonToken.START_ARRAY, "an array of operations");
    while (values.next() != JsonToken.END_ARRAY) {
      values.expect(JsonToken.START_ARRAY, SHAPE);
      values.next();
      String symbol = values.text(SHAPE);
      if (readConditional(symbol)) {
        continue;
      }
      OpKind kind = kind(symbol);
      values.next();
      if (kind.isPredicate()) {
        readPredicate(kind);
      } else {
        readOperation(kind);
      }
    }
  }

  private OpKind kind(String symbol) throws Wrong {
    OpKind kind = kindOf(symbol);
    if (kind == null) {
      throw values.wrong(
          "one of " + String.join(", ", KINDS.keySet()) + ", cas, put-if-absent, delete");
    }
    return kind;
  }

  /** The kind of a symbol, or null; {@link OpKind#READ} for a read that may turn out a list's. */
  static OpKind kindOf(String symbol) {
    return KINDS.get(symbol);
  }

  private static Map<String, OpKind> kinds() {
    Map<String, OpKind> kinds = new LinkedHashMap<>();
    for (OpKind kind : OpKind.values()) {
      // A read of a list has the symbol of a register's, and one of its own.
      String symbol = kind == OpKind.LIST_READ ? AssayJsonlReader.LIST_READ : kind.symbol();
      kinds.put(symbol, kind);
    }
    return kinds;
  }

  private void readOperation(OpKind kind) throws IOException, Wrong {
    if (values.token() == JsonToken.END_ARRAY) {
      throw values.wrong("a key", SHAPE);
    }
    long key = values.scalar();
    JsonToken token = values.next();
    if (token == JsonToken.END_ARRAY) {
      if (kind.isWrite()) {
        throw values.wrong("the value after the key", "only a read may leave it out");
      }
      record.op(kind, key, RawScalars.UNKNOWN);
      return;
    }
    if (kind.readsSequence() || (kind == OpKind.READ && token == JsonToken.START_ARRAY)) {
      LongList elements = values.scalars();
      OpKind sequence = kind.readsSequence() ? kind : OpKind.LIST_READ;
      record.readElements(sequence, key, elements.array(), 0, elements.size());
    } else {
      boolean initial = !kind.isWrite() && values.isNull();
      if (kind.type().isNumber() && !initial) {
        values.expect(JsonToken.VALUE_NUMBER_INT, "an integer");
      }
      record.op(kind, key, result(kind));
    }
    values.next();
    values.expect(JsonToken.END_ARRAY, "the end of the operation");
  }

  private long result(OpKind kind) throws IOException, Wrong {
    if (kind.type() != OpKind.Type.REGISTER) {
      return values.scalar();
    }
    return kind == OpKind.READ ? values.result() : values.value();
  }

  /**
   * Reads a conditional operation, as the reads and writes that it consists of; false, at the same
   * token, if the symbol is not that of one.
   */
  private boolean readConditional(String symbol) throws IOException, Wrong {
    switch (symbol) {
      case "cas" -> {
        long key = nextScalar("[\"cas\",key,old,new,true]");
        long old = nextValue("the value that was compared");
        conditional(key, old, nextValue("the value to write"));
      }
      case "put-if-absent" -> {
        long key = nextScalar("[\"put-if-absent\",key,value,true]");
        conditional(key, RawScalars.NIL, nextValue("the value to write"));
      }
      case "delete" -> delete(nextScalar("[\"delete\",key] or [\"delete\",key,true]"));
      default -> {
        return false;
      }
    }
    values.expect(JsonToken.END_ARRAY, "the end of the operation");
    return true;
  }

  private long nextValue(String expected) throws IOException, Wrong {
    if (values.next() == JsonToken.END_ARRAY) {
      throw values.wrong(expected);
    }
    return values.value();
  }

  private long nextScalar(String expected) throws IOException, Wrong {
    if (values.next() == JsonToken.END_ARRAY) {
      throw values.wrong(expected);
    }
    return values.scalar();
  }

  /** One that succeeded read a value and wrote another, one that failed read something else. */
  private void conditional(long key, long expected, long written) throws IOException, Wrong {
    values.next();
    boolean succeeded = values.isTrue("true if it succeeded, false if not");
    if (!succeeded && values.isVersioned(expected)) {
      throw values.wrong("true", "a comparison that failed is given with the value alone");
    }
    record.op(OpKind.READ, key, succeeded ? expected : values.otherThan(expected));
    if (succeeded) {
      record.op(OpKind.WRITE, key, written);
    }
    values.next();
  }

  private void delete(long key) throws IOException, Wrong {
    boolean deleted = true;
    if (values.next() != JsonToken.END_ARRAY) {
      deleted = values.isTrue("true if there was something to delete, false if not");
      record.op(OpKind.READ, key, deleted ? values.otherThan(RawScalars.NIL) : RawScalars.NIL);
      values.next();
    }
    if (deleted) {
      record.op(OpKind.WRITE, key, RawScalars.NIL);
    }
  }

  private void readPredicate(OpKind kind) throws IOException, Wrong {
    values.expect(JsonToken.START_OBJECT, "a condition such as {\"where\":[\"=\",\"v\",1]}");
    record.predicate(kind, values.json());
    if (values.next() == JsonToken.END_ARRAY) {
      throw values.wrong("an array of rows", "leave out a predicate operation without a result");
    }
    if (kind == OpKind.SELECT && values.token() != JsonToken.START_ARRAY) {
      record.result(values.scalar());
    } else {
      readRows();
    }
    values.next();
    values.expect(JsonToken.END_ARRAY, "the end of the operation");
  }

  private void readRows() throws IOException, Wrong {
    values.expect(JsonToken.START_ARRAY, "an array of rows");
    while (values.next() != JsonToken.END_ARRAY) {
      values.expect(JsonToken.START_ARRAY, "a row, [key, value]");
      values.next();
      long key = values.scalar();
      values.next();
      record.row(key, values.scalar());
      values.next();
      values.expect(JsonToken.END_ARRAY, "the end of the row");
    }
  }
}
