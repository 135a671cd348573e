package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;

/** The databases that Assay knows. To add one, write its class and add a line here. */
public final class Databases {
  /** In the order of URL prefixes: what takes any URL comes last. */
  private static final List<Database> ALL =
      List.of(
          new H2(),
          new Hsqldb(),
          new Derby(),
          new Sqlite(),
          new DuckDb(),
          new Postgres(),
          new MariaDb(),
          new MySql(),
          new Galera(),
          new CockroachDb(),
          new YugabyteDb(),
          new TiDb(),
          new GenericJdbc());

  private Databases() {}

  public static List<Database> all() {
    return ALL;
  }

  /** The one that runs when none is named. */
  public static Database standard() {
    return ALL.get(0);
  }

  public static List<String> ids() {
    List<String> ids = new ArrayList<>();
    ALL.forEach(database -> ids.add(database.id()));
    return ids;
  }

  public static Optional<Database> byId(String id) {
    String wanted = id.toLowerCase(Locale.ROOT);
    return ALL.stream().filter(database -> database.id().equals(wanted)).findFirst();
  }

  /** The database behind a data source. */
  public static Target behind(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      String url = connection.getMetaData().getURL();
      return Target.at(byUrl(url), null, null, url);
    }
  }

  /** The database that a JDBC URL belongs to; the generic one for an unknown URL. */
  public static Database byUrl(String url) {
    for (Database database : ALL) {
      if (database.urlPrefixes().stream().anyMatch(url::startsWith)) {
        return database;
      }
    }
    throw new IllegalArgumentException("not a JDBC URL");
  }
}
