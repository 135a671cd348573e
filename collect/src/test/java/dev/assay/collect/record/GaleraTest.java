package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.Target;
import dev.assay.collect.client.Topology;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.OpKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes on this machine, where Debian's packages for that are installed and the kernel lets
 * users make namespaces.
 */
@Tag("extended")
class GaleraTest {
  private static Connector cluster;

  @TempDir Path folder;

  @BeforeAll
  static void startTheCluster() throws IOException {
    Topology three = new Topology(0, Topology.Replication.ASYNC, 3, Set.of());
    try {
      cluster =
          TestDatabases.start(
              new Target(
                  Databases.byId("galera").orElseThrow(),
                  null,
                  List.of(),
                  null,
                  null,
                  Map.of(),
                  three));
    } catch (ServerException e) {
      String why = e.getMessage();
      // A test must not install packages of the system.
      assumeTrue(!why.contains("apt-get") && !why.contains("namespaces"), why);
      throw e;
    }
  }

  @AfterAll
  static void stopTheCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aNodeThatIsCutOffRefusesToAnswerAndCatchesUpWhenItIsHealed() throws Exception {
    cluster.newData().create();
    Faults faults = cluster.faults().orElseThrow();
    SessionSpec spec = new SessionSpec(cluster.database().strongest(), false, true, false);
    faults.begin(FaultKind.HALVES, List.of(2));
    // The others wait until they know that it is gone.
    try (ClientSession first = cluster.open(0, spec)) {
      first.begin();
      first.write(OpKind.Type.REGISTER, 1, 5);
      first.commit();
    }
    assertThatThrownBy(() -> read(2, spec)).isInstanceOf(ClientException.class);
    faults.end(FaultKind.HALVES, List.of(2));
    for (int attempt = 0; ; attempt++) {
      try {
        assertThat(read(2, spec)).isEqualTo(5);
        return;
      } catch (ClientException e) {
        assertThat(attempt).as(e.getMessage()).isLessThan(300);
        Thread.sleep(100);
      }
    }
  }

  private static long read(int node, SessionSpec spec) throws ClientException {
    try (ClientSession session = cluster.open(node, spec)) {
      session.catchUp();
      session.begin();
      return session.readNumber(OpKind.Type.REGISTER, 1);
    }
  }

  @Test
  void nodesCommitWriteSkewAtSerializable() throws Exception {
    Report report = report("serializable");
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.anomalies()).extracting(a -> a.type()).contains(AnomalyType.G2_ITEM);
  }

  @Test
  void nodesLoseUpdatesAtRepeatableRead() throws Exception {
    assertThat(report("repeatable-read").violated(Level.CURSOR_STABILITY)).isTrue();
  }

  private Report report(String isolation) throws Exception {
    TestRun test = new TestRun();
    test.sessions = 10;
    test.transactions = Integer.MAX_VALUE;
    test.duration = Duration.ofSeconds(15);
    test.kind = WorkloadKind.LIST_APPEND;
    test.keys = 4;
    test.writesPerKey = 8;
    test.operations = 3;
    return Assay.check(
        test.on(cluster, TestDatabases.isolation(cluster, isolation), folder.resolve("run.assay")),
        Level.surveyed(),
        Budget.of(Duration.ofMinutes(5)));
  }
}
