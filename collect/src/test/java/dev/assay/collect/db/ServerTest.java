package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.client.Topology;
import dev.assay.collect.db.vendor.Databases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerTest {
  @Test
  void aServerKnowsItsOwnConnectionsFromThoseOfAnother() throws Exception {
    Database postgres = Databases.byId("postgres").orElseThrow();
    Setup setup =
        new Setup(
            ServerTest.class.getClassLoader(),
            null,
            Path.of("target", "fetched").toAbsolutePath(),
            Map.of(),
            4,
            Topology.SINGLE,
            what -> {});
    try (Server one = postgres.start(setup);
        Server other = postgres.start(setup);
        Connection connection = connected(one)) {
      assertThat(one.isOurs(connection)).isTrue();
      assertThat(other.isOurs(connection)).isFalse();
    }
  }

  /** A server listens before it is ready to answer. */
  private static Connection connected(Server server) throws Exception {
    for (int attempt = 0; ; attempt++) {
      try {
        return DriverManager.getConnection(server.urls().get(0), server.properties());
      } catch (SQLException e) {
        if (attempt == 500) {
          throw e;
        }
        Thread.sleep(20);
      }
    }
  }
}
