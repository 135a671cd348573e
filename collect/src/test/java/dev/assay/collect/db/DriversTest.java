package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriversTest {
  @TempDir Path folder;

  @Test
  void aPlaceWhereNothingCanBeKeptIsNamedWithAWayOut() throws Exception {
    Path kept = Files.createFile(folder.resolve("file")).resolve("assay");
    Drivers drivers = new Drivers(kept, what -> {});
    Target target = Target.embedded(Databases.byId("h2").orElseThrow(), "2.3.232");
    assertThatThrownBy(() -> drivers.loader(target))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining(kept.toString())
        .hasMessageEndingWith("name another folder with XDG_CACHE_HOME");
  }
}
