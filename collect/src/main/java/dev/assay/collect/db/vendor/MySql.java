package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.server.Versions;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/**
 * MySQL, at a JDBC URL. Not run in the tests, for want of a server; MariaDB's adapter, which is,
 * differs in its driver and its server only.
 */
class MySql implements Database {
  private static final int CHECKREAD = 1020;
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int DEADLOCK = 1213;
  private static final int DUPLICATE_KEY = 1062;

  @Override
  public String id() {
    return "mysql";
  }

  @Override
  public String title() {
    return "MySQL";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:mysql:");
  }

  @Override
  public String driverClass() {
    return "com.mysql.cj.jdbc.Driver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return List.of("com.mysql:mysql-connector-j:" + Versions.of("mysql-driver"));
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return JdbcIsolation.STANDARD;
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.ON_DUPLICATE_KEY, "MEDIUMTEXT", true, " ENGINE=InnoDB");
  }

  @Override
  public Properties connectionProperties() {
    Properties properties = new Properties();
    properties.setProperty("socketTimeout", "60000");
    properties.setProperty("connectTimeout", "5000");
    // MySQL's own default; a server could ask for any file of the client otherwise.
    properties.setProperty("allowLoadLocalInfile", "false");
    return properties;
  }

  /**
   * A lock that was waited for too long undoes only the statement, but the session rolls the rest
   * back itself.
   */
  @Override
  public Failure classify(SQLException e) {
    return Failures.codeIs(e, CHECKREAD, LOCK_WAIT_TIMEOUT, DEADLOCK, DUPLICATE_KEY)
        ? Failure.REFUSED
        : Failures.byState(e);
  }
}
