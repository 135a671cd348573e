package dev.assay.collect.db.vendor;

import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.JdbcIsolation;
import java.util.List;

/**
 * Any other database with a JDBC driver on the class path: standard SQL only, updates followed by
 * inserts, and errors judged by their SQL state.
 */
final class GenericJdbc implements Database {
  @Override
  public String id() {
    return "jdbc";
  }

  @Override
  public String title() {
    return "a JDBC database";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:");
  }

  /** None: the driver manager finds the one that takes the URL. */
  @Override
  public String driverClass() {
    return null;
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return List.of();
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return JdbcIsolation.STANDARD;
  }

  @Override
  public Dialect dialect() {
    return new Dialect(Dialect.Upsert.NONE, "VARCHAR(4000)", true);
  }
}
