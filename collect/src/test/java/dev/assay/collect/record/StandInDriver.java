package dev.assay.collect.record;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import java.io.IOException;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.logging.Logger;

/** A driver between clients and a real one, for whatever URL. */
abstract class StandInDriver implements Driver {
  @Override
  public boolean acceptsURL(String url) {
    return true;
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  /**
   * A real database behind such a driver.
   *
   * @param real what is started and understands the statements
   * @param posed whose errors the driver throws
   */
  record Behind(Database real, Database posed, Class<? extends Driver> driver) implements Database {
    @Override
    public String id() {
      return posed.id();
    }

    @Override
    public String title() {
      return "something like " + posed.title();
    }

    @Override
    public List<String> urlPrefixes() {
      return List.of();
    }

    @Override
    public String driverClass() {
      return driver.getName();
    }

    @Override
    public List<String> artifacts(String version, boolean embedded) {
      return List.of();
    }

    @Override
    public List<JdbcIsolation> isolations() {
      return real.isolations();
    }

    @Override
    public Dialect dialect() {
      return real.dialect();
    }

    @Override
    public Properties connectionProperties() {
      return real.connectionProperties();
    }

    @Override
    public Server start(Setup setup) throws IOException {
      return real.start(setup);
    }

    @Override
    public Failure classify(SQLException e) {
      return posed.classify(e);
    }

    @Override
    public Failure classifyCommit(SQLException e) {
      return posed.classifyCommit(e);
    }
  }
}
