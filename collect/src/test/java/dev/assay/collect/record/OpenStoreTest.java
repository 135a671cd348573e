package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenStoreTest {
  private static final int SESSIONS = 5;

  @TempDir Path folder;
  private volatile Recorder recorder;

  /** Values start over in each run, so what an earlier one left would be read from nowhere. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "hsqldb", "sqlite", "duckdb", "postgres"})
  void eachRunOnAStoreThatIsKeptBeginsEmpty(String id) throws Exception {
    try (OpenStore store = new OpenStore(TestDatabases.startSound(id), true)) {
      for (int run = 0; run < 3; run++) {
        History history = run(store, WorkloadKind.MIXED, 20);
        assertThat(history.transactionCount()).isGreaterThan(SESSIONS);
        Report report = Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(1)));
        assertThat(report.violated(Level.READ_COMMITTED))
            .as("run %d: %s", run, report.anomalies())
            .isFalse();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 6", "false, 18"})
  void sessionsStayOpenWhereTheStoreIsKept(boolean keeps, int expected) throws Exception {
    Watched watched = new Watched(TestDatabases.startSound("h2"));
    try (OpenStore store = new OpenStore(watched, keeps)) {
      for (int run = 0; run < 3; run++) {
        run(store, WorkloadKind.LIST_APPEND, 3);
      }
    }
    // Each client has one, and the final reads.
    assertThat(watched.opened.get()).isEqualTo(expected);
  }

  @Test
  void noClientBeginsBeforeAllHaveConnected() throws Exception {
    long[] lastConnected = new long[1];
    Watched watched =
        new Watched(TestDatabases.startSound("h2")) {
          @Override
          public ClientSession open(int node, SessionSpec spec) throws ClientException {
            ClientSession session = super.open(node, spec);
            synchronized (lastConnected) {
              if (++connected <= SESSIONS) {
                // The others have time to go ahead.
                LiveRun.sleep(50);
                lastConnected[0] = recorder.now();
              }
            }
            return session;
          }
        };
    try (OpenStore store = new OpenStore(watched, false)) {
      History history = run(store, WorkloadKind.LIST_APPEND, 1);
      for (int t = 0; t < history.transactionCount(); t++) {
        assertThat(history.start(t)).isGreaterThan(lastConnected[0]);
      }
    }
  }

  private History run(OpenStore store, WorkloadKind kind, int transactions) throws Exception {
    RunSpec spec =
        new RunSpec(
            store.cluster().client().strongest(),
            SESSIONS,
            transactions,
            Duration.ofSeconds(30),
            0,
            0,
            false,
            true,
            7);
    WorkloadSpec workload =
        WorkloadSpec.builder().sessions(SESSIONS).operations(1, 4).keys(5).kind(kind).build();
    Path file = folder.resolve("run.assay");
    try (Recorder own = new Recorder(file, Map.of())) {
      recorder = own;
      new LiveRun(store, spec, new ParametricWorkload(workload), own, new Stop()).run();
    }
    return Formats.read(Input.of(file));
  }

  /** Counts the sessions of a store. */
  private static class Watched implements Cluster {
    private final Connector connector;
    final AtomicInteger opened = new AtomicInteger();
    int connected;

    Watched(Connector connector) {
      this.connector = connector;
    }

    @Override
    public Client client() {
      return connector.client();
    }

    @Override
    public List<Node> nodes() {
      return connector.nodes();
    }

    @Override
    public ClientSession open(int node, SessionSpec spec) throws ClientException {
      opened.incrementAndGet();
      return connector.open(node, spec);
    }

    @Override
    public RunData newData() {
      return connector.newData();
    }

    @Override
    public void ping() throws ClientException {
      connector.ping();
    }

    @Override
    public String describe() throws ClientException {
      return connector.describe();
    }

    @Override
    public void close() {
      connector.close();
    }
  }
}
