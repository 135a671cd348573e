package dev.assay.render;

import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.level.Level;
import java.io.IOException;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * A small history as SQL that a person can paste, statement by statement, into as many sessions as
 * the history has, in the order of an {@link Interleaving}. Each line ends in a comment that says
 * in which session and, for reads, what the recorded run returned.
 */
public final class SqlRenderer {
  /** More than this nobody follows by hand. */
  public static final int MOST_OPERATIONS = 500;

  private final SqlDialect dialect;
  private final Appendable out;

  public SqlRenderer(SqlDialect dialect, Appendable out) {
    this.dialect = dialect;
    this.out = out;
  }

  /** Writes tables and initial rows, and then the statements of all sessions. */
  public void render(History history, String title) throws IOException {
    if (history.operationCount() > MOST_OPERATIONS) {
      throw new IllegalArgumentException("more than " + MOST_OPERATIONS + " operations");
    }
    new Script(history).write(title);
  }

  /** A table for each type of object that the history uses. */
  private enum Table {
    REGISTERS(OpKind.Type.REGISTER, "registers"),
    LISTS(OpKind.Type.LIST, "lists"),
    SETS(OpKind.Type.SET, "sets"),
    COUNTERS(OpKind.Type.COUNTER, "counters");

    private final OpKind.Type type;
    private final String id;

    Table(OpKind.Type type, String id) {
      this.type = type;
      this.id = id;
    }

    static Table of(OpKind kind) {
      for (Table table : values()) {
        if (table.type == kind.type()) {
          return table;
        }
      }
      throw new IllegalArgumentException(kind + " has no table");
    }
  }

  private final class Script {
    private final History history;
    private final boolean integerKeys;
    private final boolean integerValues;
    private final String isolation;

    Script(History history) {
      this.history = history;
      boolean keys = true;
      boolean values = true;
      for (int op = 0; op < history.operationCount(); op++) {
        Operation operation = history.operation(op);
        if (!operation.kind().isPredicate()) {
          keys &= operation.key() instanceof Long;
          boolean scalar = operation.known() && !operation.kind().readsSequence();
          values &= !scalar || operation.value() == null || operation.value() instanceof Long;
        }
      }
      this.integerKeys = keys;
      this.integerValues = values;
      this.isolation = isolation(history.metadata().get("level"));
    }

    void write(String title) throws IOException {
      comment(title);
      comment(
          "Open a session of your database client for each session named at the end of a line,");
      comment("and paste the statements one by one, each into its session.");
      if (history.uses(OpKind.Type.LIST)) {
        comment("Lists are texts: [1 2] is 1,2, with a comma after each element.");
      }
      if (isolation == null) {
        comment("The history does not say at which isolation level it ran: set yours first.");
      }
      line("");
      writeTables();
      line("");
      for (Interleaving.Event event : Interleaving.of(history)) {
        switch (event.kind()) {
          case BEGIN -> {
            for (String statement : dialect.begin(isolation)) {
              statement(statement, event.txn(), "");
            }
          }
          case OPERATION -> operation(event.txn(), event.op());
          case END -> end(event.txn());
        }
      }
    }

    private void writeTables() throws IOException {
      String keyType = integerKeys ? "BIGINT" : "VARCHAR(255)";
      String valueType = integerValues ? "BIGINT" : "VARCHAR(255)";
      for (Table table : Table.values()) {
        if (!history.uses(table.type)) {
          continue;
        }
        String columns =
            switch (table) {
              case REGISTERS -> "k " + keyType + " PRIMARY KEY, v " + valueType;
              case LISTS -> "k " + keyType + " PRIMARY KEY, v VARCHAR(4000) NOT NULL";
              case SETS -> "k " + keyType + ", v " + valueType + ", PRIMARY KEY (k, v)";
              case COUNTERS -> "k " + keyType + " PRIMARY KEY, v BIGINT NOT NULL";
            };
        line("CREATE TABLE " + table.id + " (" + columns + ");");
        String initial =
            switch (table) {
              case REGISTERS -> history.zeroIsInitial() ? value(0L) : "NULL";
              case LISTS -> "''";
              case COUNTERS -> "0";
              case SETS -> null;
            };
        for (String key : initial == null ? Set.<String>of() : keys(table)) {
          line("INSERT INTO " + table.id + " VALUES (" + key + ", " + initial + ");");
        }
      }
    }

    private Set<String> keys(Table table) {
      Comparator<String> order = Comparator.naturalOrder();
      Set<String> keys =
          new TreeSet<>(
              integerKeys ? Comparator.comparingInt(String::length).thenComparing(order) : order);
      for (int op = 0; op < history.operationCount(); op++) {
        if (history.kind(op).type() == table.type) {
          keys.add(key(op));
        }
      }
      return keys;
    }

    private void operation(int txn, int op) throws IOException {
      OpKind kind = history.kind(op);
      Operation operation = history.operation(op);
      if (kind.isPredicate()) {
        comment(
            "session %s, %s, in terms of your own tables: %s"
                .formatted(session(txn), history.label(txn), operation));
        return;
      }
      String table = Table.of(kind).id;
      String where = " WHERE k = " + key(op) + ";";
      String statement =
          switch (kind) {
            case WRITE -> "UPDATE " + table + " SET v = " + value(operation.value()) + where;
            case APPEND -> {
              String element = dialect.literal(history.values().text(history.value(op)) + ",");
              yield "UPDATE " + table + " SET v = " + dialect.concat("v", element) + where;
            }
            case ADD ->
                "INSERT INTO %s VALUES (%s, %s);"
                    .formatted(table, key(op), value(operation.value()));
            case INCREMENT -> "UPDATE " + table + " SET v = v + " + operation.value() + where;
            default -> "SELECT v FROM " + table + where;
          };
      statement(statement, txn, kind.isWrite() ? "" : returned(op, operation));
    }

    private String returned(int op, Operation operation) {
      return history.value(op) == Values.UNKNOWN
          ? ": the client never saw the result"
          : ": returned " + (operation.value() == null ? "NULL" : operation.valueText());
    }

    private void end(int txn) throws IOException {
      String error = history.error(txn) == null ? "" : ": " + history.error(txn);
      Outcome outcome = history.outcome(txn);
      switch (outcome) {
        case COMMITTED -> statement("COMMIT;", txn, "");
        case ABORTED -> statement("ROLLBACK;", txn, ": aborted" + error);
        case INDETERMINATE ->
            statement("COMMIT;", txn, ": the client never learned the outcome" + error);
      }
    }

    private void statement(String statement, int txn, String remark) throws IOException {
      String comment = "session " + session(txn) + ", " + history.label(txn) + remark;
      line("%-56s -- %s".formatted(statement, Wording.oneLine(comment)));
    }

    private String session(int txn) {
      return history.sessionText(history.session(txn));
    }

    private String key(int op) {
      String text = history.keys().text(history.key(op));
      return integerKeys ? text : dialect.literal(text);
    }

    private String value(Object value) {
      if (value == null) {
        return "NULL";
      }
      return integerValues ? value.toString() : dialect.literal(value.toString());
    }

    private void comment(String text) throws IOException {
      line("-- " + Wording.oneLine(text));
    }

    private void line(String text) throws IOException {
      out.append(text).append('\n');
    }
  }

  /** What SQL calls the level that a history was recorded at, or null. */
  private static String isolation(String recorded) {
    Level level = recorded == null ? null : Level.find(recorded).orElse(null);
    if (level == null) {
      return null;
    }
    return switch (level) {
      case SERIALIZABLE, STRICT_SERIALIZABLE, STRONG_SESSION_SERIALIZABLE -> "SERIALIZABLE";
      case REPEATABLE_READ,
          SNAPSHOT_ISOLATION,
          STRONG_SNAPSHOT_ISOLATION,
          STRONG_SESSION_SNAPSHOT_ISOLATION ->
          "REPEATABLE READ";
      case READ_COMMITTED, ADYA_READ_COMMITTED, MONOTONIC_ATOMIC_VIEW -> "READ COMMITTED";
      case READ_UNCOMMITTED -> "READ UNCOMMITTED";
      default -> null;
    };
  }
}
