package dev.assay.drivertest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.driver.AssayDriver;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.TextRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What tests do with recordings. */
final class Recordings {
  private Recordings() {}

  /** Ends the recordings and reads one. */
  static History finished(Path file) throws Exception {
    AssayDriver.finish();
    return Assay.read(file);
  }

  /**
   * Where a recording goes that somebody has to look at if it is accused: to the build's folder, or
   * to the one that {@code assay.driver.kept} names.
   */
  static Path kept(String name) throws IOException {
    Path folder = Path.of(System.getProperty("assay.driver.kept", "target/accused"));
    Files.createDirectories(folder);
    return folder.resolve(name + ".jsonl").toAbsolutePath();
  }

  /** Fails with the name of a recording that violates a level; deletes one that violates none. */
  static void assertNotAccused(Report report, Path file, String what, List<Level> levels)
      throws Exception {
    String told = told(report);
    for (Level level : levels) {
      assertThat(report.violated(level))
          .as("%s%n%s%nviolates %s, and is kept in %s", what, told, level, file)
          .isFalse();
    }
    Files.delete(file);
  }

  static Report checked(History history) {
    return Assay.check(history, Level.surveyed(), Budget.of(Duration.ofSeconds(20)));
  }

  /** What the command line says. */
  static String told(Report report) throws Exception {
    CheckResult result =
        new CheckResult("history.jsonl", report, List.of(Level.SERIALIZABLE), true, 0, -1);
    StringBuilder text = new StringBuilder();
    new TextRenderer(TextRenderer.Options.brief(false, true), text).render(result);
    return text.toString();
  }

  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }

  static List<String> rows(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<String> all = new ArrayList<>();
        while (rows.next()) {
          StringBuilder row = new StringBuilder();
          for (int c = 1; c <= rows.getMetaData().getColumnCount(); c++) {
            row.append(c == 1 ? "" : " ").append(rows.getString(c));
          }
          all.add(row.toString());
        }
        return all;
      }
    }
  }

  static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
