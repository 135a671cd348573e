package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.server.ServerException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriversTest {
  @TempDir Path folder;

  @Test
  void aPlaceWhereNothingCanBeKeptIsNamedWithAWayOut() throws Exception {
    Path kept = Files.createFile(folder.resolve("file")).resolve("assay");
    Drivers drivers = new Drivers(kept, what -> {});
    Target target = Target.embedded(Databases.byId("h2").orElseThrow(), "2.3.232");
    assertThatThrownBy(() -> Connector.open(target, drivers, 1))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining(kept.toString())
        .hasMessageEndingWith("name another folder with XDG_CACHE_HOME");
  }

  /** The jar of a driver that tests have. */
  private static Path jar(Class<?> driver) throws Exception {
    return Path.of(driver.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void aDriverOfTheUserTakesThePlaceOfTheOneThatIsKnown() throws Exception {
    List<Path> jars = List.of(jar(org.hsqldb.jdbc.JDBCDriver.class));
    Drivers drivers = new Drivers(folder, what -> {}, jars);
    for (String name : List.of("hsqldb", "jdbc")) {
      Database database = Databases.byId(name).orElseThrow();
      Target target = Target.at(database, "SA", null, "jdbc:hsqldb:mem:driver");
      try (Connector connector = Connector.open(target, drivers, 1)) {
        assertThat(connector.describe()).startsWith("HSQL Database Engine");
      }
    }
    Target other = Target.at(Databases.byId("jdbc").orElseThrow(), null, null, "jdbc:other:x");
    assertThatThrownBy(() -> Connector.open(other, drivers, 1))
        .hasMessage("no driver in the jar of --driver accepts this URL");
  }
}
