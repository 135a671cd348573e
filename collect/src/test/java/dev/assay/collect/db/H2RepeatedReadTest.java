package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.vendor.Databases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stronger symptom of docs/findings/h2-stale-read.md, step by step. */
class H2RepeatedReadTest {
  @ParameterizedTest
  @CsvSource({
    "repeatable-read, TRUE, 20", "snapshot, TRUE, 20", "serializable, TRUE, 20",
    "repeatable-read, FALSE, 21", "snapshot, FALSE, 21", "serializable, FALSE, 21"
  })
  void aReadRepeatedInOneTransactionDiffersAfterARefusedOne(
      String level, String reuse, long firstRead) throws Exception {
    Database h2 = Databases.byId("h2").orElseThrow();
    Map<String, String> options = Map.of("OPTIMIZE_REUSE_RESULTS", reuse);
    try (Connector connector =
        TestDatabases.start(new Target(h2, null, List.of(), null, null, options))) {
      JdbcIsolation isolation = TestDatabases.isolation(connector, level);
      try (Connection setup = connector.connect()) {
        execute(setup, "CREATE TABLE t (k BIGINT PRIMARY KEY, v BIGINT)");
        execute(setup, "INSERT INTO t VALUES (1, 10), (2, 20)");
      }
      try (Connection one = connector.connect(0, isolation);
          Connection two = connector.connect(1, isolation);
          PreparedStatement read = one.prepareStatement("SELECT v FROM t WHERE k = ?")) {
        assertThat(value(read, 1)).isEqualTo(10);
        execute(two, "UPDATE t SET v = 21 WHERE k = 2");
        two.commit();
        assertThat(value(read, 2)).as("its snapshot").isEqualTo(20);
        assertThat(isRefused(one)).isTrue();
        one.rollback();

        assertThat(value(read, 2)).as("in the next transaction").isEqualTo(firstRead);
        execute(one, "UPDATE t SET v = 11 WHERE k = 1");
        assertThat(value(read, 2)).as("in the same transaction").isEqualTo(21);
        one.commit();
      }
    }
  }

  private static boolean isRefused(Connection one) {
    try {
      execute(one, "UPDATE t SET v = 22 WHERE k = 2");
      return false;
    } catch (SQLException e) {
      return true;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long value(PreparedStatement read, long key) throws SQLException {
    read.setLong(1, key);
    try (ResultSet result = read.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }
}
