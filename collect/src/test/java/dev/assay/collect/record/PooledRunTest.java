package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.Target;
import dev.assay.collect.client.UnusableException;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.OtherIsolationException;
import dev.assay.collect.db.PgBouncer;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.schedule.Script;
import dev.assay.collect.schedule.ScriptRun;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases behind a pool that hands out server connections by the transaction. */
class PooledRunTest {
  @TempDir Path folder;

  @Test
  void transactionsThroughPgBouncerHaveTheLevelAskedForAndLeaveNoSettingBehind() throws Exception {
    try (Connector postgres = TestDatabases.start("postgres");
        PgBouncer pool = PgBouncer.before(postgres);
        Connector connector = TestDatabases.start(pool.target())) {
      TestRun test = new TestRun();
      test.sessions = 3 * PgBouncer.SERVER_CONNECTIONS;
      test.kind = WorkloadKind.LIST_APPEND;
      History history = test.on(connector, connector.database().strongest(), file());

      assertThat(test.stop.reason()).isEqualTo("all transactions are done");
      assertThat(test.run.tally().count(Outcome.COMMITTED)).isGreaterThan(100);
      Report report =
          Assay.check(history, List.of(Level.SERIALIZABLE), Budget.of(Duration.ofMinutes(1)));
      assertThat(report.violated(Level.SERIALIZABLE)).as("%s", report.anomalies()).isFalse();
      assertThat(defaults(connector)).containsOnly("read committed");
      assertThat(shows("G2-item", connector, "serializable")).isFalse();
      assertThat(shows("G2-item", connector, "read-committed")).isTrue();
    }
  }

  private static boolean shows(String script, Connector connector, String isolation)
      throws SQLException {
    ScriptRun run = new ScriptRun(connector, 500);
    Script chosen =
        Script.all().stream().filter(one -> one.id().equals(script)).findFirst().orElseThrow();
    boolean happened = run.run(chosen, TestDatabases.isolation(connector, isolation)).happened();
    run.drop();
    return happened;
  }

  /** What every server connection of the pool gives to clients that ask for nothing. */
  private static List<String> defaults(Connector connector) throws SQLException {
    List<String> found = new ArrayList<>();
    List<Connection> open = new ArrayList<>();
    for (int i = 0; i < PgBouncer.SERVER_CONNECTIONS; i++) {
      Connection connection = connector.connect();
      open.add(connection);
      // An open transaction keeps its server connection.
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SHOW default_transaction_isolation")) {
        result.next();
        found.add(result.getString(1));
      }
    }
    for (Connection connection : open) {
      connection.rollback();
      connection.close();
    }
    return found;
  }

  /** Whether the first or a later transaction gets a session that another client had set up. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10})
  void aRunWhoseTransactionsHaveAnotherLevelEndsAndNamesThePool(int transactions) throws Exception {
    PoolingDriver.transactions = transactions;
    try (Connector connector = TestDatabases.start(pooledH2("run" + transactions))) {
      TestRun test = new TestRun();
      test.on(connector, JdbcIsolation.SERIALIZABLE, file());

      assertThat(test.stop.failure()).isInstanceOf(UnusableException.class);
      assertThat(test.stop.reason())
          .contains("asked for serializable", "it is READ COMMITTED", "a pool or proxy");
      assertThat(test.run.tally().count(Outcome.COMMITTED)).isLessThanOrEqualTo(4 * transactions);
    }
  }

  @Test
  void aLevelThatIsStrongerOnlyNowAndThenIsThePoolsToo() throws Exception {
    PoolingDriver.transactions = 1;
    try (Connector connector = TestDatabases.start(pooledH2("stronger"))) {
      TestRun test = new TestRun();
      test.on(connector, JdbcIsolation.READ_UNCOMMITTED, file());
      assertThat(test.stop.failure()).isInstanceOf(UnusableException.class);
    }
  }

  @Test
  void aScheduleWhoseTransactionsHaveAnotherLevelEndsAndNamesThePool() throws Exception {
    PoolingDriver.transactions = 1;
    try (Connector connector = TestDatabases.start(pooledH2("schedule"))) {
      assertThatThrownBy(() -> shows("G2-item", connector, "serializable"))
          .isInstanceOf(OtherIsolationException.class);
    }
  }

  private static Target pooledH2(String name) {
    Database h2 = Databases.byId("h2").orElseThrow();
    return Target.at(
        new StandInDriver.Behind(h2, h2, PoolingDriver.class),
        null,
        null,
        "jdbc:h2:mem:pooled-" + name + ";DB_CLOSE_DELAY=-1");
  }

  private Path file() {
    return folder.resolve("run.assay");
  }
}
