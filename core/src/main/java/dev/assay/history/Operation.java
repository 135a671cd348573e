package dev.assay.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One operation as an object, for output.
 *
 * @param kind what it does
 * @param key the key; the condition of a predicate operation
 * @param known whether the value is known; false for a read whose result the client never saw
 * @param value the value, null for nil; a List for list and set reads; a List of {@link Row} for
 *     predicate operations, what it gave for an aggregate
 */
public record Operation(OpKind kind, Object key, boolean known, Object value) {
  /** A row a predicate operation returned or left behind. */
  public record Row(Object key, Object value) {
    @Override
    public String toString() {
      return scalar(key) + "=" + scalar(value);
    }
  }

  static Operation of(History history, int op) {
    OpKind kind = history.kind(op);
    int value = history.value(op);
    if (kind.isPredicate()) {
      Predicates predicates = history.predicates();
      String condition = predicates.condition(value);
      if (predicates.result(value) != Values.UNKNOWN) {
        Object result = history.values().get(predicates.result(value));
        return new Operation(kind, condition, true, result);
      }
      List<Row> rows = new ArrayList<>();
      for (int row = op + 1; row < history.nextOp(op); row++) {
        Object key = history.keys().get(history.key(row));
        rows.add(new Row(key, history.values().get(history.value(row))));
      }
      return new Operation(kind, condition, true, rows);
    }
    Object key = history.keys().get(history.key(op));
    if (value == Values.UNKNOWN) {
      return new Operation(kind, key, false, null);
    }
    if (kind.readsSequence()) {
      Sequences sequences = history.sequences();
      List<Object> elements = new ArrayList<>(sequences.length(value));
      for (int i = 0; i < sequences.length(value); i++) {
        elements.add(history.values().get(sequences.element(value, i)));
      }
      return new Operation(kind, key, true, elements);
    }
    return new Operation(kind, key, true, history.values().get(value));
  }

  @Override
  public String toString() {
    boolean set = known && kind.readsSequence() && kind.type().hasItems();
    return kind.listed(scalar(key), set ? elements("{", "}") : valueText());
  }

  /** The value alone, in readable form. */
  public String valueText() {
    if (!known) {
      return "?";
    }
    if (value instanceof List<?> && kind.isPredicate()) {
      return elements("{", "}");
    }
    return kind.readsSequence() ? elements("[", "]") : scalar(value);
  }

  private String elements(String open, String close) {
    return ((List<?>) value)
        .stream().map(Operation::scalar).collect(Collectors.joining(" ", open, close));
  }

  private static String scalar(Object value) {
    return value == null ? "nil" : value.toString();
  }
}
