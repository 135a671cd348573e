package dev.assay.drivertest;

import static dev.assay.drivertest.Recordings.execute;
import static dev.assay.drivertest.Recordings.rows;
import static dev.assay.drivertest.Recordings.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Report;
import dev.assay.driver.AssayDriver;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications on H2, whose rows have a version column as JPA keeps it. */
class H2Test {
  @TempDir Path folder;
  private Path file;
  private Connection one;
  private Connection two;

  @BeforeEach
  void open() throws Exception {
    file = folder.resolve("history.jsonl");
    one = connect();
    two = connect();
    execute(
        one,
        "CREATE TABLE doctors (id INT PRIMARY KEY, on_call BOOLEAN, version INT NOT NULL)",
        "INSERT INTO doctors VALUES (1, true, 0), (2, true, 0)");
    for (Connection connection : List.of(one, two)) {
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      connection.setAutoCommit(false);
    }
  }

  private Connection connect() throws SQLException {
    String url = "jdbc:assay:h2:mem:driver;assay.version=version;assay.file=" + file;
    return DriverManager.getConnection(url, "sa", "");
  }

  @AfterEach
  void close() throws Exception {
    one.rollback();
    execute(one, "DROP ALL OBJECTS");
    one.close();
    two.close();
    AssayDriver.finish();
  }

  private static void leave(Connection connection, int doctor) throws SQLException {
    if (rows(connection, "SELECT id FROM doctors WHERE on_call = TRUE").size() > 1) {
      update(
          connection,
          "UPDATE doctors SET on_call = FALSE, version = version + 1 WHERE id = ?",
          doctor);
    }
  }

  @Test
  void writeSkewAtSerializableIsFound() throws Exception {
    leave(one, 1);
    leave(two, 2);
    one.commit();
    two.commit();
    Report report = Recordings.checked(Recordings.finished(file));
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(Recordings.told(report)).contains("write skew", "H2Test");
  }

  @Test
  void aRowThatWasDeletedByItsKeyIsAVersion() throws Exception {
    assertThat(rows(one, "SELECT id, version FROM doctors WHERE id = 2")).containsExactly("2 0");
    assertThat(rows(two, "SELECT id FROM doctors WHERE id = ?", 1)).containsExactly("1");
    update(two, "DELETE FROM doctors WHERE id = ?", 2);
    update(one, "DELETE FROM doctors WHERE id = 1");
    one.commit();
    two.commit();
    Report report = Recordings.checked(Recordings.finished(file));
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void aTableWithoutTheVersionColumnIsNotSeen() throws Exception {
    execute(one, "CREATE TABLE log (id INT PRIMARY KEY, text VARCHAR)");
    update(one, "INSERT INTO log VALUES (1, 'x')");
    one.commit();
    History history = Recordings.finished(file);
    assertThat(history.metadata().get("unseen.1")).contains("log has no column version");
  }

  @Test
  void aNumberThatIsGivenAgainIsNotTheSameVersion() throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:h2:mem:driver", "sa", "")) {
      execute(other, "INSERT INTO doctors VALUES (3, TRUE, 0)");
    }
    assertThat(rows(one, "SELECT version FROM doctors WHERE id = 3")).containsExactly("0");
    one.commit();
    // Not seen, because it names no key.
    update(one, "DELETE FROM doctors WHERE on_call = TRUE");
    one.commit();
    update(one, "INSERT INTO doctors VALUES (3, TRUE, 0)");
    one.commit();
    Report report = Recordings.checked(Recordings.finished(file));
    assertThat(report.violated(Level.READ_COMMITTED)).isFalse();
    assertThat(report.violated(Level.STRICT_SERIALIZABLE)).isFalse();
  }

  @Test
  void aRowInThePlaceOfOneThatWasDeletedUnseenIsNotItsOldVersion() throws Exception {
    assertThat(rows(one, "SELECT version FROM doctors WHERE id = 1")).containsExactly("0");
    update(one, "UPDATE doctors SET on_call = FALSE, version = version + 1 WHERE id = 1");
    one.commit();
    // Neither is seen.
    update(one, "DELETE FROM doctors WHERE on_call = FALSE");
    update(one, "MERGE INTO doctors KEY (id) VALUES (1, TRUE, 0)");
    one.commit();
    assertThat(rows(one, "SELECT version FROM doctors WHERE id = 1")).containsExactly("0");
    one.commit();
    assertNothingIsWrong();
  }

  @Test
  void aRowInThePlaceOfOneThatWentWithItsParentIsNotItsOldVersion() throws Exception {
    execute(
        one,
        "CREATE TABLE shifts (id INT PRIMARY KEY, doctor INT REFERENCES doctors ON DELETE CASCADE,"
            + " version INT NOT NULL)");
    try (Connection other = DriverManager.getConnection("jdbc:h2:mem:driver", "sa", "")) {
      execute(other, "INSERT INTO shifts VALUES (7, 1, 0)");
    }
    assertThat(rows(one, "SELECT version FROM shifts WHERE id = 7")).containsExactly("0");
    update(one, "UPDATE shifts SET doctor = 1, version = 1 WHERE id = 7");
    one.commit();
    update(one, "DELETE FROM doctors WHERE id = 1");
    update(one, "INSERT INTO shifts VALUES (7, 2, 0)");
    one.commit();
    assertThat(rows(one, "SELECT version FROM shifts WHERE id = 7")).containsExactly("0");
    one.commit();
    assertNothingIsWrong();
  }

  private void assertNothingIsWrong() throws Exception {
    Report report = Recordings.checked(Recordings.finished(file));
    String told = Recordings.told(report);
    assertThat(report.violated(Level.READ_COMMITTED)).as(told).isFalse();
    assertThat(report.violated(Level.STRICT_SERIALIZABLE)).as(told).isFalse();
  }

  @Test
  void unknownOptionsOfTheUrlAreRefused() {
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:assay:h2:mem:x;assay.files=y"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("assay.files in the URL is not an option")
        .hasMessageContaining("assay.file,");
  }
}
