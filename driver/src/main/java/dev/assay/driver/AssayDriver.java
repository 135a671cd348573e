package dev.assay.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * Records the transactions of an application: {@code jdbc:assay:postgresql://…} in place of {@code
 * jdbc:postgresql://…}. The history is complete when the program ends, or after {@link #finish}.
 */
public final class AssayDriver implements Driver {
  static {
    try {
      DriverManager.registerDriver(new AssayDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Completes all histories that are being recorded; connections still open record no more. */
  public static void finish() {
    Recording.finishAll();
  }

  /** Whether a file is what a program records until it ends; its name ends in {@code .part}. */
  public static boolean isRecording(Path file) {
    return Part.isPart(file);
  }

  /**
   * Makes a history of what a program had recorded when it was killed. Its last transactions may be
   * missing.
   *
   * @param part a file for which {@link #isRecording} is true
   * @return the history, beside the file
   * @throws IOException if it cannot be read, or the program still runs
   */
  public static Path recover(Path part) throws IOException {
    Optional<ProcessHandle> writer = Part.writer(part);
    if (writer.isPresent()) {
      throw new IOException(
          "process "
              + writer.get().pid()
              + " is still recording; it writes the history at its end");
    }
    Path history = part.resolveSibling(part.getFileName().toString().replaceAll("part$", "jsonl"));
    try {
      Notes notes = Part.notes(part);
      notes.metadata.put(
          "note.recovered", "the application did not end; its last transactions may be missing");
      notes.describe();
      new Finish(notes, part).write(history);
    } catch (RuntimeException e) {
      throw new IOException("a line is damaged: " + e.getMessage(), e);
    }
    return history;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url != null && url.startsWith(Settings.PREFIX);
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    Settings settings = Settings.of(url);
    Driver driver = DriverManager.getDriver(settings.url());
    Connection connection = driver.connect(settings.url(), info);
    if (connection == null) {
      throw new SQLException("no driver is there for " + settings.url());
    }
    try {
      return Recorded.connection(connection, Recording.of(settings));
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    String behind = Settings.of(url).url();
    return DriverManager.getDriver(behind).getPropertyInfo(behind, info);
  }

  @Override
  public int getMajorVersion() {
    return 0;
  }

  @Override
  public int getMinorVersion() {
    return 1;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("nothing is logged");
  }
}
