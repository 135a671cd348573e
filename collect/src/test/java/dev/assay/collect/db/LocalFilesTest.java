package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.db.vendor.Databases;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server may ask a driver of its protocol for any file of the client, if the driver offers it.
 */
class LocalFilesTest {
  static List<Database> databases() {
    return Databases.all();
  }

  @ParameterizedTest
  @MethodSource("databases")
  void noDriverOffersAServerTheFilesOfTheClient(Database database) {
    String drivers = String.join(" ", database.artifacts(null, false));
    if (drivers.contains("mariadb-java-client")) {
      assertThat(database.connectionProperties()).containsEntry("allowLocalInfile", "false");
    }
    if (drivers.contains("mysql-connector")) {
      assertThat(database.connectionProperties()).containsEntry("allowLoadLocalInfile", "false");
    }
  }
}
