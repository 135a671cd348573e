package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.Versions;
import dev.assay.level.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** DuckDB, in this process and in memory. It has one isolation level, a snapshot. */
final class DuckDb implements Database {
  private static final AtomicInteger STARTED = new AtomicInteger();

  @Override
  public String id() {
    return "duckdb";
  }

  @Override
  public String title() {
    return "DuckDB";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:duckdb:");
  }

  @Override
  public String driverClass() {
    return "org.duckdb.DuckDBDriver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return List.of("org.duckdb:duckdb_jdbc:" + Versions.of("duckdb", version));
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return List.of(JdbcIsolation.only("snapshot", Level.SNAPSHOT_ISOLATION));
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.ON_CONFLICT, "VARCHAR", false);
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Server start(Setup setup) {
    // Without a name each connection would have its own database.
    String name = "assay" + STARTED.incrementAndGet();
    return Server.at("jdbc:duckdb::memory:" + name + setup.joined(";", "="), () -> {});
  }

  /**
   * DuckDB gives no codes: the message begins with the class of the error. A commit that fails
   * gives the reason in its message; where that is the disk, the log may have it all the same.
   */
  @Override
  public Failure classify(SQLException e) {
    String message = e.getMessage() == null ? "" : e.getMessage();
    if (message.contains("IO Error") || message.contains("FATAL Error")) {
      return Failure.LOST;
    }
    if (message.contains("TransactionContext Error") || message.contains("Constraint Error")) {
      return Failure.REFUSED;
    }
    if (message.contains("Parser Error") || message.contains("Catalog Error")) {
      return Failure.WRONG;
    }
    return Failures.byState(e);
  }
}
