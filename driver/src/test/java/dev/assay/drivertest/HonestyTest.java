package dev.assay.drivertest;

import static dev.assay.drivertest.Recordings.execute;
import static dev.assay.drivertest.Recordings.rows;
import static dev.assay.drivertest.Recordings.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Report;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDriver;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver may not accuse PostgreSQL of: there nothing was wrong. */
class HonestyTest {
  @TempDir static Path kept;
  private static Connector server;

  @TempDir Path folder;
  private Connection admin;
  private final List<Connection> connections = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    server = Connector.open(target, new Drivers(kept, remark -> {}), 10);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void tables() throws SQLException {
    admin = DriverManager.getConnection(server.url(), server.user(), null);
    execute(
        admin,
        "DROP TABLE IF EXISTS item, log CASCADE",
        "CREATE TABLE item (id INT PRIMARY KEY, a INT)",
        "CREATE TABLE log (id INT PRIMARY KEY, a INT)",
        "INSERT INTO item VALUES (1, 1), (2, 2)",
        "INSERT INTO log VALUES (1, 1)");
  }

  @AfterEach
  void end() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
    AssayDriver.finish();
    admin.close();
  }

  private Connection connect() throws SQLException {
    SteppedDriver.register();
    String url = server.url();
    String more = (url.contains("?") ? "&" : "?") + "assay.file=" + folder.resolve("h.jsonl");
    Connection connection =
        DriverManager.getConnection(
            url.replace("jdbc:", "jdbc:assay:stepped:") + more, server.user(), null);
    connections.add(connection);
    return connection;
  }

  private Connection begin(int isolation) throws SQLException {
    Connection connection = connect();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  private Report recorded() throws Exception {
    return Recordings.checked(Recordings.finished(folder.resolve("h.jsonl")));
  }

  /** Each transaction ran on its own, or as if it had. */
  private Report nothingIsWrong() throws Exception {
    Report report = recorded();
    String told = Recordings.told(report);
    for (Level level : List.of(Level.STRICT_SERIALIZABLE, Level.READ_COMMITTED)) {
      assertThat(report.violated(level)).as(told).isFalse();
    }
    return report;
  }

  @Test
  void aRowThatATransactionDeletedItselfIsNotTheInitialOne() throws Exception {
    Connection one = begin(Connection.TRANSACTION_SERIALIZABLE);
    update(one, "DELETE FROM item WHERE id = 1");
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).isEmpty();
    one.commit();
    nothingIsWrong();
  }

  @Test
  void aRowThatWasThereAndIsNotReadYetMayBeGone() throws Exception {
    Connection one = connect();
    Connection two = connect();
    PreparedStatement insert = one.prepareStatement("INSERT INTO item VALUES (3, 3) RETURNING id");
    PreparedStatement delete = two.prepareStatement("DELETE FROM item WHERE id = 3 RETURNING id");
    ResultSet inserted = insert.executeQuery();
    ResultSet deleted = delete.executeQuery();
    assertThat(rows(connect(), "SELECT a FROM item WHERE id = 3")).isEmpty();
    assertThat(inserted.next() && deleted.next()).isTrue();
    insert.close();
    delete.close();
    nothingIsWrong();
  }

  @Test
  void aRowThatWasThereBeforeMayBeDeletedUnseen() throws Exception {
    Connection old = begin(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(rows(old, "SELECT a FROM log WHERE id = 1")).containsExactly("1");
    execute(admin, "DELETE FROM item WHERE id = 1");
    Connection one = connect();
    assertThat(rows(one, "SELECT a FROM item WHERE id = 2")).containsExactly("2");
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).isEmpty();
    assertThat(rows(old, "SELECT a FROM item WHERE id = 1")).containsExactly("1");
    old.commit();
    Report report = recorded();
    assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION))
        .as(Recordings.told(report))
        .isFalse();
  }

  @Test
  void aCommitInSqlMayHaveRolledBack() throws Exception {
    String[] wrong = {
      "SELECT 1 / 0", "CREATE TABLE item (x INT)", "ROLLBACK TO SAVEPOINT none", "SET x.y.z TO 1 2"
    };
    Connection one = connect();
    for (String statement : wrong) {
      execute(one, "BEGIN");
      update(one, "UPDATE item SET a = 9 WHERE id = 1");
      assertThatThrownBy(() -> execute(one, statement)).isInstanceOf(SQLException.class);
      execute(one, "COMMIT");
      assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("1");
    }
    nothingIsWrong();
  }

  @Test
  void aCursorOfATransactionThatEndedEndsTheNext() throws Exception {
    Connection one = connect();
    one.setAutoCommit(false);
    PreparedStatement statement = one.prepareStatement("SELECT id FROM item");
    statement.setFetchSize(1);
    ResultSet rows = statement.executeQuery();
    assertThat(rows.next()).isTrue();
    one.commit();
    update(one, "UPDATE item SET a = 9 WHERE id = 1");
    assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
    execute(one, "COMMIT");
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("1");
    one.commit();
    nothingIsWrong();
  }

  @Test
  void savepointsOfTheSameNameAreToldApart() throws Exception {
    Connection one = connect();
    one.setAutoCommit(false);
    execute(one, "SAVEPOINT s");
    update(one, "UPDATE item SET a = 7 WHERE id = 1");
    execute(one, "SAVEPOINT S");
    execute(one, "RELEASE SAVEPOINT s", "ROLLBACK TO SAVEPOINT s");
    one.commit();
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1 AND a > 0")).containsExactly("1");
    one.commit();
    assertThat(nothingIsWrong().history().metadata()).doesNotContainKey("note.conditions.item");
  }

  @Test
  void savepointsWithQuotesAreToldApart() throws Exception {
    Connection one = connect();
    one.setAutoCommit(false);
    execute(one, "SAVEPOINT \"a\"");
    update(one, "UPDATE item SET a = 7 WHERE id = 1");
    execute(one, "SAVEPOINT \"b\"", "ROLLBACK TO SAVEPOINT \"a\"");
    one.commit();
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("1");
    one.commit();
    one.setSavepoint("c d");
    update(one, "UPDATE item SET a = 8 WHERE id = 2");
    execute(one, "ROLLBACK TO \"c d\" -- and no further");
    update(one, "UPDATE item SET a = 8 WHERE id = 2");
    one.commit();
    assertThat(rows(one, "SELECT a FROM item ORDER BY id")).containsExactly("1", "8");
    one.commit();
    nothingIsWrong();
  }

  @Test
  void whatWasSeenOfWritesThatWereTakenBackDoesNotCount() throws Exception {
    Connection one = connect();
    one.setAutoCommit(false);
    var savepoint = one.setSavepoint();
    update(one, "DELETE FROM item WHERE id = 1");
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).containsExactly("2");
    assertThat(rows(one, "SELECT id FROM item WHERE id = 1")).isEmpty();
    update(one, "UPDATE item SET a = 5 WHERE id = 2");
    PreparedStatement statement = one.prepareStatement("SELECT id FROM item WHERE a = 5");
    ResultSet later = statement.executeQuery();
    one.rollback(savepoint);
    assertThat(later.next()).isTrue();
    assertThat(later.next()).isFalse();
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).containsExactly("1", "2");
    one.commit();
    nothingIsWrong();
  }

  @Test
  void aSubtransactionOfAFunctionIsNotAnotherTransaction() throws Exception {
    execute(
        admin,
        "CREATE OR REPLACE FUNCTION careful() RETURNS INT LANGUAGE plpgsql AS"
            + " 'BEGIN BEGIN UPDATE log SET a = a + 1; EXCEPTION WHEN division_by_zero THEN NULL;"
            + " END; RETURN 1; END'",
        "CREATE OR REPLACE FUNCTION logged() RETURNS TRIGGER LANGUAGE plpgsql AS"
            + " 'BEGIN BEGIN UPDATE log SET a = a + 1; EXCEPTION WHEN division_by_zero THEN NULL;"
            + " END; RETURN NEW; END'",
        "CREATE TRIGGER t AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION logged()");
    Connection one = begin(Connection.TRANSACTION_SERIALIZABLE);
    String read = "SELECT a FROM log WHERE id = 1";
    assertThat(rows(one, read)).containsExactly("1");
    assertThat(rows(one, "SELECT careful()")).containsExactly("1");
    assertThat(rows(one, read)).containsExactly("2");
    one.commit();
    assertThat(rows(one, read)).containsExactly("2");
    update(one, "UPDATE item SET a = 6 WHERE id = 1");
    assertThat(rows(one, read)).containsExactly("3");
    one.commit();
    nothingIsWrong();
  }

  @Test
  void aTransactionIsAsOldAsItsSnapshot() throws Exception {
    Connection one = begin(Connection.TRANSACTION_REPEATABLE_READ);
    execute(one, "SELECT 1");
    update(connect(), "UPDATE item SET a = 5 WHERE id = 1");
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("1");
    one.commit();
    execute(one, "SELECT 1");
    one.commit();
    // The database is asked for tables within the transaction of an application that began it.
    one.setAutoCommit(true);
    execute(one, "SELECT 1");
    one.setAutoCommit(false);
    try (PreparedStatement statement = one.prepareStatement("SELECT id, a FROM item")) {
      update(connect(), "UPDATE item SET a = 6 WHERE id = 1");
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          assertThat(rows.getInt(2)).isNotEqualTo(5);
        }
      }
    }
    one.commit();
    nothingIsWrong();
  }

  @Test
  void aRowThatGetsAnotherKeyInAConflictIsNotThereAnyMore() throws Exception {
    Connection one = connect();
    String upsert = "INSERT INTO item VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET id = 7";
    assertThat(rows(one, "SELECT id FROM item WHERE a = 1")).containsExactly("1");
    update(one, upsert);
    assertThat(rows(one, "SELECT id FROM item WHERE a = 1")).containsExactly("7");
    update(one, "UPDATE item SET a = 1 WHERE id = 7");
    assertThat(rows(one, "SELECT id FROM item WHERE a = 1")).containsExactly("7");
    nothingIsWrong();
  }

  @Test
  void aTableThatIsEmptiedOrRewrittenIsNotTheSame() throws Exception {
    Connection one = begin(Connection.TRANSACTION_SERIALIZABLE);
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).containsExactly("1", "2");
    execute(one, "TRUNCATE item");
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).isEmpty();
    assertThat(rows(one, "SELECT a FROM log WHERE id = 1")).containsExactly("1");
    execute(one, "ALTER TABLE log ALTER COLUMN a TYPE BIGINT");
    assertThat(rows(one, "SELECT a FROM log WHERE id = 1")).containsExactly("1");
    one.commit();
    nothingIsWrong();
  }

  @Test
  void rowsThatGetOtherPlacesAreNotWrittenAgain() throws Exception {
    Connection one = connect();
    update(one, "UPDATE item SET a = 5 WHERE id = 1");
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("5");
    execute(admin, "VACUUM FULL item");
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("5");
    nothingIsWrong();
  }

  @Test
  void whatTheApplicationDoesNotReadOfItsWritesIsWritten() throws Exception {
    Connection one = connect();
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).hasSize(2);
    ResultSet rows =
        one.prepareStatement("DELETE FROM item WHERE a > 0 RETURNING id").executeQuery();
    assertThat(rows.next()).isTrue();
    one.close();
    assertThat(rows(connect(), "SELECT id FROM item WHERE a > 0")).isEmpty();
    nothingIsWrong();
  }

  @Test
  void whatIsNotFetchedOfWritesIsWritten() throws Exception {
    Connection one = connect();
    one.setAutoCommit(false);
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).hasSize(2);
    try (PreparedStatement delete =
        one.prepareStatement("DELETE FROM item WHERE a > 0 RETURNING id")) {
      delete.setFetchSize(1);
      assertThat(delete.executeQuery().next()).isTrue();
      one.commit();
    }
    execute(admin, "INSERT INTO log VALUES (2, 2), (3, 3)");
    assertThat(rows(one, "SELECT id FROM log WHERE a > 0")).hasSize(3);
    try (Statement delete = one.createStatement()) {
      delete.setMaxRows(1);
      assertThat(delete.executeQuery("DELETE FROM log RETURNING id").next()).isTrue();
    }
    one.commit();
    assertThat(rows(one, "SELECT id FROM item WHERE a > 0")).isEmpty();
    assertThat(rows(one, "SELECT id FROM log WHERE a > 0")).isEmpty();
    one.commit();
    nothingIsWrong();
  }

  @Test
  void aTransactionThatCommitsWhileTheRecordingEndsIsMissing() throws Exception {
    Connection one = begin(Connection.TRANSACTION_SERIALIZABLE);
    Connection two = connect();
    String read = "SELECT id FROM item WHERE a > 0";
    assertThat(rows(two, read)).hasSize(2);
    update(one, "DELETE FROM item WHERE id = 1");
    SteppedDriver.afterCommit(
        () -> {
          try {
            assertThat(rows(two, read)).hasSize(1);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
          AssayDriver.finish();
        });
    one.commit();
    nothingIsWrong();
  }

  /** Here PostgreSQL is rightly accused: it looks for conflicts of rows that are there. */
  @Test
  void aRowThatIsInsertedAnewIsALostUpdateAtRepeatableRead() throws Exception {
    Connection one = begin(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("1");
    update(connect(), "DELETE FROM item WHERE id = 1");
    assertThat(update(one, "INSERT INTO item VALUES (1, 8)")).isOne();
    one.commit();
    assertThat(rows(one, "SELECT a FROM item WHERE id = 1")).containsExactly("8");
    one.commit();
    Report report = recorded();
    assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION))
        .as(Recordings.told(report))
        .isTrue();
    assertThat(Recordings.told(report)).contains("lost update");
  }
}
