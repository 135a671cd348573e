package dev.assay.drivertest;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random programs see the same with and without the recording driver; and since each has one
 * connection, what is recorded of it violates nothing.
 */
class SameAnswersTest {
  private static final int FIRST = Integer.getInteger("assay.driver.seed", 1);
  private static final int SEEDS = Integer.getInteger("assay.driver.seeds", 10);
  private static final int STEPS = 60;

  @TempDir Path folder;

  @Test
  void onPostgres() throws Exception {
    Drivers drivers = new Drivers(folder.resolve("kept"), remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    try (Connector server = Connector.open(target, drivers, 10)) {
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        Path file = folder.resolve("pg" + seed + ".jsonl");
        for (String name : List.of("plain", "recorded")) {
          try (Connection admin = DriverManager.getConnection(server.url(), server.user(), null)) {
            Recordings.execute(admin, "DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name);
          }
        }
        String url = server.url();
        String plain = url.replaceFirst("(//[^/]*/)[^?]*", "$1plain");
        String recorded = url.replaceFirst("(//[^/]*/)[^?]*", "$1recorded");
        create(plain, server.user(), "");
        create(recorded, server.user(), "");
        compare(
            seed,
            true,
            () -> DriverManager.getConnection(plain, server.user(), null),
            () ->
                DriverManager.getConnection(
                    recorded.replace("jdbc:", "jdbc:assay:")
                        + (url.contains("?") ? "&" : "?")
                        + "assay.file="
                        + file,
                    server.user(),
                    null),
            file);
      }
    }
  }

  @Test
  void onH2() throws Exception {
    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Path file = folder.resolve("h2" + seed + ".jsonl");
      String plain = "jdbc:h2:mem:plain" + seed + ";DB_CLOSE_DELAY=-1";
      String recorded = "jdbc:h2:mem:recorded" + seed + ";DB_CLOSE_DELAY=-1";
      create(plain, "sa", ", version INT DEFAULT 0 NOT NULL");
      create(recorded, "sa", ", version INT DEFAULT 0 NOT NULL");
      compare(
          seed,
          false,
          () -> DriverManager.getConnection(plain, "sa", ""),
          () ->
              DriverManager.getConnection(
                  recorded.replace("jdbc:", "jdbc:assay:")
                      + ";assay.version=version;assay.file="
                      + file,
                  "sa",
                  ""),
          file);
      for (String url : List.of(plain, recorded)) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
          Recordings.execute(connection, "SHUTDOWN");
        }
      }
    }
  }

  private interface Opener {
    Connection open() throws SQLException;
  }

  private static void create(String url, String user, String version) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, "")) {
      for (String sql : RandomSql.SCHEMA) {
        Recordings.execute(connection, sql.replace("VERSION", version));
      }
    }
  }

  private static void compare(int seed, boolean postgres, Opener plain, Opener recorded, Path file)
      throws Exception {
    List<String> expected;
    List<String> actual;
    try (Connection connection = plain.open()) {
      expected = new RandomApplication(connection, seed, postgres).run(STEPS);
    }
    try (Connection connection = recorded.open()) {
      actual = new RandomApplication(connection, seed, postgres).run(STEPS);
    } finally {
      AssayDriver.finish();
    }
    int faulty = expected.indexOf(RandomApplication.FAULT);
    if (faulty >= 0) {
      expected = expected.subList(0, faulty);
      actual = actual.subList(0, Math.min(faulty, actual.size()));
    }
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertThat(actual.get(i))
          .as("seed %d after %s", seed, expected.subList(Math.max(0, i - 8), i))
          .isEqualTo(expected.get(i));
    }
    assertThat(actual).hasSameSizeAs(expected);
    Report report = Recordings.checked(Recordings.finished(file));
    for (Level level : List.of(Level.STRICT_SERIALIZABLE, Level.READ_COMMITTED)) {
      assertThat(report.violated(level))
          .as(() -> "seed " + seed + " " + level + "\n" + told(report))
          .isFalse();
    }
  }

  private static String told(Report report) {
    try {
      return Recordings.told(report);
    } catch (Exception e) {
      return e.toString();
    }
  }
}
