package dev.assay.render;

import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.level.Level;
import dev.assay.type.DataType;
import dev.assay.type.SqlTable;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A small history as SQL that a person can paste, statement by statement, into as many sessions as
 * the history has, in the order of an {@link Interleaving}. Each line ends in a comment that says
 * in which session and, for reads, what the recorded run returned.
 */
public final class SqlRenderer {
  /** More than this cannot be followed by hand. */
  public static final int MOST_OPERATIONS = 500;

  private static final int LONG_TEXT = 4000;

  private static final Set<String> LEVELS =
      Set.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SNAPSHOT", "SERIALIZABLE");

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

  private final class Script {
    private final History history;
    private final boolean integerKeys;
    private final boolean integerValues;
    private final String isolation;
    private final String lock;
    private final Map<Object, String> keyTexts = new HashMap<>();
    private int longestKey;
    private int longestValue;
    private int listLength;

    /** How registers are rows, or null where they are values that are always there. */
    private final SqlRows rows;

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
          measure(operation);
        }
      }
      for (int key = 0; key < history.keys().count(); key++) {
        Object initial = initial(key);
        values &= initial == null || initial instanceof Long;
        longestValue = Math.max(longestValue, String.valueOf(initial).length());
      }
      this.integerKeys = keys;
      this.integerValues = values;
      this.isolation = isolation(history);
      boolean locks = "for update".equals(history.metadata().get("reads"));
      this.lock = locks && dialect.locksReads() ? " FOR UPDATE" : "";
      this.rows = SqlRows.of(history, dialect, table(OpKind.Type.REGISTER).name(), this::key);
    }

    /** Notes how long texts are, and names keys so that no two have the same text. */
    private void measure(Operation operation) {
      if (!keyTexts.containsKey(operation.key())) {
        String text = operation.key() == null ? "nil" : operation.key().toString();
        String unique = text;
        for (int number = 2; keyTexts.containsValue(unique); number++) {
          unique = text + " (" + number + ")";
        }
        keyTexts.put(operation.key(), unique);
        longestKey = Math.max(longestKey, unique.length());
      }
      int length = operation.value() == null ? 0 : operation.valueText().length();
      if (operation.kind() == OpKind.APPEND) {
        listLength += length + 1;
      } else if (!operation.kind().readsSequence()) {
        longestValue = Math.max(longestValue, length);
      }
    }

    void write(String title) throws IOException {
      comment(title);
      comment(
          "Open a session of your database client for each session named at the end of a line,");
      comment("and paste the statements one by one, each into its session.");
      if (history.uses(OpKind.Type.LIST)) {
        comment("Lists are stored as text: [1 2] is 1,2, with a comma after each element.");
      }
      if (isolation == null && dialect.hasLevels()) {
        comment("The history does not say at which isolation level it ran: set yours first.");
      }
      Set<String> faults = faults();
      if (!faults.isEmpty()) {
        comment(
            "What happened to the server is not in the statements: " + String.join(", ", faults));
      }
      if (history.metadata().containsKey("server-options")) {
        comment("The server ran with the options " + history.metadata().get("server-options"));
      }
      line("");
      for (String statement : dialect.prepare(history.metadata())) {
        line(statement);
      }
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

    /** What was done to the server during the run, such as kill, once each. */
    private Set<String> faults() {
      Set<String> faults = new TreeSet<>();
      history
          .metadata()
          .forEach(
              (name, text) -> {
                if (name.startsWith("fault.")) {
                  faults.add(text.split(" ", 2)[0]);
                }
              });
      return faults;
    }

    private void writeTables() throws IOException {
      String keyType = integerKeys ? "BIGINT" : dialect.textType(longestKey);
      String valueType = integerValues ? "BIGINT" : dialect.textType(longestValue);
      int listType = Math.max(LONG_TEXT, listLength);
      for (OpKind.Type type : OpKind.Type.values()) {
        boolean ofRows = type == OpKind.Type.REGISTER && rows != null;
        if (type != OpKind.Type.PREDICATE && (ofRows || history.uses(type))) {
          SqlTable table = table(type);
          String columns =
              ofRows
                  ? "k " + keyType + " PRIMARY KEY, " + rows.definition()
                  : table.columns().formatted(keyType, valueType, listType);
          line("CREATE TABLE " + table.name() + " (" + columns + ");");
          if (!ofRows && table.initial() != null) {
            insert(type);
          }
        }
      }
    }

    private static SqlTable table(OpKind.Type type) {
      return DataType.of(type).table();
    }

    private void insert(OpKind.Type type) throws IOException {
      Comparator<String> order = Comparator.naturalOrder();
      Map<String, Integer> keys =
          new TreeMap<>(
              integerKeys ? Comparator.comparingInt(String::length).thenComparing(order) : order);
      for (int op = 0; op < history.operationCount(); op++) {
        if (history.kind(op).type() == type) {
          keys.put(key(history.keys().get(history.key(op))), history.key(op));
        }
      }
      for (Map.Entry<String, Integer> key : keys.entrySet()) {
        boolean register = type == OpKind.Type.REGISTER;
        String value = register ? value(initial(key.getValue())) : table(type).initial();
        line("INSERT INTO %s VALUES (%s, %s);".formatted(table(type).name(), key.getKey(), value));
      }
    }

    /** What a register begins with. */
    private Object initial(int key) {
      boolean declared = history.declaredInitial(key) != Values.UNKNOWN;
      int code = declared || !history.zeroIsInitial() ? history.initialValue(key) : 0;
      return history.values().get(code);
    }

    private void operation(int txn, int op) throws IOException {
      Operation operation = history.operation(op);
      List<String> statements = statements(operation);
      if (statements == null) {
        comment(
            "session %s, %s, in terms of your own tables: %s"
                .formatted(session(txn), history.label(txn), operation));
        return;
      }
      boolean reads = !operation.kind().isWrite() && operation.kind() != OpKind.UPDATE;
      for (String statement : statements) {
        statement(statement + (reads ? lock : "") + ";", txn, reads ? returned(operation) : "");
      }
    }

    /** An operation in SQL, or null where that cannot be known. */
    private List<String> statements(Operation operation) {
      OpKind kind = operation.kind();
      if (rows != null && (kind.isPredicate() || kind.type() == OpKind.Type.REGISTER)) {
        return rows.statements(operation);
      }
      return kind.isPredicate() ? null : List.of(statement(operation));
    }

    private String statement(Operation operation) {
      OpKind kind = operation.kind();
      SqlTable table = table(kind.type());
      String key = key(operation.key());
      return kind.isWrite()
          ? table.write().formatted(key, written(operation))
          : "SELECT v FROM " + table.name() + " WHERE k = " + key;
    }

    private String written(Operation operation) {
      if (operation.kind() == OpKind.APPEND) {
        return dialect.concat("v", dialect.text(operation.valueText() + ","));
      }
      return operation.kind().type().isNumber() ? operation.valueText() : value(operation.value());
    }

    private String returned(Operation operation) {
      if (!operation.known()) {
        return ": the client never saw the result";
      }
      if (operation.value() != null) {
        return ": returned " + operation.valueText();
      }
      // Numbers begin at 0 here, and rows are not there before they are written.
      boolean row = rows != null && operation.kind() == OpKind.READ;
      return operation.kind().type().isNumber()
          ? ": returned 0"
          : row ? ": returned no row" : ": returned NULL";
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

    private String key(Object key) {
      return integerKeys ? String.valueOf(key) : dialect.text(keyTexts.get(key));
    }

    private String value(Object value) {
      if (value == null) {
        return "NULL";
      }
      return integerValues ? value.toString() : dialect.text(value.toString());
    }

    private void comment(String text) throws IOException {
      line("-- " + Wording.oneLine(text));
    }

    private void line(String text) throws IOException {
      out.append(text).append('\n');
    }
  }

  /** What SQL calls the level that a history was recorded at, or null. */
  private static String isolation(History history) {
    String asked = history.metadata().getOrDefault("isolation", "");
    String name = asked.toUpperCase(Locale.ROOT).replace('-', ' ');
    if (LEVELS.contains(name)) {
      return name;
    }
    String recorded = history.metadata().get("level");
    Level level = recorded == null ? null : Level.find(recorded).orElse(null);
    if (level == null) {
      return null;
    }
    return switch (level) {
      case SERIALIZABLE, STRICT_SERIALIZABLE, STRONG_SESSION_SERIALIZABLE -> "SERIALIZABLE";
      case REPEATABLE_READ -> "REPEATABLE READ";
      case SNAPSHOT_ISOLATION, STRONG_SNAPSHOT_ISOLATION, STRONG_SESSION_SNAPSHOT_ISOLATION ->
          "SNAPSHOT";
      case READ_COMMITTED, ADYA_READ_COMMITTED, MONOTONIC_ATOMIC_VIEW -> "READ COMMITTED";
      case READ_UNCOMMITTED -> "READ UNCOMMITTED";
      default -> null;
    };
  }
}
