package dev.assay.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Settles the data type of each read once all operations are known. {@code [:r x nil]} or {@code
 * [:r x [1 2]]} alone does not show whether x is a register, a list or a set; the other operations
 * on x do. All writes of a key must be of one type: what a register holds after an increment, say,
 * is not defined.
 */
final class KeyTypes {
  private static final OpKind.Type[] TYPES = OpKind.Type.values();

  private final Columns columns;
  private final RawScalars scalars;
  private final Values values;
  private final Sequences.Builder sequences;
  private final Predicates.Builder predicates;

  /** Which kinds of operations there are on each key, as bits. */
  private int[] kinds;

  KeyTypes(
      Columns columns,
      RawScalars scalars,
      Values values,
      Sequences.Builder sequences,
      Predicates.Builder predicates) {
    this.columns = columns;
    this.scalars = scalars;
    this.values = values;
    this.sequences = sequences;
    this.predicates = predicates;
  }

  /**
   * @throws InvalidHistoryException if a key is written as several types
   */
  void settle(Keys keys) {
    columns.types = types(columns.kind);
    if (columns.types == 1 << OpKind.Type.REGISTER.ordinal()) {
      return;
    }
    kinds = new int[keys.count()];
    for (int op = 0; op < columns.kind.length; op++) {
      if (columns.key[op] >= 0) {
        kinds[columns.key[op]] |= 1 << columns.kind[op];
      }
    }
    requireOneType(keys);
    for (int op = 0; op < columns.kind.length; op++) {
      switch (OpKind.of(columns.kind[op])) {
        case READ -> settleScalarRead(op);
        case LIST_READ -> settleListRead(op);
        // Results of predicate operations are rows, whatever other operations do with their keys.
        case SELECT, UPDATE -> op += predicates.rows(columns.value[op]);
        default -> {}
      }
    }
    columns.types = types(columns.kind);
    if (columns.versions && (columns.types & 1 << OpKind.Type.PREDICATE.ordinal()) != 0) {
      throw new InvalidHistoryException(
          "it has version numbers and predicate operations", "values without \"version\"");
    }
  }

  private void requireOneType(Keys keys) {
    for (int key = 0; key < kinds.length; key++) {
      OpKind.Type written = null;
      for (OpKind.Type type : TYPES) {
        if ((kinds[key] & 1 << type.writeKind().ordinal()) != 0) {
          if (written != null) {
            throw new InvalidHistoryException(
                "key %s is written as a %s and as a %s"
                    .formatted(keys.get(key), written.noun(), type.noun()),
                "one data type for each key; give the %s a key of its own".formatted(type.noun()));
          }
          written = type;
        }
      }
    }
  }

  private static int types(byte[] kinds) {
    int types = 0;
    for (byte kind : kinds) {
      types |= 1 << OpKind.of(kind).type().ordinal();
    }
    return types;
  }

  private boolean used(int op, OpKind kind) {
    return (kinds[columns.key[op]] & 1 << kind.ordinal()) != 0;
  }

  private boolean used(int op, OpKind.Type type) {
    return used(op, type.readKind()) || used(op, type.writeKind());
  }

  /** A read of nil, of an unknown value, or of one scalar. */
  private void settleScalarRead(int op) {
    if (used(op, OpKind.WRITE)) {
      return;
    }
    boolean empty = columns.value[op] == Values.NIL;
    boolean unknown = columns.value[op] == Values.UNKNOWN;
    OpKind.Type number = first(type -> type.isNumber() && used(op, type));
    if (number != null) {
      if (empty || unknown || values.isInteger(columns.value[op])) {
        columns.kind[op] = (byte) number.readKind().ordinal();
      }
    } else if (empty || unknown) {
      OpKind.Type items = itemsWritten(op);
      OpKind.Type elements =
          items != null ? items : first(type -> type.hasElements() && used(op, type));
      if (elements != null) {
        columns.kind[op] = (byte) elements.readKind().ordinal();
        if (empty) {
          columns.value[op] = sequences.addSet(new int[0], 0, 0);
        }
      }
    }
  }

  /** A read of a vector: a list, a set shown as a vector, or a register that holds vectors. */
  private void settleListRead(int op) {
    if (used(op, OpKind.APPEND)) {
      return;
    }
    OpKind.Type items = itemsWritten(op);
    if (items != null) {
      columns.kind[op] = (byte) items.readKind().ordinal();
      if (columns.value[op] != Values.UNKNOWN) {
        int[] elements = sequences.elements(columns.value[op]);
        columns.value[op] = sequences.addSet(elements, 0, elements.length);
      }
    } else if (used(op, OpKind.WRITE)) {
      columns.kind[op] = (byte) OpKind.READ.ordinal();
      if (columns.value[op] != Values.UNKNOWN) {
        List<Object> vector = new ArrayList<>();
        for (int element : sequences.elements(columns.value[op])) {
          vector.add(values.get(element));
        }
        columns.value[op] = values.code(scalars.of(vector));
      }
    }
  }

  /** The type whose elements are items and were written to the key of a read, or null. */
  private OpKind.Type itemsWritten(int op) {
    return first(type -> type.hasElements() && type.hasItems() && used(op, type.writeKind()));
  }

  private static OpKind.Type first(Predicate<OpKind.Type> property) {
    for (OpKind.Type type : TYPES) {
      if (property.test(type)) {
        return type;
      }
    }
    return null;
  }
}
