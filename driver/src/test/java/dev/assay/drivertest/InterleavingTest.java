package dev.assay.drivertest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDriver;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random clients on PostgreSQL take turns at each call of the database, in an order that the seed
 * decides: {@code -Dassay.driver.seed=7 -Dassay.driver.seeds=1} repeats one. The database keeps its
 * word, so nothing may be accused.
 */
class InterleavingTest {
  private static final int FIRST = Integer.getInteger("assay.driver.seed", 1);
  private static final int SEEDS = Integer.getInteger("assay.driver.seeds", 50);
  private static final int CLIENTS = Integer.getInteger("assay.driver.clients", 3);

  @TempDir Path folder;

  /** A level of JDBC and what PostgreSQL promises at it. */
  private record Promise(int isolation, List<Level> levels) {
    static Promise of(int seed) {
      List<Level> snapshots =
          List.of(Level.STRONG_SNAPSHOT_ISOLATION, Level.STRONG_ADYA_READ_COMMITTED);
      return switch (seed % 3) {
        case 0 ->
            new Promise(
                Connection.TRANSACTION_READ_COMMITTED, List.of(Level.STRONG_ADYA_READ_COMMITTED));
        case 1 -> new Promise(Connection.TRANSACTION_REPEATABLE_READ, snapshots);
        default -> {
          List<Level> all = new ArrayList<>(snapshots);
          all.add(Level.SERIALIZABLE);
          yield new Promise(Connection.TRANSACTION_SERIALIZABLE, all);
        }
      };
    }
  }

  @Test
  void nothingIsAccusedHoweverTransactionsInterleave() throws Exception {
    SteppedDriver.register();
    Drivers drivers = new Drivers(folder.resolve("kept"), remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    int predicates = 0;
    long held = 0;
    try (Connector server = Connector.open(target, drivers, 10);
        Connection admin = DriverManager.getConnection(server.url(), server.user(), null)) {
      // Who waits for whom is looked at here, without a timer.
      Recordings.execute(
          admin, "ALTER SYSTEM SET deadlock_timeout = '1h'", "SELECT pg_reload_conf()");
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        Promise promise = Promise.of(seed);
        List<String> log = new ArrayList<>();
        Path file = Recordings.kept("interleaving-" + seed);
        History history = record(server, admin, file, seed, promise.isolation, log);
        Report report = Recordings.checked(history);
        String what = "seed " + seed + "\n" + String.join("\n", log);
        Recordings.assertNotAccused(report, file, what, promise.levels);
        held += promise.levels.stream().filter(report::holds).count();
        predicates += history.uses(OpKind.Type.PREDICATE) ? 1 : 0;
      }
    }
    assertThat(predicates).isPositive();
    assertThat(held).isPositive();
  }

  private static History record(
      Connector server, Connection admin, Path file, int seed, int isolation, List<String> log)
      throws Exception {
    Recordings.execute(
        admin,
        "DROP TABLE IF EXISTS item",
        "CREATE TABLE item (id INT PRIMARY KEY, a INT, b BOOLEAN, c TEXT)"
            + " WITH (autovacuum_enabled = false)",
        "CREATE OR REPLACE FUNCTION bump(n INT) RETURNS INT LANGUAGE plpgsql AS"
            + " 'BEGIN BEGIN UPDATE item SET a = 1 WHERE id = n;"
            + " EXCEPTION WHEN division_by_zero THEN NULL; END; RETURN n; END'",
        "INSERT INTO item SELECT i, i % 3, i % 2 = 0, 'c' || i FROM generate_series(1, "
            + RandomTransactions.FIRST_KEYS
            + ") i");
    String url = server.url();
    String recorded =
        url.replace("jdbc:", "jdbc:assay:stepped:")
            + (url.contains("?") ? "&" : "?")
            + "assay.file="
            + file;
    Turns turns = new Turns(admin, seed);
    boolean anew = isolation != Connection.TRANSACTION_REPEATABLE_READ;
    RandomTransactions.Mode mode = new RandomTransactions.Mode(anew, seed % 4 == 0);
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Connection connection = DriverManager.getConnection(recorded, server.user(), null);
      connections.add(connection);
      connection.setTransactionIsolation(isolation);
      RandomTransactions client =
          new RandomTransactions(connection, i, 1000L * seed + i, mode, log);
      turns.add(SteppedDriver.process(), client::run);
    }
    List<Throwable> failures = turns.play();
    for (Connection connection : connections) {
      connection.close();
    }
    AssayDriver.finish();
    assertThat(failures).as(() -> "seed " + seed + "\n" + String.join("\n", log)).isEmpty();
    return Recordings.finished(file);
  }
}
