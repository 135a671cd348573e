package dev.assay.collect.db;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.vendor.Databases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Databases for tests: drivers from the class path, programs unpacked below target. */
public final class TestDatabases {
  private static final Drivers DRIVERS =
      new Drivers(Path.of("target", "fetched").toAbsolutePath(), what -> {});

  private TestDatabases() {}

  /** Starts a database by its name on the command line. */
  public static Connector start(String id) throws IOException {
    return start(id, null);
  }

  public static Connector start(String id, String version) throws IOException {
    return start(Target.embedded(Databases.byId(id).orElseThrow(), version));
  }

  /** Starts a database with what keeps it from errors of its own that are known. */
  public static Connector startSound(String id) throws IOException {
    Database database = Databases.byId(id).orElseThrow();
    return start(new Target(database, null, List.of(), null, null, sound(id)));
  }

  /**
   * H2 may give stale results (docs/findings/h2-stale-read.md), unless configured not to keep any.
   */
  public static Map<String, String> sound(String id) {
    return id.equals("h2") ? Map.of("OPTIMIZE_REUSE_RESULTS", "FALSE") : Map.of();
  }

  /** An H2 that was there before and stays, as a server is that Assay did not start. */
  public static Connector reachedByUrl(String name) throws IOException {
    Database h2 = Databases.byId("h2").orElseThrow();
    String url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
    return start(Target.at(h2, null, null, url));
  }

  public static Connector start(Target target) throws IOException {
    return start(target, 20);
  }

  public static Connector start(Target target, int connections) throws IOException {
    return Connector.open(target, DRIVERS, connections);
  }

  public static JdbcIsolation isolation(Connector connector, String name) {
    return connector.database().isolations().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
