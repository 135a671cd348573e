package dev.assay.collect.db;

import java.io.IOException;
import java.nio.file.Path;

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

  public static Connector start(Target target) throws IOException {
    return Connector.open(target, DRIVERS, 20);
  }

  public static Isolation isolation(Connector connector, String name) {
    return connector.database().isolations().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
