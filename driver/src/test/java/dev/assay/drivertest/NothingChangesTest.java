package dev.assay.drivertest;

import static dev.assay.drivertest.Recordings.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDriver;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application sees the same through the recording driver as without it. */
class NothingChangesTest {
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM t ORDER BY id",
          "SELECT id AS x, a + 1 FROM t WHERE a > 1 ORDER BY 1 -- the end",
          "SELECT t.a, u.b FROM t JOIN u ON t.id = u.t_id ORDER BY t.id, u.id",
          "SELECT t.a, u.b FROM t LEFT JOIN u ON t.id = u.t_id ORDER BY t.id, u.id",
          "SELECT count(*), max(a) FROM t",
          "SELECT a, count(*) AS n FROM t GROUP BY a HAVING count(*) > 0 ORDER BY a",
          "SELECT DISTINCT a FROM t ORDER BY a",
          "SELECT a IS DISTINCT FROM 2 FROM t ORDER BY id",
          "SELECT id FROM t WHERE id IN (SELECT t_id FROM u) ORDER BY id",
          "SELECT id FROM t UNION SELECT id FROM u ORDER BY 1",
          "SELECT 'from', \"Odd Name\" FROM t ORDER BY id LIMIT 1",
          "SELECT id FROM t WHERE id = 99",
          "SELECT 1",
          "SELECT * FROM missing",
          "SELECT a, FROM t",
          "UPDATE t SET a = a + 1 WHERE a < 3",
          "INSERT INTO t (a) VALUES (7), (8) RETURNING id;",
          "INSERT INTO t (id) VALUES (1)",
          "INSERT INTO t (id, a) VALUES (1, 5) ON CONFLICT (id) DO UPDATE SET a = excluded.a",
          "DELETE FROM u WHERE t_id = 2",
          "DELETE FROM t WHERE id = 99",
          "WITH x AS (SELECT 1 AS id) SELECT t.a FROM t JOIN x ON t.id = x.id",
          "TRUNCATE u",
          "SHOW transaction_isolation");

  @Test
  void onPostgres(@TempDir Path folder) throws Exception {
    Drivers drivers = new Drivers(folder.resolve("kept"), remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    try (Connector server = Connector.open(target, drivers, 10)) {
      String plain = server.url();
      String recorded =
          plain.replace("jdbc:", "jdbc:assay:")
              + (plain.contains("?") ? "&" : "?")
              + "assay.file="
              + folder.resolve("h.jsonl");
      List<String> expected = transcript(plain, server.user());
      List<String> actual = transcript(recorded, server.user());
      for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
        assertThat(actual.get(i))
            .as("after " + expected.subList(Math.max(0, i - 3), i))
            .isEqualTo(expected.get(i));
      }
      assertThat(actual).hasSameSizeAs(expected).hasSizeGreaterThan(2 * STATEMENTS.size());
    } finally {
      AssayDriver.finish();
    }
  }

  private static List<String> transcript(String url, String user) throws SQLException {
    List<String> seen = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url, user, null)) {
      execute(
          connection,
          "DROP TABLE IF EXISTS u",
          "DROP TABLE IF EXISTS t",
          "CREATE TABLE t (id SERIAL PRIMARY KEY, a INT, \"Odd Name\" TEXT DEFAULT 'o')",
          "CREATE TABLE u (id SERIAL PRIMARY KEY, t_id INT REFERENCES t, b NUMERIC(5,2))",
          "INSERT INTO t (a) VALUES (1), (2), (3)",
          "INSERT INTO u (t_id, b) VALUES (1, 1.5), (2, 2.5), (2, 3.5)");
      for (String sql : STATEMENTS) {
        seen.add(sql);
        plain(connection, sql, seen);
        prepared(connection, sql, seen);
      }
      connection.setAutoCommit(false);
      keysAndBatches(connection, seen);
      connection.rollback();
      savepoints(connection, seen);
      odd(connection, seen);
      connection.commit();
    }
    return seen;
  }

  private static void plain(Connection connection, String sql, List<String> seen) {
    try (Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      seen.add(rows + " " + (rows ? result(statement.getResultSet()) : ""));
      seen.add(statement.getUpdateCount() + " " + statement.getMoreResults());
      seen.add("keys " + result(statement.getGeneratedKeys()));
    } catch (SQLException e) {
      seen.add(error(e));
    }
  }

  private static void prepared(Connection connection, String sql, List<String> seen) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      seen.add(columns(statement.getMetaData()));
      boolean rows = statement.execute();
      seen.add(rows + " " + (rows ? result(statement.getResultSet()) : ""));
      seen.add("" + statement.getUpdateCount());
    } catch (SQLException e) {
      seen.add(error(e));
    }
  }

  private static void keysAndBatches(Connection connection, List<String> seen) throws SQLException {
    String insert = "INSERT INTO t (a) VALUES (?)";
    try (PreparedStatement all =
            connection.prepareStatement(insert, Statement.RETURN_GENERATED_KEYS);
        PreparedStatement one = connection.prepareStatement(insert, new String[] {"id"});
        PreparedStatement none = connection.prepareStatement(insert)) {
      for (PreparedStatement statement : List.of(all, one, none)) {
        statement.setInt(1, 40);
        seen.add(statement.executeUpdate() + " " + result(statement.getGeneratedKeys()));
        statement.setInt(1, 41);
        statement.addBatch();
        statement.setInt(1, 42);
        statement.addBatch();
        seen.add(Arrays.toString(statement.executeBatch()));
        seen.add(result(statement.getGeneratedKeys()));
      }
    }
    try (Statement statement = connection.createStatement()) {
      seen.add("" + statement.executeUpdate("INSERT INTO t (a) VALUES (1)", new String[] {"a"}));
      seen.add(result(statement.getGeneratedKeys()));
      statement.addBatch("UPDATE t SET a = 0 WHERE a = 1");
      statement.addBatch("INSERT INTO t (id) VALUES (1)");
      statement.executeBatch();
    } catch (BatchUpdateException e) {
      seen.add(error(e) + Arrays.toString(e.getUpdateCounts()));
    }
  }

  private static void savepoints(Connection connection, List<String> seen) throws SQLException {
    String rows = "SELECT id, a FROM t ORDER BY id";
    try (Statement statement = connection.createStatement()) {
      Savepoint named = connection.setSavepoint("here");
      seen.add(named.getSavepointName() + statement.executeUpdate("UPDATE t SET a = 9"));
      Savepoint second = connection.setSavepoint();
      try {
        statement.executeUpdate("UPDATE t SET missing = 1");
      } catch (SQLException e) {
        seen.add(error(e));
      }
      connection.rollback(second);
      seen.add(result(statement.executeQuery(rows)));
      connection.rollback(named);
      seen.add(result(statement.executeQuery(rows)));
      connection.releaseSavepoint(named);
      try {
        connection.rollback(named);
      } catch (SQLException e) {
        seen.add(error(e));
      }
    }
  }

  private static void odd(Connection connection, List<String> seen) throws SQLException {
    try (Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        ResultSet rows = statement.executeQuery("SELECT id FROM t ORDER BY id")) {
      seen.add(rows.last() + " " + rows.getRow() + " " + rows.first() + " " + rows.getInt(1));
      seen.add("" + (rows.getStatement() == statement) + (statement.getConnection() == connection));
      seen.add("" + rows.findColumn("id"));
      rows.getString(2);
    } catch (SQLException e) {
      seen.add(error(e));
    }
    try (Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet rows = statement.executeQuery("SELECT id, a FROM t ORDER BY id")) {
      rows.next();
      rows.updateInt("a", 77);
      rows.updateRow();
      seen.add("" + rows.getInt("a"));
    }
    try (Statement statement = connection.createStatement()) {
      statement.setMaxRows(1);
      seen.add(result(statement.executeQuery("SELECT a FROM t ORDER BY id")));
    }
  }

  private static String result(ResultSet rows) throws SQLException {
    StringBuilder text = new StringBuilder(columns(rows.getMetaData()));
    int count = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      text.append(" |");
      for (int i = 1; i <= count; i++) {
        Object value = rows.getObject(i);
        text.append(' ').append(value).append(value == null ? "" : value.getClass());
      }
    }
    rows.close();
    return text.toString();
  }

  private static String columns(ResultSetMetaData data) throws SQLException {
    if (data == null) {
      return "no columns";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= data.getColumnCount(); i++) {
      text.append(data.getColumnLabel(i)).append(':').append(data.getColumnTypeName(i));
      text.append(':').append(data.getTableName(i)).append(' ');
    }
    return text.toString();
  }

  /** Without the place of the error, which is a place in the statement that was sent. */
  private static String error(SQLException e) {
    return e.getSQLState()
        + e.getMessage().replaceAll("\\s*Position: \\d+", "").replaceAll("(?s)Batch entry.*", "");
  }
}
