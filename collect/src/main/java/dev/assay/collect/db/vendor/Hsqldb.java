package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.Versions;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * HSQLDB, in this process and in memory. Its transaction model is {@code mvcc} unless the option
 * {@code hsqldb.tx} says {@code locks} or {@code mvlocks}.
 */
final class Hsqldb implements Database {
  private static final AtomicInteger STARTED = new AtomicInteger();

  @Override
  public String id() {
    return "hsqldb";
  }

  @Override
  public String title() {
    return "HSQLDB";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:hsqldb:");
  }

  @Override
  public String driverClass() {
    return "org.hsqldb.jdbc.JDBCDriver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return List.of("org.hsqldb:hsqldb:" + Versions.of("hsqldb", version));
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return JdbcIsolation.STANDARD;
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.MERGE, "VARCHAR(1000000)", false);
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Server start(Setup setup) {
    String model = setup.options().containsKey("hsqldb.tx") ? "" : ";hsqldb.tx=mvcc";
    String name = "assay" + STARTED.incrementAndGet();
    return Server.at("jdbc:hsqldb:mem:" + name + model + setup.joined(";", "="), () -> {});
  }

  @Override
  public Failure classify(SQLException e) {
    return Failures.byState(e);
  }
}
