package dev.assay.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Settles the data type of each read once all operations are known. {@code [:r x nil]} or {@code
 * [:r x [1 2]]} alone does not show whether x is a register, a list or a set; the other operations
 * on x do.
 */
final class KeyTypes {
  private static final int WRITTEN = 1;
  private static final int APPENDED = 2;
  private static final int LIST_READ = 4;
  private static final int ADDED = 8;
  private static final int SET_READ = 16;
  private static final int INCREMENTED = 32;

  private final History.Columns columns;
  private final RawScalars scalars;
  private final Values values;
  private final Sequences.Builder sequences;
  private final Predicates.Builder predicates;
  private byte[] use;

  KeyTypes(
      History.Columns columns,
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

  void settle(int keys) {
    columns.types = types(columns.kind);
    if (columns.types == 1 << OpKind.Type.REGISTER.ordinal()) {
      return;
    }
    use = new byte[keys];
    for (int op = 0; op < columns.kind.length; op++) {
      if (columns.key[op] >= 0) {
        use[columns.key[op]] |= (byte) use(OpKind.of(columns.kind[op]));
      }
    }
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
  }

  private static int types(byte[] kinds) {
    int types = 0;
    for (byte kind : kinds) {
      types |= 1 << OpKind.of(kind).type().ordinal();
    }
    return types;
  }

  private static int use(OpKind kind) {
    return switch (kind) {
      case WRITE -> WRITTEN;
      case APPEND -> APPENDED;
      case LIST_READ -> LIST_READ;
      case ADD -> ADDED;
      case SET_READ -> SET_READ;
      case INCREMENT, COUNTER_READ -> INCREMENTED;
      case READ, SELECT, UPDATE -> 0;
    };
  }

  private boolean used(int op, int how) {
    return (use[columns.key[op]] & how) != 0;
  }

  /** A read of nil, of an unknown value, or of one scalar. */
  private void settleScalarRead(int op) {
    if (used(op, WRITTEN)) {
      return;
    }
    boolean empty = columns.value[op] == Values.NIL;
    boolean unknown = columns.value[op] == Values.UNKNOWN;
    if (used(op, INCREMENTED)) {
      if (empty || unknown || values.isInteger(columns.value[op])) {
        columns.kind[op] = (byte) OpKind.COUNTER_READ.ordinal();
      }
    } else if (empty || unknown) {
      boolean list = used(op, APPENDED | LIST_READ);
      if (list && !used(op, ADDED)) {
        columns.kind[op] = (byte) OpKind.LIST_READ.ordinal();
      } else if (used(op, ADDED | SET_READ)) {
        columns.kind[op] = (byte) OpKind.SET_READ.ordinal();
      } else {
        return;
      }
      if (empty) {
        columns.value[op] = sequences.addSet(new int[0], 0, 0);
      }
    }
  }

  /** A read of a vector: a list, a set shown as a vector, or a register that holds vectors. */
  private void settleListRead(int op) {
    if (used(op, APPENDED)) {
      return;
    }
    if (used(op, ADDED)) {
      columns.kind[op] = (byte) OpKind.SET_READ.ordinal();
      if (columns.value[op] != Values.UNKNOWN) {
        int[] elements = sequences.elements(columns.value[op]);
        columns.value[op] = sequences.addSet(elements, 0, elements.length);
      }
    } else if (used(op, WRITTEN)) {
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
}
