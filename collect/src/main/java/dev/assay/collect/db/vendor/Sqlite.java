package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Versions;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** SQLite, in this process, on a file in write-ahead mode. */
final class Sqlite implements Database {
  private static final int PRIMARY_CODE = 0xff;
  private static final int GENERIC = 1;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int CONSTRAINT = 19;

  @Override
  public String id() {
    return "sqlite";
  }

  @Override
  public String title() {
    return "SQLite";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:sqlite:");
  }

  @Override
  public String driverClass() {
    return "org.sqlite.JDBC";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return List.of("org.xerial:sqlite-jdbc:" + Versions.of("sqlite", version));
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return List.of(JdbcIsolation.SERIALIZABLE);
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.ON_CONFLICT, "TEXT", false);
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Server start(Setup setup) throws IOException {
    TemporaryFolder folder = TemporaryFolder.create("assay-sqlite");
    String options = setup.joined("&", "=").replaceFirst("&", "?");
    return Server.at("jdbc:sqlite:" + folder.path().resolve("db") + options, folder::close);
  }

  @Override
  public Properties connectionProperties() {
    Properties properties = new Properties();
    properties.setProperty("journal_mode", "WAL");
    properties.setProperty("synchronous", "NORMAL");
    properties.setProperty("busy_timeout", "1000");
    return properties;
  }

  @Override
  public Failure classify(SQLException e) {
    return switch (e.getErrorCode() & PRIMARY_CODE) {
      case BUSY, LOCKED, CONSTRAINT -> Failure.REFUSED;
      case GENERIC -> Failure.WRONG;
      default -> Failures.byState(e);
    };
  }

  /**
   * When it has committed, the driver begins the next transaction. With {@code transaction_mode}
   * other than deferred that may meet a lock, and the error does not say which of the two did.
   */
  @Override
  public Failure classifyCommit(SQLException e) {
    return switch (e.getErrorCode() & PRIMARY_CODE) {
      case BUSY, LOCKED -> Failure.LOST;
      default -> classify(e);
    };
  }
}
