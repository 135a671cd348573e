package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.history.Versioned;
import java.util.BitSet;

/**
 * A history as the formats see it that know only reads and writes of 64-bit integers. What is
 * initial becomes 0, as it is there; numbers of versions are dropped; operations that do not fit
 * are not {@link #has there}.
 */
public final class IntegerRegisters {
  private final History history;
  private final long[] keys;
  private final BitSet integerKeys;

  public IntegerRegisters(History history) {
    this.history = history;
    this.keys = new long[history.keys().count()];
    this.integerKeys = new BitSet(keys.length);
    for (int key = 0; key < keys.length; key++) {
      if (history.keys().get(key) instanceof Long integer) {
        keys[key] = integer;
        integerKeys.set(key);
      }
    }
  }

  /** Whether the key of this number is a 64-bit integer. */
  boolean isIntegerKey(int key) {
    return integerKeys.get(key);
  }

  /** Whether this value code is nil or a 64-bit integer, with the number of a version or not. */
  boolean isIntegerValue(int code) {
    Values values = history.values();
    return code == Values.NIL
        || values.isInteger(code)
        || values.isVersioned(code) && (plain(code) == null || plain(code) instanceof Long);
  }

  /** The value of this code without the number of its version. */
  Object plain(int code) {
    Object value = history.values().get(code);
    return value instanceof Versioned versioned ? versioned.value() : value;
  }

  /** Whether the operation can be expressed. */
  public boolean has(int op) {
    return history.kind(op).type() == OpKind.Type.REGISTER
        && integerKeys.get(history.key(op))
        && (isIntegerValue(history.value(op)) || isInitial(op));
  }

  private boolean isInitial(int op) {
    return history.isInitial(history.key(op), history.values().unversioned(history.value(op)));
  }

  /** How many operations of a transaction can be expressed. */
  public int count(int txn) {
    int count = 0;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (has(op)) {
        count++;
      }
    }
    return count;
  }

  public long key(int op) {
    return keys[history.key(op)];
  }

  public long value(int op) {
    int code = history.value(op);
    boolean declared = history.declaresInitial() && isInitial(op);
    return declared || plain(code) == null ? 0 : (Long) plain(code);
  }
}
