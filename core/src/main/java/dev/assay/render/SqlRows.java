package dev.assay.render;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * The statements of a history with predicate operations: its registers are rows, which are not
 * there before they are written.
 */
final class SqlRows {
  private static final String TEXT = "text";

  private final History history;
  private final SqlDialect dialect;
  private final String table;
  private final Function<Object, String> key;
  private final List<String> columns = new ArrayList<>();
  private final List<String> types = new ArrayList<>();
  private int longest;

  private SqlRows(History history, SqlDialect dialect, String table, Function<Object, String> key) {
    this.history = history;
    this.dialect = dialect;
    this.table = table;
    this.key = key;
  }

  /**
   * The statements on a table of this name, or null where the history has neither predicate
   * operations nor columns, or rows whose types are not known.
   *
   * @param key how keys are written
   */
  static SqlRows of(
      History history, SqlDialect dialect, String table, Function<Object, String> key) {
    if (!history.uses(OpKind.Type.PREDICATE) && !history.metadata().containsKey(Columns.METADATA)) {
      return null;
    }
    SqlRows rows = new SqlRows(history, dialect, table, key);
    try {
      List<String> names = Columns.parse(history.metadata().get(Columns.METADATA));
      for (String name : names.isEmpty() ? List.of(Columns.VALUE) : names) {
        rows.columns.add(dialect.column(name));
        rows.types.add(null);
      }
    } catch (ConditionException e) {
      return null;
    }
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == OpKind.Type.REGISTER
          && !rows.fits(history.operation(op).value())) {
        return null;
      }
    }
    return rows;
  }

  /** Whether the columns can have these values, too. */
  private boolean fits(Object value) {
    if (value == null) {
      return true;
    }
    List<?> row = row(value);
    if (row.size() != columns.size()) {
      return false;
    }
    for (int i = 0; i < row.size(); i++) {
      Object item = row.get(i);
      String type =
          item instanceof Long
              ? "BIGINT"
              : item instanceof String ? TEXT : item instanceof Boolean ? "BOOLEAN" : null;
      longest = item instanceof String text ? Math.max(longest, text.length()) : longest;
      if (item != null) {
        if (type == null || types.get(i) != null && !types.get(i).equals(type)) {
          return false;
        }
        types.set(i, type);
      }
    }
    return true;
  }

  private List<?> row(Object value) {
    return value instanceof List<?> list && history.metadata().containsKey(Columns.METADATA)
        ? list
        : List.of(value);
  }

  /** The columns and their types. */
  String definition() {
    StringJoiner all = new StringJoiner(", ");
    for (int i = 0; i < columns.size(); i++) {
      String type = types.get(i) == null ? "BIGINT" : types.get(i);
      all.add(columns.get(i) + " " + (type.equals(TEXT) ? dialect.textType(longest) : type));
    }
    return all.toString();
  }

  /** What an operation is in SQL, or null where its condition cannot be understood. */
  List<String> statements(Operation operation) {
    OpKind kind = operation.kind();
    if (kind == OpKind.READ) {
      return List.of("SELECT " + String.join(", ", columns) + from() + where(operation.key()));
    }
    if (kind == OpKind.WRITE) {
      return List.of(write(operation.key(), operation.value()));
    }
    try {
      Condition condition = Condition.parse(operation.key().toString());
      return kind == OpKind.SELECT
          ? List.of(select(condition))
          : update(condition, (List<?>) operation.value());
    } catch (ConditionException e) {
      return null;
    }
  }

  private String write(Object key, Object value) {
    return value == null
        ? "DELETE" + from() + where(key)
        : dialect.upsert(
            table, columns, this.key.apply(key) + ", " + String.join(", ", literals(value)));
  }

  private String select(Condition condition) {
    String what =
        condition.form().isAggregate()
            ? condition.aggregateSql(dialect)
            : "k, " + String.join(", ", columns);
    return "SELECT " + what + from() + where(condition);
  }

  /** Where it is not said what an update did, it is done row by row. */
  private List<String> update(Condition condition, List<?> rows) {
    return switch (condition.form()) {
      case DELETE -> List.of("DELETE" + from() + where(condition));
      case SET ->
          List.of("UPDATE " + table + " SET " + condition.setSql(dialect) + where(condition));
      default -> {
        List<String> statements = new ArrayList<>();
        for (Object each : rows) {
          Operation.Row row = (Operation.Row) each;
          statements.add(row.value() == null ? write(row.key(), null) : change(row));
        }
        yield statements;
      }
    };
  }

  private String change(Operation.Row row) {
    StringJoiner set = new StringJoiner(", ");
    List<String> literals = literals(row.value());
    for (int i = 0; i < columns.size(); i++) {
      set.add(columns.get(i) + " = " + literals.get(i));
    }
    return "UPDATE " + table + " SET " + set + where(row.key());
  }

  private List<String> literals(Object value) {
    List<String> literals = new ArrayList<>();
    for (Object item : row(value)) {
      literals.add(
          item == null
              ? "NULL"
              : item instanceof String text ? dialect.text(text) : item.toString());
    }
    return literals;
  }

  private String from() {
    return " FROM " + table;
  }

  private String where(Object key) {
    return " WHERE k = " + this.key.apply(key);
  }

  private String where(Condition condition) {
    return condition.isRestricted() ? " WHERE " + outer(condition.whereSql(dialect)) : "";
  }

  /** Without parentheses around the whole, which are one pair wherever it is an operation. */
  private static String outer(String where) {
    return where.startsWith("(") ? where.substring(1, where.length() - 1) : where;
  }
}
