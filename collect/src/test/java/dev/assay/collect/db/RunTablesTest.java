package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.RunData;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunTablesTest {
  private Connector connector;

  @BeforeEach
  void start() throws Exception {
    connector = TestDatabases.reachedByUrl("tables");
  }

  @AfterEach
  void stop() throws SQLException {
    execute("SHUTDOWN");
    connector.close();
  }

  /** Without an index on it, no lock on a range of values would be tested. */
  @Test
  void columnsOfConditionsHaveIndexes() throws Exception {
    new RunTables(connector).create();
    Set<String> indexed = new TreeSet<>();
    try (Connection connection = connector.connect();
        ResultSet indexes =
            connection.getMetaData().getIndexInfo(null, null, "ASSAY_ROWS", false, true)) {
      while (indexes.next()) {
        indexed.add(indexes.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    assertThat(indexed).containsExactly("k", "val", "ver");
  }

  @Test
  void tablesThatAnotherRunMadeAnewAreNotOursAndStay() throws Exception {
    RunTables first = new RunTables(connector);
    first.create();
    assertThat(first.areOurs()).isTrue();
    assertThat(areAnothers(first)).isFalse();

    RunTables second = new RunTables(connector);
    second.create();
    assertThat(first.areOurs()).isFalse();
    assertThat(areAnothers(first)).isTrue();
    assertThat(areAnothers(second)).isFalse();
    first.dropIfOurs();
    assertThat(second.areOurs()).isTrue();

    second.dropIfOurs();
    assertThat(second.areOurs()).isFalse();
    assertThatThrownBy(() -> areAnothers(second)).isInstanceOf(SQLException.class);
  }

  @Test
  void tablesInWhichAnotherRunGoesOnWritingAreGivenUp() throws Exception {
    new RunTables(connector).create();
    AtomicBoolean over = new AtomicBoolean();
    Thread client = new Thread(() -> write(over));
    client.start();
    try {
      assertThatThrownBy(() -> new RunTables(connector).create()).hasMessage(RunData.NOT_OURS);
    } finally {
      over.set(true);
      client.join();
    }
  }

  /** As a client of a run does whose tables are taken away, and which no error ends. */
  private void write(AtomicBoolean over) {
    for (int key = 0; !over.get(); key++) {
      try {
        execute("INSERT INTO assay_register (k) VALUES (" + key + ")");
      } catch (SQLException e) {
        // The table is not there right now.
      }
    }
  }

  @Test
  void whatWasMadeBeforeATableThatCannotBeMadeIsDropped() throws Exception {
    execute("CREATE TABLE assay_set (k INT)");
    execute("CREATE VIEW depends_on_it AS SELECT k FROM assay_set");
    assertThatThrownBy(() -> new RunTables(connector).create()).hasMessageContaining("ASSAY_SET");
    execute("CREATE TABLE assay_register (k INT)");
    execute("CREATE TABLE assay_run (k INT)");
  }

  private boolean areAnothers(RunTables tables) throws SQLException {
    try (Connection client = connector.connect(0, JdbcIsolation.SERIALIZABLE)) {
      return tables.areAnothers(client);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
