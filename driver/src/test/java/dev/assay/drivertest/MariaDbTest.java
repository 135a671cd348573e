package dev.assay.drivertest;

import static dev.assay.drivertest.Recordings.execute;
import static dev.assay.drivertest.Recordings.rows;
import static dev.assay.drivertest.Recordings.update;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application on MariaDB, whose rows have a version column; the server is fetched and large. */
@Tag("extended")
class MariaDbTest {
  @TempDir Path folder;

  @Test
  void writeSkewAtRepeatableReadIsFound() throws Exception {
    Path file = folder.resolve("history.jsonl");
    Drivers drivers = new Drivers(folder.resolve("kept"), remark -> {});
    Target target = Target.embedded(Databases.byId("mariadb").orElseThrow(), null);
    try (Connector server = Connector.open(target, drivers, 10)) {
      String url = server.url().replace("jdbc:", "jdbc:assay:");
      url += (url.contains("?") ? "&" : "?") + "sslMode=disable";
      url += "&assay.version=version&assay.file=" + file;
      try (Connection one = DriverManager.getConnection(url, server.user(), null);
          Connection two = DriverManager.getConnection(url, server.user(), null)) {
        execute(
            one,
            "CREATE TABLE doctors (id INT PRIMARY KEY, on_call BOOLEAN, version INT NOT NULL)",
            "INSERT INTO doctors VALUES (1, true, 0), (2, true, 0)");
        for (Connection connection : List.of(one, two)) {
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          connection.setAutoCommit(false);
        }
        leave(one, 1);
        leave(two, 2);
        one.commit();
        two.commit();
      }
      Report report = Recordings.checked(Recordings.finished(file));
      assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
      assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
      assertThat(Recordings.told(report)).contains("write skew", "MariaDbTest");
    } finally {
      AssayDriver.finish();
    }
  }

  private static void leave(Connection connection, int doctor) throws SQLException {
    if (rows(connection, "SELECT id FROM doctors WHERE on_call = TRUE").size() > 1) {
      update(
          connection,
          "UPDATE doctors SET on_call = FALSE, version = version + 1 WHERE id = ?",
          doctor);
    }
  }
}
