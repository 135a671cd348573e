package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What PostgreSQL does that runs at repeatable-read find; docs/databases.md describes it. */
class PostgresSnapshotTest {
  @Test
  void atRepeatableReadAnUpsertBringsBackARowThatSomebodyDeletedMeanwhile() throws Exception {
    try (Connector connector = TestDatabases.start("postgres")) {
      JdbcIsolation isolation = TestDatabases.isolation(connector, "repeatable-read");
      try (Connection one = connector.connect(0, isolation);
          Connection two = connector.connect(1, isolation)) {
        execute(two, "CREATE TABLE item (k INT PRIMARY KEY, v INT)");
        execute(two, "INSERT INTO item VALUES (1, 10)");
        two.commit();

        isolation.begin(one);
        assertThat(value(one)).isEqualTo(10);
        execute(two, "DELETE FROM item WHERE k = 1");
        two.commit();
        assertThat(value(one)).as("its snapshot").isEqualTo(10);
        execute(one, "INSERT INTO item VALUES (1, 11) ON CONFLICT (k) DO UPDATE SET v = 11");
        one.commit();

        assertThat(value(two)).isEqualTo(11);
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int value(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT v FROM item WHERE k = 1")) {
      return result.next() ? result.getInt(1) : -1;
    }
  }
}
