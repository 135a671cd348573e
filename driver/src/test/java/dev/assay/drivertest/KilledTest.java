package dev.assay.drivertest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.driver.AssayDriver;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application had recorded when it was killed becomes a history. */
class KilledTest {
  @TempDir Path folder;

  /** An application in which two doctors leave at once, and that then ends without an end. */
  static final class Application {
    private Application() {}

    public static void main(String[] args) throws SQLException {
      String url = "jdbc:assay:h2:mem:killed;assay.version=version;assay.file=" + args[0];
      Connection one = DriverManager.getConnection(url, "sa", "");
      Connection two = DriverManager.getConnection(url, "sa", "");
      Recordings.execute(
          one,
          "CREATE TABLE doctors (id INT PRIMARY KEY, on_call BOOLEAN, version INT NOT NULL)",
          "INSERT INTO doctors VALUES (1, true, 0), (2, true, 0)");
      for (Connection connection : List.of(one, two)) {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
      }
      leave(one, 1);
      leave(two, 2);
      one.commit();
      two.commit();
      Runtime.getRuntime().halt(137);
    }

    private static void leave(Connection connection, int doctor) throws SQLException {
      if (Recordings.rows(connection, "SELECT id FROM doctors WHERE on_call = TRUE").size() > 1) {
        Recordings.update(
            connection,
            "UPDATE doctors SET on_call = FALSE, version = version + 1 WHERE id = ?",
            doctor);
      }
    }
  }

  /** An application that is killed when a doctor is gone for others and not for the driver. */
  static final class Deleting {
    private Deleting() {}

    public static void main(String[] args) throws SQLException {
      SteppedDriver.register();
      String url = "jdbc:assay:stepped:h2:mem:killed;assay.version=version;assay.file=" + args[0];
      Connection one = DriverManager.getConnection(url, "sa", "");
      Connection two = DriverManager.getConnection(url, "sa", "");
      Recordings.execute(
          one,
          "CREATE TABLE doctors (id INT PRIMARY KEY, on_call BOOLEAN, version INT NOT NULL)",
          "INSERT INTO doctors VALUES (1, true, 0), (2, true, 0)");
      String read = "SELECT id FROM doctors WHERE on_call = TRUE";
      assertThat(Recordings.rows(two, read)).hasSize(2);
      one.setAutoCommit(false);
      Recordings.update(one, "DELETE FROM doctors WHERE id = 1");
      SteppedDriver.afterCommit(
          () -> {
            try {
              assertThat(Recordings.rows(two, read)).hasSize(1);
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
            Runtime.getRuntime().halt(137);
          });
      one.commit();
    }
  }

  @Test
  void aDeletionThatIsMissingAccusesNobody() throws Exception {
    History history = Assay.read(AssayDriver.recover(killed(Deleting.class)));
    Report report = Recordings.checked(history);
    String told = Recordings.told(report);
    assertThat(report.violated(Level.STRICT_SERIALIZABLE)).as(told).isFalse();
    assertThat(report.violated(Level.READ_COMMITTED)).as(told).isFalse();
    assertThat(history.metadata().get("note.conditions.DOCTORS")).contains("may be missing");
  }

  private Path killed(Class<?> application) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                application.getName(),
                folder.resolve("history.jsonl").toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isEqualTo(137);
    return only(".part");
  }

  private Path only(String end) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(end)).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  @Test
  void theRecordingOfAKilledApplicationShowsTheWriteSkew() throws Exception {
    Path part = killed(Application.class);
    // The last line was being written.
    Files.writeString(part, "3\u0001\"OnCall.lea", StandardOpenOption.APPEND);

    assertThat(AssayDriver.isRecording(part)).isTrue();
    Path file = AssayDriver.recover(part);
    assertThat(file.getParent()).isEqualTo(folder);
    History history = Assay.read(file);
    assertThat(history.metadata().get("note.recovered")).contains("did not end");
    assertThat(history.metadata().get("isolation")).contains("serializable");
    Report report = Recordings.checked(history);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(Recordings.told(report)).contains("write skew", "KilledTest$Application.main");
  }

  @Test
  void aRecordingThatGoesOnIsNotTaken() throws Exception {
    String url = "jdbc:assay:h2:mem:alive;assay.version=version;assay.file=";
    try (Connection connection =
        DriverManager.getConnection(url + folder.resolve("history.jsonl"), "sa", "")) {
      Recordings.execute(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY, version INT)",
          "INSERT INTO t VALUES (1, 0)");
      Path part = only(".part");
      assertThat(AssayDriver.isRecording(part)).isTrue();
      assertThatThrownBy(() -> AssayDriver.recover(part))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is still recording");
    } finally {
      AssayDriver.finish();
    }
    Path other = Files.writeString(folder.resolve("other.part"), "something else");
    assertThat(AssayDriver.isRecording(other)).isFalse();
  }
}
