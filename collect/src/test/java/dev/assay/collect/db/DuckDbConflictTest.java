package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which writes of two concurrent transactions DuckDB lets both commit; docs/findings describes it.
 * In a table with an index an update that returns rows is a deletion and an insertion, and a
 * deletion and an update of one row are not taken for a conflict.
 */
class DuckDbConflictTest {
  private static final String REFUSED = "refused";

  /** The second transaction commits before the first one writes. */
  @ParameterizedTest
  @CsvSource({
    "PRIMARY KEY, UPDATE t SET v = 21 WHERE k = 2, UPDATE t SET v = 22 WHERE k = 2, refused",
    "PRIMARY KEY, UPDATE t SET v = 21 WHERE k = 2 RETURNING v, UPDATE t SET v = 22 WHERE k = 2, 21",
    "PRIMARY KEY, UPDATE t SET v = 21 WHERE k = 2, UPDATE t SET v = 22 WHERE k = 2 RETURNING v, 22",
    "PRIMARY KEY, DELETE FROM t WHERE k = 2, UPDATE t SET v = 22 WHERE k = 2, none",
    "'', UPDATE t SET v = 21 WHERE k = 2 RETURNING v, UPDATE t SET v = 22 WHERE k = 2, refused",
    "'', UPDATE t SET v = 21 WHERE k = 2, DELETE FROM t WHERE k = 2, none"
  })
  void anUpdateAndADeletionOfARowAreNotTakenForAConflict(
      String key, String ofSecond, String ofFirst, String after) throws Exception {
    try (Connector connector = TestDatabases.start("duckdb")) {
      assumeTrue(
          connector.describe().equals("DuckDB v2.0.0"),
          "this is what 2.0.0 does; see what the new version does, and update docs/findings");
      JdbcIsolation isolation = connector.database().strongest();
      try (Connection first = connector.connect(0, isolation);
          Connection second = connector.connect(1, isolation)) {
        execute(second, "CREATE TABLE t (k BIGINT " + key + ", v BIGINT)");
        execute(second, "INSERT INTO t VALUES (1, 10), (2, 20)");
        second.commit();

        assertThat(value(first)).as("its snapshot").isEqualTo("20");
        execute(second, ofSecond);
        second.commit();
        assertThat(value(first)).as("its snapshot").isEqualTo("20");
        assertThat(outcome(first, ofFirst, second)).isEqualTo(after);
      }
    }
  }

  /** What is there after the first transaction has committed, or that it was refused. */
  private static String outcome(Connection first, String change, Connection second)
      throws SQLException {
    try {
      execute(first, change);
      first.commit();
    } catch (SQLException e) {
      first.rollback();
      return REFUSED;
    }
    return value(second);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String value(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT v FROM t WHERE k = 2")) {
      return result.next() ? result.getString(1) : "none";
    }
  }
}
