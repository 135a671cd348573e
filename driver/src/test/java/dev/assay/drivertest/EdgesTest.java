package dev.assay.drivertest;

import static dev.assay.drivertest.Recordings.execute;
import static dev.assay.drivertest.Recordings.rows;
import static dev.assay.drivertest.Recordings.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDriver;
import dev.assay.history.History;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What applications do on PostgreSQL that a driver in between must not break or misjudge. */
class EdgesTest {
  @TempDir static Path kept;
  private static Connector server;

  @TempDir Path folder;
  private Connection admin;

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
        "DROP SCHEMA IF EXISTS other CASCADE",
        "DROP TABLE IF EXISTS item, log, secret, child, parent CASCADE",
        "CREATE TABLE item (id INT PRIMARY KEY, a INT)",
        "INSERT INTO item VALUES (1, 1), (2, 2)");
  }

  @AfterEach
  void end() throws SQLException {
    AssayDriver.finish();
    admin.close();
  }

  private Connection connect() throws SQLException {
    String url = server.url();
    String more = (url.contains("?") ? "&" : "?") + "assay.file=" + folder.resolve("h.jsonl");
    return DriverManager.getConnection(
        url.replace("jdbc:", "jdbc:assay:") + more, server.user(), null);
  }

  private History history() throws Exception {
    return Recordings.finished(folder.resolve("h.jsonl"));
  }

  private static List<String> unseen(History history) {
    return history.metadata().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("unseen."))
        .map(java.util.Map.Entry::getValue)
        .toList();
  }

  @Test
  void aStatementIsPreparedWithoutATransaction() throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement("SELECT a FROM item")) {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setReadOnly(true);
        assertThat(statement.executeQuery().next()).isTrue();
      }
      connection.rollback();
    }
  }

  @Test
  void workOfTheDriverBehindIsNotRolledBack() throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      Connection behind = connection.unwrap(org.postgresql.jdbc.PgConnection.class);
      connection.commit();
      execute(behind, "INSERT INTO item VALUES (3, 3)");
      // The first statement on a table, for which the catalogue is asked.
      assertThat(rows(connection, "SELECT id FROM item")).hasSize(3);
      connection.commit();
    }
    assertThat(rows(admin, "SELECT id FROM item")).hasSize(3);
  }

  @Test
  void aTableThatMayOnlyBeWrittenIsWritten() throws Exception {
    execute(
        admin,
        "DROP ROLE IF EXISTS clerk",
        "CREATE ROLE clerk",
        "CREATE TABLE log (id INT PRIMARY KEY, a INT)",
        "CREATE TABLE secret (id INT PRIMARY KEY, a INT)",
        "ALTER TABLE secret ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY put ON secret FOR INSERT WITH CHECK (true)",
        "GRANT INSERT ON log, secret TO clerk",
        "GRANT SELECT ON secret TO clerk");
    try (Connection connection = connect()) {
      execute(connection, "SET ROLE clerk");
      assertThat(update(connection, "INSERT INTO log VALUES (?, 5)", 1)).isOne();
      assertThat(update(connection, "INSERT INTO secret VALUES (?, 5)", 1)).isOne();
      execute(connection, "RESET ROLE");
      assertThat(rows(connection, "SELECT a FROM log")).containsExactly("5");
    }
    assertThat(unseen(history()))
        .anyMatch(text -> text.contains("log is not for this user to read as a whole"))
        .anyMatch(text -> text.contains("secret has policies for its rows"));
    execute(admin, "DROP OWNED BY clerk", "DROP ROLE clerk");
  }

  @Test
  void rowsOfTablesThatInheritAreNotMistakenForEachOther() throws Exception {
    execute(
        admin,
        "CREATE TABLE parent (id INT PRIMARY KEY, a INT)",
        "CREATE TABLE child () INHERITS (parent)",
        "INSERT INTO parent VALUES (1, 1)",
        "INSERT INTO child VALUES (1, 2)");
    try (Connection connection = connect()) {
      assertThat(rows(connection, "SELECT a FROM parent WHERE id = 1")).hasSize(2);
    }
    assertThat(unseen(history())).anyMatch(text -> text.contains("has tables that inherit"));
  }

  @Test
  void aFunctionThatWritesIsSaidToBeUnseen() throws Exception {
    execute(
        admin,
        "CREATE OR REPLACE FUNCTION transfer(n INT) RETURNS INT LANGUAGE plpgsql AS"
            + " 'BEGIN UPDATE item SET a = a + n; RETURN n; END'");
    try (Connection connection = connect()) {
      assertThat(rows(connection, "SELECT id FROM item WHERE a > 0 ORDER BY id")).hasSize(2);
      assertThat(rows(connection, "SELECT transfer(3)")).containsExactly("3");
      assertThat(rows(connection, "SELECT * FROM transfer(4)")).containsExactly("4");
      assertThat(rows(connection, "SELECT now() IS NULL, pg_backend_pid() IS NULL")).hasSize(1);
      assertThat(rows(connection, "SELECT EXISTS (SELECT 1 FROM item)")).containsExactly("t");
    }
    History history = history();
    assertThat(unseen(history))
        .hasSize(3)
        .anyMatch(text -> text.contains("SELECT transfer(3) · calls transfer"))
        .anyMatch(text -> text.contains("FROM transfer(4) · calls transfer"))
        .anyMatch(text -> text.contains("EXISTS"));
    assertThat(history.metadata()).containsKey("note.conditions.item");
  }

  @Test
  void aMistakeOfTheApplicationDoesNotAbortItsTransaction() throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      update(connection, "UPDATE item SET a = 7 WHERE id = 1");
      assertThatThrownBy(() -> update(connection, "UPDATE item SET a = ? WHERE id = 2"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("parameter 1");
      connection.commit();
      assertThat(rows(connection, "SELECT a FROM item WHERE id = 1")).containsExactly("7");
      connection.commit();
    }
    assertThat(Recordings.checked(history()).violated(dev.assay.level.Level.READ_COMMITTED))
        .isFalse();
  }

  @Test
  void aTransactionWithinOneStatementEndsWithIt() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN; UPDATE item SET a = 3; COMMIT");
      statement.execute("UPDATE item SET a = 4 WHERE id = 1");
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
      statement.execute("UPDATE item SET a = 5 WHERE id = 1");
      statement.execute("ROLLBACK");
      statement.execute("UPDATE item SET a = 6 WHERE id = 1");
    }
    History history = history();
    assertThat(unseen(history)).singleElement().asString().contains("several statements");
    assertThat(history.metadata().get("isolation")).contains("repeatable read");
    assertThat(history.transactionCount()).isEqualTo(3);
  }

  @Test
  void theSchemaOfASearchPathCounts() throws Exception {
    execute(
        admin,
        "CREATE SCHEMA other",
        "CREATE TABLE other.item (code TEXT PRIMARY KEY)",
        "INSERT INTO other.item VALUES ('x')");
    try (Connection connection = connect()) {
      String all = "SELECT * FROM item ORDER BY 1";
      assertThat(rows(connection, all)).hasSize(2);
      execute(connection, "SET search_path = other");
      assertThat(rows(connection, all)).containsExactly("x");
      connection.setAutoCommit(false);
      execute(connection, "SET search_path = public");
      assertThat(rows(connection, all)).hasSize(2);
      connection.rollback();
      assertThat(rows(connection, all)).containsExactly("x");
      execute(connection, "CREATE TEMP TABLE item (z INT)", "INSERT INTO item VALUES (9)");
      assertThat(rows(connection, all)).containsExactly("9");
      connection.rollback();
      assertThat(rows(connection, all)).containsExactly("x");
    }
    assertThat(history().keys().count()).as("the rows of both tables").isEqualTo(3);
  }

  @Test
  void longStatementsPass() throws Exception {
    String many =
        IntStream.range(0, 3_000).mapToObj(i -> "id = " + i).collect(Collectors.joining(" OR "));
    String more =
        IntStream.range(0, 20_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
    try (Connection connection = connect()) {
      assertThat(rows(connection, "SELECT id FROM item WHERE " + many)).hasSize(2);
      assertThat(rows(connection, "SELECT id FROM item WHERE id IN (" + more + ")")).hasSize(2);
    }
    assertThat(unseen(history())).anyMatch(text -> text.contains("too long"));
  }

  @Test
  void aTextWithControlCharactersIsNotMistakenForRows() throws Exception {
    execute(admin, "ALTER TABLE item ADD COLUMN c TEXT", "UPDATE item SET c = chr(1) || chr(3)");
    try (Connection connection = connect()) {
      assertThat(rows(connection, "SELECT count(*) FROM item")).containsExactly("2");
    }
    assertThat(unseen(history())).anyMatch(text -> text.contains("control characters"));
  }

  @Test
  void keysWithCommasAreToldApart() throws Exception {
    execute(
        admin,
        "CREATE TABLE log (a TEXT, b TEXT, PRIMARY KEY (a, b))",
        "INSERT INTO log VALUES ('x,y', 'z'), ('x', 'y,z')");
    try (Connection connection = connect()) {
      assertThat(rows(connection, "SELECT * FROM log")).hasSize(2);
    }
    assertThat(history().keys().count()).isEqualTo(2);
  }

  @Test
  void rowsPassedOverAreNotMissing() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement(1004, 1007)) {
      var rows = statement.executeQuery("SELECT id FROM item WHERE a > 0 ORDER BY id");
      assertThat(rows.last()).isTrue();
      assertThat(rows.next()).isFalse();
      rows.close();
    }
    assertThat(history().uses(dev.assay.history.OpKind.Type.PREDICATE)).isFalse();
  }
}
