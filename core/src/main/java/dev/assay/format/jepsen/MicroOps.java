package dev.assay.format.jepsen;

import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The micro-operations of one Jepsen operation while it is being read: columns that are filled,
 * handed to a {@link HistoryBuilder} and filled again. Keys and values are raw scalars.
 */
final class MicroOps {
  private int size;
  private byte[] kinds = new byte[4];
  private long[] keys = new long[4];
  private long[] values = new long[4];

  /** One past the last element of each list or set read; the first is where the one before ends. */
  private int[] elementEnds = new int[4];

  /** Also keys and values of the rows that a predicate read saw, in turn. */
  private long[] elements = new long[4];

  private int elementCount;

  /** The conditions of predicate reads, whose values are places in it. */
  private final List<String> conditions = new ArrayList<>();

  /** The kind of a micro-operation by its name, READ for any read; null for an unknown name. */
  static OpKind kind(String name) {
    return switch (name) {
      case "r" -> OpKind.READ;
      case "w" -> OpKind.WRITE;
      case "append" -> OpKind.APPEND;
      case "add" -> OpKind.ADD;
      case "inc" -> OpKind.INCREMENT;
      case "insert", "delete" -> OpKind.WRITE;
      case "rp" -> OpKind.SELECT;
      default -> null;
    };
  }

  void clear() {
    size = 0;
    elementCount = 0;
    conditions.clear();
  }

  /** Adds an operation; the elements added since the one before are those of a list or set read. */
  void add(OpKind kind, long rawKey, long rawValue) {
    if (size == kinds.length) {
      int capacity = Math.addExact(size, size);
      kinds = Arrays.copyOf(kinds, capacity);
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
      elementEnds = Arrays.copyOf(elementEnds, capacity);
    }
    kinds[size] = (byte) kind.ordinal();
    keys[size] = rawKey;
    values[size] = rawValue;
    elementEnds[size++] = elementCount;
  }

  /** Adds a predicate read; the elements added since the operation before are its rows. */
  void select(String condition) {
    aggregate(condition, RawScalars.UNKNOWN);
  }

  /** Adds a predicate read of an aggregate that gave this. */
  void aggregate(String condition, long rawResult) {
    add(OpKind.SELECT, rawResult, conditions.size());
    conditions.add(condition);
  }

  /** Turns raw scalars of one dictionary into those of another. */
  void translate(RawScalars before, RawScalars after) {
    for (int i = 0; i < size; i++) {
      keys[i] = translated(keys[i], before, after);
      values[i] = translated(values[i], before, after);
    }
    for (int i = 0; i < elementCount; i++) {
      elements[i] = translated(elements[i], before, after);
    }
  }

  static long translated(long raw, RawScalars before, RawScalars after) {
    boolean same = RawScalars.isInteger(raw) || raw == RawScalars.UNKNOWN;
    return same ? raw : after.of(before.get(raw));
  }

  void element(long raw) {
    if (elementCount == elements.length) {
      elements =
          Arrays.copyOf(elements, Math.addExact(elementCount, Math.max(elementCount >>> 1, 60)));
    }
    elements[elementCount++] = raw;
  }

  /**
   * Adds these operations to the builder's current transaction.
   *
   * @param nilIsUnknown whether a read of nil was never answered, as in an invocation
   */
  void emit(HistoryBuilder builder, boolean nilIsUnknown) {
    int from = 0;
    for (int i = 0; i < size; i++) {
      OpKind kind = OpKind.of(kinds[i]);
      int to = elementEnds[i];
      switch (kind) {
        case SELECT -> {
          builder.predicate(kind, conditions.get((int) values[i]));
          for (int row = from; row < to; row += 2) {
            builder.row(elements[row], elements[row + 1]);
          }
          if (keys[i] != RawScalars.UNKNOWN) {
            builder.result(keys[i]);
          }
        }
        case LIST_READ, SET_READ -> builder.readElements(kind, keys[i], elements, from, to);
        case READ -> {
          boolean unknown = nilIsUnknown && values[i] == RawScalars.NIL;
          builder.op(kind, keys[i], unknown ? RawScalars.UNKNOWN : values[i]);
        }
        default -> builder.op(kind, keys[i], values[i]);
      }
      from = to;
    }
  }
}
