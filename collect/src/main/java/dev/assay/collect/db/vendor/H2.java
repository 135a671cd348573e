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

/** H2, in this process and in memory. The default: its driver is part of Assay. */
final class H2 implements Database {
  private static final int LOCK_TIMEOUT = 50200;
  private static final int CONCURRENT_UPDATE = 90131;
  private static final int DEADLOCK = 40001;

  /** Its driver's constant, besides those of JDBC. */
  private static final int SNAPSHOT = 6;

  /** So that two runs in one process do not meet. */
  private static final AtomicInteger STARTED = new AtomicInteger();

  @Override
  public String id() {
    return "h2";
  }

  @Override
  public String title() {
    return "H2";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:h2:");
  }

  @Override
  public String driverClass() {
    return "org.h2.Driver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return List.of("com.h2database:h2:" + Versions.of("h2", version));
  }

  /**
   * H2's manual grants of its serializable level that it does not make transactions serializable;
   * what counts here is the name that an application asks for.
   */
  @Override
  public List<JdbcIsolation> isolations() {
    return List.of(
        JdbcIsolation.READ_UNCOMMITTED,
        JdbcIsolation.READ_COMMITTED,
        JdbcIsolation.REPEATABLE_READ,
        JdbcIsolation.jdbc("snapshot", Level.SNAPSHOT_ISOLATION, SNAPSHOT),
        JdbcIsolation.SERIALIZABLE);
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.MERGE, "VARCHAR(1000000)", true);
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Server start(Setup setup) {
    String name = "assay" + STARTED.incrementAndGet();
    // Without a delay the database ends with its first connection.
    String url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1" + setup.joined(";", "=");
    return Server.at(url, () -> {});
  }

  @Override
  public Failure classify(SQLException e) {
    return Failures.codeIs(e, LOCK_TIMEOUT, CONCURRENT_UPDATE, DEADLOCK)
        ? Failure.REFUSED
        : Failures.byState(e);
  }
}
