package dev.assay.drivertest;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A program that uses JDBC at random and writes down everything that it sees. */
final class RandomApplication {
  /** What is seen last where the driver behind failed by a fault of its own. */
  static final String FAULT = "fault";

  private final Connection connection;
  private final Random random;
  private final RandomSql sql;
  private final boolean postgres;
  private final List<String> seen = new ArrayList<>();
  private Savepoint savepoint;
  private PreparedStatement kept;
  private int keptParameters;

  RandomApplication(Connection connection, long seed, boolean postgres) {
    this.connection = connection;
    this.random = new Random(seed);
    this.sql = new RandomSql(random, postgres);
    this.postgres = postgres;
  }

  List<String> run(int steps) throws SQLException {
    for (int i = 0; i < steps; i++) {
      // What was drawn must not depend on what was answered.
      long seed = random.nextLong();
      try {
        step(new Random(seed));
      } catch (SQLException e) {
        seen.add(error(e));
        if (postgres && !connection.getAutoCommit() && new Random(seed).nextInt(3) > 0) {
          connection.rollback();
          savepoint = null;
        }
      } catch (RuntimeException e) {
        // A fault of the driver behind, after which nothing is certain.
        seen.add(FAULT);
        return seen;
      }
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
    return seen;
  }

  private void step(Random draw) throws SQLException {
    switch (draw.nextInt(16)) {
      case 0 -> control(draw);
      case 1 -> textControl(draw);
      case 2 -> batch(draw);
      case 3 -> surroundings(draw);
      case 4 -> again(draw);
      case 5, 6, 7, 8, 9 -> plain(draw);
      default -> prepared(draw);
    }
  }

  // ---- transactions

  private void control(Random draw) throws SQLException {
    int what = draw.nextInt(9);
    seen.add("control " + what);
    switch (what) {
      case 0, 1 -> connection.setAutoCommit(draw.nextBoolean());
      case 2 -> {
        connection.commit();
        savepoint = null;
      }
      case 3 -> {
        connection.rollback();
        savepoint = null;
      }
      case 4 ->
          savepoint = draw.nextBoolean() ? connection.setSavepoint() : connection.setSavepoint("p");
      case 5, 6 -> {
        if (savepoint != null) {
          connection.rollback(savepoint);
        }
      }
      case 7 -> {
        if (savepoint != null) {
          connection.releaseSavepoint(savepoint);
          savepoint = null;
        }
      }
      default -> connection.setTransactionIsolation(1 << (1 + draw.nextInt(3)));
    }
    seen.add(connection.getAutoCommit() + " " + connection.getTransactionIsolation());
  }

  private void textControl(Random draw) throws SQLException {
    String[] texts = {
      "BEGIN",
      "COMMIT",
      "ROLLBACK",
      "SAVEPOINT s",
      "ROLLBACK TO SAVEPOINT s",
      "RELEASE SAVEPOINT s",
      "BEGIN; UPDATE t SET a = 5 WHERE id = 1; COMMIT",
      "ROLLBACK; BEGIN",
      "COMMIT; SELECT 1",
      "BEGIN; UPDATE t SET a = 6 WHERE id = 2; ROLLBACK",
      "COMMIT AND CHAIN",
      "BEGIN; SELECT 1",
      "SELECT id FROM t WHERE id = 1; COMMIT",
      "END",
      "ABORT",
      "START TRANSACTION"
    };
    String text = postgres ? texts[draw.nextInt(texts.length)] : texts[1 + draw.nextInt(3)];
    seen.add(text);
    try (Statement statement = connection.createStatement()) {
      seen.add("" + statement.execute(text));
      rest(statement, draw);
    }
  }

  /** What changes the meaning of names. */
  private void surroundings(Random draw) throws SQLException {
    String[] texts =
        postgres
            ? new String[] {
              "SET search_path = s2, public",
              "SET search_path = public",
              "RESET search_path",
              "SET LOCAL search_path = s2",
              "CREATE TEMP TABLE IF NOT EXISTS u (z INT)",
              "DROP TABLE IF EXISTS pg_temp.u",
              "ALTER TABLE t ADD COLUMN IF NOT EXISTS late INT",
              "SELECT set_config('search_path', 's2', true)",
              "SHOW search_path",
              "DISCARD TEMP",
              "LOCK TABLE t",
              "TRUNCATE n",
              "SET statement_timeout = 0"
            }
            : new String[] {
              "SET SCHEMA s2", "SET SCHEMA public",
                  "ALTER TABLE t ADD COLUMN IF NOT EXISTS late INT",
              "SET AUTOCOMMIT FALSE", "SET AUTOCOMMIT TRUE", "TRUNCATE TABLE n"
            };
    String text = texts[draw.nextInt(texts.length)];
    seen.add(text);
    // It would keep the tables that it was prepared for.
    kept = null;
    if (draw.nextInt(4) == 0) {
      connection.setSchema(draw.nextBoolean() == postgres ? "public" : postgres ? "s2" : "S2");
    }
    try (Statement statement = connection.createStatement()) {
      seen.add("" + statement.execute(text));
    }
    seen.add(connection.getSchema() + " " + connection.getAutoCommit());
  }

  // ---- statements

  private Statement statement(Random draw) throws SQLException {
    Statement statement =
        switch (draw.nextInt(6)) {
          case 0 -> connection.createStatement(1004, 1007);
          case 1 -> connection.createStatement(1004, 1008);
          case 2 -> connection.createStatement(1003, 1007, 1);
          default -> connection.createStatement();
        };
    settings(statement, draw);
    return statement;
  }

  private static void settings(Statement statement, Random draw) throws SQLException {
    if (draw.nextInt(6) == 0) {
      statement.setMaxRows(1 + draw.nextInt(2));
    }
    if (draw.nextInt(6) == 0) {
      statement.setFetchSize(1 + draw.nextInt(2));
    }
  }

  private void plain(Random draw) throws SQLException {
    String text = sql.next().replaceAll("\\?", "" + (1 + draw.nextInt(4)));
    seen.add(text);
    try (Statement statement = statement(draw)) {
      int way = draw.nextInt(9);
      seen.add("way " + way);
      if (way > 6) {
        statement.setMaxRows(0);
        statement.setFetchSize(0);
      }
      switch (way) {
        case 0, 1, 2 -> {
          seen.add("" + statement.execute(text));
          rest(statement, draw);
        }
        case 3, 4 -> read(statement.executeQuery(text), draw);
        case 5 -> seen.add("" + statement.executeUpdate(text));
        case 6 -> seen.add("" + statement.executeLargeUpdate(text));
        case 7 -> {
          seen.add("" + statement.execute(text, Statement.RETURN_GENERATED_KEYS));
          keysAndRest(statement, draw);
        }
        default -> {
          seen.add(
              "" + statement.executeUpdate(text, new String[] {draw.nextBoolean() ? "id" : "a"}));
          keysAndRest(statement, draw);
        }
      }
      if (draw.nextInt(3) == 0) {
        String next = sql.next().replaceAll("\\?", "1");
        seen.add("then " + next + statement.execute(next));
        rest(statement, draw);
      }
    }
  }

  private void keysAndRest(Statement statement, Random draw) throws SQLException {
    seen.add("keys");
    read(statement.getGeneratedKeys(), draw);
    rest(statement, draw);
  }

  /** All results of a statement, in their order. */
  private void rest(Statement statement, Random draw) throws SQLException {
    for (int i = 0; i < 4; i++) {
      int count = statement.getUpdateCount();
      ResultSet rows = count < 0 ? statement.getResultSet() : null;
      seen.add("count " + count + " " + (rows == null));
      if (count < 0 && rows == null) {
        break;
      }
      if (rows != null) {
        seen.add("" + (rows.getStatement() == statement));
        read(rows, draw);
      }
      seen.add("more " + statement.getMoreResults());
    }
    if (draw.nextInt(3) == 0) {
      seen.add("keys");
      read(statement.getGeneratedKeys(), draw);
    }
  }

  private PreparedStatement prepare(String text, int how) throws SQLException {
    return switch (how) {
      case 0 -> connection.prepareStatement(text, Statement.RETURN_GENERATED_KEYS);
      case 1 -> connection.prepareStatement(text, new String[] {"id"});
      case 2 -> connection.prepareStatement(text, 1004, 1007);
      case 3 -> connection.prepareStatement(text, 1004, 1008);
      case 4 -> connection.prepareStatement(text, new int[] {1});
      case 5 -> connection.prepareCall(text);
      default -> connection.prepareStatement(text);
    };
  }

  private void set(PreparedStatement statement, int parameters, Random draw) throws SQLException {
    for (int i = 1; i <= parameters; i++) {
      switch (draw.nextInt(8)) {
        case 0 -> statement.setNull(i, java.sql.Types.INTEGER);
        case 1 -> statement.setObject(i, 1 + draw.nextInt(3), java.sql.Types.INTEGER);
        case 2 -> statement.setLong(i, draw.nextInt(5));
        case 3 -> statement.setString(i, draw.nextBoolean() ? "q" : "2");
        case 4 -> statement.setBigDecimal(i, new BigDecimal("2.0"));
        default -> statement.setInt(i, 1 + draw.nextInt(4));
      }
    }
  }

  private void prepared(Random draw) throws SQLException {
    String text = sql.next();
    seen.add("prepared " + text);
    int how = draw.nextInt(9);
    PreparedStatement statement = prepare(text, how);
    int parameters = sql.parameters;
    if (how > 1) {
      // pgJDBC mistakes keys for results if it is to fetch only some.
      settings(statement, draw);
    }
    if (kept != null) {
      kept.close();
    }
    kept = statement;
    keptParameters = parameters;
    if (draw.nextInt(3) == 0) {
      seen.add("described " + columns(statement.getMetaData()));
      seen.add("parameters " + statement.getParameterMetaData().getParameterCount());
    }
    again(draw);
  }

  /** Executes the last prepared statement, once more perhaps. */
  private void again(Random draw) throws SQLException {
    if (kept == null) {
      return;
    }
    set(kept, keptParameters, draw);
    int way = draw.nextInt(6);
    seen.add("prepared way " + way);
    switch (way) {
      case 0, 1 -> {
        seen.add("" + kept.execute());
        rest(kept, draw);
      }
      case 2, 3 -> read(kept.executeQuery(), draw);
      case 4 -> {
        seen.add("" + kept.executeUpdate());
        keysAndRest(kept, draw);
      }
      default -> {
        seen.add("" + kept.executeLargeUpdate());
        if (draw.nextBoolean()) {
          kept.clearParameters();
        }
      }
    }
  }

  private void batch(Random draw) throws SQLException {
    if (draw.nextBoolean()) {
      try (Statement statement = connection.createStatement()) {
        for (int i = draw.nextInt(4); i >= 0; i--) {
          String text = sql.next().replaceAll("\\?", "2");
          seen.add("batched " + text);
          statement.addBatch(text);
        }
        if (draw.nextInt(8) == 0) {
          statement.clearBatch();
        }
        batch(statement, draw);
      }
      return;
    }
    String text = sql.next();
    seen.add("batched " + text);
    try (PreparedStatement statement = prepare(text, draw.nextInt(9))) {
      int parameters = sql.parameters;
      for (int i = draw.nextInt(4); i >= 0; i--) {
        set(statement, parameters, draw);
        statement.addBatch();
      }
      batch(statement, draw);
    }
  }

  private void batch(Statement statement, Random draw) throws SQLException {
    try {
      seen.add(
          draw.nextBoolean()
              ? Arrays.toString(statement.executeBatch())
              : Arrays.toString(statement.executeLargeBatch()));
      keysAndRest(statement, draw);
    } catch (BatchUpdateException e) {
      seen.add(Arrays.toString(e.getUpdateCounts()) + Arrays.toString(e.getLargeUpdateCounts()));
      throw e;
    }
  }

  // ---- results

  private void read(ResultSet rows, Random draw) throws SQLException {
    if (rows == null) {
      seen.add("no result");
      return;
    }
    ResultSetMetaData data = rows.getMetaData();
    seen.add(columns(data));
    seen.add(rows.getType() + " " + rows.getConcurrency() + " " + rows.getFetchSize());
    int count = data.getColumnCount();
    if (rows.getType() != ResultSet.TYPE_FORWARD_ONLY && draw.nextInt(2) == 0) {
      move(rows, count, draw);
    }
    int until = draw.nextInt(4) == 0 ? draw.nextInt(3) : Integer.MAX_VALUE;
    for (int i = 0; i < until && rows.next(); i++) {
      row(rows, count, draw);
    }
    seen.add(rows.isBeforeFirst() + " " + rows.isAfterLast() + " " + rows.getRow());
    if (draw.nextInt(6) == 0) {
      outside(rows, data, count);
    }
    if (draw.nextBoolean()) {
      rows.close();
      seen.add("closed " + rows.isClosed() + " " + rows.getStatement().isClosed());
    }
  }

  private void move(ResultSet rows, int count, Random draw) throws SQLException {
    for (int i = draw.nextInt(4); i >= 0; i--) {
      int how = draw.nextInt(7);
      boolean there =
          switch (how) {
            case 0 -> rows.last();
            case 1 -> rows.first();
            case 2 -> rows.absolute(draw.nextInt(4) - 1);
            case 3 -> rows.previous();
            case 4 -> rows.next();
            case 5 -> {
              rows.afterLast();
              yield rows.previous();
            }
            default -> rows.relative(1);
          };
      seen.add("moved " + how + there);
      if (there) {
        row(rows, count, draw);
      }
    }
    if (draw.nextBoolean()) {
      rows.beforeFirst();
    }
  }

  private void row(ResultSet rows, int count, Random draw) throws SQLException {
    StringBuilder text = new StringBuilder("row");
    for (int i = 1; i <= count; i++) {
      Object value = draw.nextBoolean() ? rows.getObject(i) : rows.getString(i);
      boolean own = value != null && value.getClass().getName().startsWith("org.postgresql");
      text.append(' ').append(own ? String.valueOf(value) : typed(value)).append(rows.wasNull());
    }
    seen.add(text.toString());
  }

  private static String typed(Object value) {
    return value == null
        ? "null"
        : value.getClass().isArray() ? "array" : value.getClass() + "" + value;
  }

  /** Beyond the columns that there are. */
  private void outside(ResultSet rows, ResultSetMetaData data, int count) {
    for (int i = 0; i < 6; i++) {
      try {
        switch (i) {
          case 0 -> rows.getString(count + 1);
          case 1 -> rows.getObject(0);
          case 2 -> rows.findColumn("missing");
          case 3 -> data.getColumnName(count + 1);
          case 4 -> data.getColumnType(count + 2);
          default -> rows.getLong("xmin");
        }
        seen.add("there");
      } catch (SQLException e) {
        seen.add(error(e).replaceFirst("\\S+", ""));
      }
    }
  }

  private static String columns(ResultSetMetaData data) throws SQLException {
    if (data == null) {
      return "no columns";
    }
    StringBuilder text = new StringBuilder("columns");
    for (int i = 1; i <= data.getColumnCount(); i++) {
      text.append(" | ").append(data.getColumnLabel(i)).append(' ').append(data.getColumnName(i));
      text.append(' ').append(data.getColumnTypeName(i)).append(' ').append(data.getColumnType(i));
      text.append(' ').append(data.getColumnClassName(i)).append(' ').append(data.getTableName(i));
      text.append(' ').append(data.getPrecision(i)).append(' ').append(data.getScale(i));
      text.append(' ').append(data.isNullable(i)).append(' ').append(data.isAutoIncrement(i));
    }
    return text.toString();
  }

  /** Without places in the statement that was sent. */
  private static String error(SQLException e) {
    String text = String.valueOf(e.getMessage());
    text = text.replaceAll("\\s*Position: \\d+", "").replaceAll("(?s); SQL statement:.*", "");
    text =
        text.replaceAll("(?s)Syntax error in SQL statement.*", "syntax")
            .replaceAll("(?s)Batch entry.*", "batch");
    return e.getClass().getSimpleName()
        + " "
        + e.getSQLState()
        + " "
        + e.getErrorCode()
        + " "
        + text;
  }
}
