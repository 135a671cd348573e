package dev.assay.drivertest;

import static dev.assay.drivertest.Recordings.execute;
import static dev.assay.drivertest.Recordings.rows;
import static dev.assay.drivertest.Recordings.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.assay.Report;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDataSource;
import dev.assay.driver.AssayDriver;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import example.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications on PostgreSQL, whose rows name their writers. */
class PostgresTest {
  @TempDir static Path kept;
  private static Connector server;
  @TempDir Path folder;
  private Path file;
  private Connection one;
  private Connection two;

  @BeforeAll
  static void start() throws Exception {
    Drivers drivers = new Drivers(kept, remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    server = Connector.open(target, drivers, 10);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void open() throws Exception {
    file = folder.resolve("history.jsonl");
    try (Connection plain = DriverManager.getConnection(server.url(), server.user(), null)) {
      execute(
          plain,
          "DROP SCHEMA IF EXISTS app CASCADE",
          "CREATE SCHEMA app",
          "SET search_path TO app",
          "CREATE TABLE doctors (id INT PRIMARY KEY, name TEXT, on_call BOOLEAN)",
          "CREATE TABLE bookings (id SERIAL PRIMARY KEY, room INT, guest TEXT)",
          "INSERT INTO doctors VALUES (1, 'Ann', true), (2, 'Bob', true)");
    }
    one = connect();
    two = connect();
  }

  @AfterEach
  void close() throws Exception {
    one.close();
    two.close();
    AssayDriver.finish();
  }

  private String url() {
    String url = server.url().replace("jdbc:", "jdbc:assay:");
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=app&assay.file=" + file;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), server.user(), null);
  }

  private void begin(int isolation) throws SQLException {
    for (Connection connection : List.of(one, two)) {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
    }
  }

  private Report recorded() throws Exception {
    return Recordings.checked(Recordings.finished(file));
  }

  private static List<String> leave(Connection connection, int doctor) throws SQLException {
    List<String> names = rows(connection, "SELECT name FROM doctors WHERE on_call ORDER BY id");
    if (names.size() > 1) {
      update(connection, "UPDATE doctors SET on_call = false WHERE id = ?", doctor);
    }
    return names;
  }

  @Test
  void writeSkewNamesTheMethods() throws Exception {
    begin(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(leave(one, 1)).containsExactly("Ann", "Bob");
    assertThat(leave(two, 2)).containsExactly("Ann", "Bob");
    one.commit();
    two.commit();
    Report report = recorded();
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(Recordings.told(report))
        .contains("write skew", "writeSkewNamesTheMethods#1 and writeSkewNamesTheMethods#2")
        .contains("at dev.assay.drivertest.Recordings.rows(Recordings.java:")
        .contains("dev.assay.drivertest.PostgresTest.writeSkewNamesTheMethods(PostgresTest");
    assertThat(report.history().metadata()).containsEntry("isolation", "repeatable read");
  }

  @Test
  void thePromiseOfSerializableIsKept() throws Exception {
    begin(Connection.TRANSACTION_SERIALIZABLE);
    leave(one, 1);
    leave(two, 2);
    one.commit();
    assertThatThrownBy(two::commit)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    Report report = recorded();
    assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
    History history = report.history();
    assertThat(history.outcome(history.transactionCount() - 1)).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void aLostUpdateAtReadCommittedIsFound() throws Exception {
    begin(Connection.TRANSACTION_READ_COMMITTED);
    String read = "SELECT * FROM doctors WHERE id = ?";
    assertThat(rows(one, read, 1)).containsExactly("1 Ann t");
    assertThat(rows(two, read, 1)).containsExactly("1 Ann t");
    update(one, "UPDATE doctors SET name = ? WHERE id = ?", "Anna", 1);
    one.commit();
    update(two, "UPDATE doctors SET name = ? WHERE id = ?", "Anne", 1);
    two.commit();
    Report report = recorded();
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(Recordings.told(report)).contains("lost update");
  }

  @Test
  void twoBookingsOfOneRoomAreAPhantom() throws Exception {
    begin(Connection.TRANSACTION_REPEATABLE_READ);
    String free = "SELECT id FROM bookings WHERE room = ?";
    assertThat(rows(one, free, 7)).isEmpty();
    assertThat(rows(two, free, 7)).isEmpty();
    update(one, "INSERT INTO bookings (room, guest) VALUES (?, 'x')", 7);
    update(two, "INSERT INTO bookings (room, guest) VALUES (?, 'y')", 7);
    one.commit();
    two.commit();
    Report report = recorded();
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.history().uses(OpKind.Type.PREDICATE)).isTrue();
  }

  @Test
  void bookingsOfDifferentRoomsAreNot() throws Exception {
    begin(Connection.TRANSACTION_REPEATABLE_READ);
    String free = "SELECT count(*) FROM bookings WHERE room = ?";
    assertThat(rows(one, free, 7)).containsExactly("0");
    assertThat(rows(two, free, 8)).containsExactly("0");
    update(one, "INSERT INTO bookings (room, guest) VALUES (?, 'x')", 7);
    update(two, "INSERT INTO bookings (room, guest) VALUES (?, 'y')", 8);
    one.commit();
    two.commit();
    assertThat(recorded().holds(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void whatWasRolledBackToASavepointWasNotWritten() throws Exception {
    begin(Connection.TRANSACTION_REPEATABLE_READ);
    update(one, "UPDATE doctors SET name = 'A' WHERE id = 1");
    Savepoint savepoint = one.setSavepoint();
    update(one, "UPDATE doctors SET name = 'B' WHERE id = 2");
    assertThatThrownBy(() -> update(one, "INSERT INTO doctors (id) VALUES (1)"))
        .isInstanceOf(SQLException.class);
    one.rollback(savepoint);
    execute(one, "SAVEPOINT again");
    update(one, "DELETE FROM doctors WHERE id = 2");
    execute(one, "ROLLBACK TO SAVEPOINT again");
    one.commit();
    assertThat(rows(two, "SELECT name FROM doctors ORDER BY id")).containsExactly("A", "Bob");
    two.commit();
    Report report = recorded();
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
    History history = report.history();
    int txn = 1;
    assertThat(history.label(txn)).endsWith("WasNotWritten#1");
    assertThat(history.outcome(txn)).isEqualTo(Outcome.COMMITTED);
    assertThat(history.endOp(txn) - history.firstOp(txn)).isEqualTo(1);
  }

  @Test
  void statementsThatAreNotSeenAreNamedAndTheirRowsFound() throws Exception {
    execute(
        one,
        "CREATE FUNCTION rename() RETURNS void LANGUAGE sql AS"
            + " $$ UPDATE app.doctors SET name = 'F' WHERE id = 1 $$");
    begin(Connection.TRANSACTION_READ_COMMITTED);
    execute(one, "WITH x AS (SELECT 2 AS id) UPDATE doctors SET name = 'W' FROM x WHERE x.id = 1");
    try (var call = one.prepareCall("{call rename()}")) {
      call.execute();
    }
    one.commit();
    assertThat(rows(two, "SELECT name FROM doctors WHERE id = 1")).containsExactly("F");
    two.commit();
    Report report = recorded();
    History history = report.history();
    assertThat(history.metadata().get("note.unseen")).contains("2 executions");
    assertThat(history.metadata().get("unseen.1")).contains("WITH x AS", "Recordings.execute");
    assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
    // The row that the function wrote is a write of the transaction that called it.
    assertThat(history.transactionCount()).isEqualTo(2);
    assertThat(history.kind(history.firstOp(0))).isEqualTo(OpKind.WRITE);
  }

  @Test
  void changesByOtherProgramsViolateNothing() throws Exception {
    assertThat(rows(one, "SELECT id FROM doctors WHERE on_call")).hasSize(2);
    try (Connection plain = DriverManager.getConnection(server.url(), server.user(), null)) {
      execute(plain, "UPDATE app.doctors SET on_call = false WHERE id = 1");
      execute(plain, "DELETE FROM app.doctors WHERE id = 2");
    }
    assertThat(rows(one, "SELECT id FROM doctors WHERE on_call")).isEmpty();
    assertThat(rows(one, "SELECT on_call FROM doctors WHERE id = 1")).containsExactly("f");
    assertThat(rows(one, "SELECT on_call FROM doctors WHERE id = 2")).isEmpty();
    Report report = recorded();
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(report.history().metadata().get("note.conditions.doctors"))
        .contains("another program changed it");
  }

  @Test
  void generatedKeysComeInBatchesAndLate() throws Exception {
    one.setAutoCommit(false);
    String sql = "INSERT INTO bookings (room) VALUES (?)";
    try (PreparedStatement insert = one.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
      for (int room = 1; room <= 3; room++) {
        insert.setInt(1, room);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
      one.commit();
      // The application reads them when the transaction is over.
      try (ResultSet keys = insert.getGeneratedKeys()) {
        assertThat(keys.getMetaData().getColumnCount()).isEqualTo(3);
        assertThat(keys.next()).isTrue();
        assertThat(keys.getInt("id")).isEqualTo(1);
        assertThat(keys.getInt(2)).isEqualTo(1);
        assertThat(keys.next()).isTrue();
      }
    }
    History history = Recordings.finished(file);
    assertThat(history.transactionCount()).isEqualTo(1);
    assertThat(history.endOp(0)).isEqualTo(3);
  }

  @Test
  void hiddenColumnsStayHiddenWhenTheRecordingIsOver() throws Exception {
    try (PreparedStatement read = one.prepareStatement("SELECT * FROM doctors WHERE id = 1");
        PreparedStatement write = one.prepareStatement("UPDATE doctors SET name = 'x'")) {
      AssayDriver.finish();
      try (ResultSet rows = read.executeQuery()) {
        assertThat(rows.getMetaData().getColumnCount()).isEqualTo(3);
      }
      write.addBatch();
      assertThat(write.executeBatch()).containsExactly(2);
      assertThat(write.getGeneratedKeys().getMetaData().getColumnCount()).isZero();
    }
    assertThat(rows(one, "SELECT name FROM doctors WHERE id = 1")).containsExactly("x");
  }

  @Test
  void distributedTransactionsAreRefused() throws Exception {
    one.setAutoCommit(false);
    assertThatThrownBy(() -> execute(one, "PREPARE TRANSACTION 'x'"))
        .isInstanceOf(SQLFeatureNotSupportedException.class)
        .hasMessageContaining("no distributed transactions");
    assertThatThrownBy(() -> new AssayDataSource().getXAConnection())
        .isInstanceOf(SQLFeatureNotSupportedException.class);
  }

  @Test
  void theSampleShowsTheDoctors() throws Exception {
    AssayDataSource source = new AssayDataSource();
    source.setUrl(url());
    source.setUser(server.user());
    try (Connection connection = source.getConnection()) {
      execute(connection, "DROP TABLE doctors");
    }
    showTheDoctors(source);
  }

  /** What the pool does on its own (validation, resetting connections) must not disturb. */
  @Test
  void theSampleShowsTheDoctorsThroughAPool() throws Exception {
    execute(one, "DROP TABLE doctors");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername(server.user());
    config.setMaximumPoolSize(3);
    config.setConnectionTestQuery("SELECT 1");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      }
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(connection.isReadOnly()).isFalse();
        assertThat(connection.getTransactionIsolation())
            .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      }
      showTheDoctors(pool);
    }
  }

  private void showTheDoctors(DataSource source) throws Exception {
    Sample.prepare(source);
    Sample.work(source, 5);
    Report report = recorded();
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(Recordings.told(report))
        .contains("OnCall.leave#", "at example.OnCall.countOnCall(OnCall.java:")
        .doesNotContain("hikari");
    assertThat(Files.list(folder).toList()).containsExactly(file);
  }
}
