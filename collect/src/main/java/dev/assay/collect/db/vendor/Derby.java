package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Apache Derby, in this process and in memory. It locks, and is slow where clients meet. */
final class Derby implements Database {
  private static final AtomicInteger STARTED = new AtomicInteger();

  @Override
  public String id() {
    return "derby";
  }

  @Override
  public String title() {
    return "Apache Derby";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:derby:");
  }

  @Override
  public String driverClass() {
    return "org.apache.derby.iapi.jdbc.AutoloadedDriver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    String wanted = Versions.of("derby", version);
    return List.of("org.apache.derby:derby:" + wanted, "org.apache.derby:derbyshared:" + wanted);
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return JdbcIsolation.STANDARD;
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.NONE, "VARCHAR(32000)", true);
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Server start(Setup setup) throws IOException {
    // Or a file derby.log appears in whatever folder the user is in.
    Path log = Files.createTempFile("assay-derby", ".log");
    log.toFile().deleteOnExit();
    System.setProperty("derby.stream.error.file", log.toString());
    System.setProperty("derby.locks.deadlockTimeout", "1");
    System.setProperty("derby.locks.waitTimeout", "2");
    setup.options().forEach(System::setProperty);
    String name = "assay" + STARTED.incrementAndGet();
    return Server.at("jdbc:derby:memory:" + name + ";create=true", () -> {});
  }

  /** 40XT1: an exception was thrown during commit, perhaps when the log had it already. */
  @Override
  public Failure classify(SQLException e) {
    return Failures.stateIs(e, "40XT1") ? Failure.LOST : Failures.byState(e);
  }
}
