package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.Target;
import dev.assay.collect.client.Topology;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL with two streaming replicas, on wires that can be cut. */
@Timeout(180)
class ReplicasTest {
  private static final OpKind.Type REGISTER = OpKind.Type.REGISTER;

  @TempDir Path folder;

  private static Connector start(Topology.Replication replication) throws Exception {
    return TestDatabases.start(
        new Target(
            Databases.byId("postgres").orElseThrow(),
            null,
            List.of(),
            null,
            null,
            Map.of(),
            new Topology(2, replication, 1, Set.of())));
  }

  /** Partition and heal, then failover, on one cluster of three nodes. */
  @Test
  void aNodeThatIsCutOffComesBackAndAReplicaTakesThePlaceOfThePrimary() throws Exception {
    try (Connector connector = start(Topology.Replication.APPLY)) {
      assertThat(connector.nodes())
          .extracting(Node::role)
          .containsExactly(Node.Role.PRIMARY, Node.Role.REPLICA, Node.Role.REPLICA);
      RunData data = connector.newData();
      data.create();
      SessionSpec spec = new SessionSpec(connector.database().strongest(), false, true, false);
      Faults faults = connector.faults().orElseThrow();
      assertThat(faults.names()).containsExactly("primary", "replica 1", "replica 2");
      try (ClientSession replica = connector.open(2, spec)) {
        write(connector, spec, 1);
        faults.begin(FaultKind.PARTITION, List.of(2));
        write(connector, spec, 2);
        CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> read(replica));
        Thread.sleep(200);
        assertThat(read).isNotDone();
        faults.end(FaultKind.PARTITION, List.of(2));
        assertThat(read.get(60, TimeUnit.SECONDS)).isBetween(1L, 2L);
      }
      faults.begin(FaultKind.FAILOVER, List.of(0));
      write(connector, spec, 3);
      try (ClientSession primary = connector.open(0, spec)) {
        assertThat(read(primary)).isEqualTo(3);
      }
    }
  }

  private static void write(Connector connector, SessionSpec spec, long value) throws Exception {
    try (ClientSession primary = connector.open(0, spec)) {
      primary.begin();
      primary.write(REGISTER, 1, value);
      primary.commit();
    }
  }

  private static long read(ClientSession session) {
    try {
      session.begin();
      long value = session.readNumber(REGISTER, 1);
      session.commit();
      return value;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the primary acknowledged while its replica was cut off is lost, unless it waits. */
  @Test
  @Tag("extended")
  void aFailoverLosesWhatWasAcknowledgedUnlessReplicationIsSynchronous() throws Exception {
    assertThat(loses(Topology.Replication.ASYNC)).isTrue();
    assertThat(loses(Topology.Replication.SYNC)).isFalse();
  }

  private boolean loses(Topology.Replication replication) throws Exception {
    TestRun test = new TestRun();
    test.kind = WorkloadKind.LIST_APPEND;
    test.sessions = 6;
    test.transactions = Integer.MAX_VALUE;
    test.keys = 10;
    test.duration = Duration.ofSeconds(12);
    test.faults =
        new FaultPlan(
            List.of(),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            List.of(
                step(2, FaultKind.PARTITION, "replica 1", 4),
                step(2, FaultKind.PARTITION, "replica 2", 4),
                step(4, FaultKind.FAILOVER, null, 1)),
            7);
    Path file = folder.resolve(replication + ".assay");
    try (Connector connector = start(replication)) {
      History history =
          test.on(connector, TestDatabases.isolation(connector, "repeatable-read"), file);
      assertThat(test.run.unread()).isNull();
      List<Level> levels = List.of(Level.REPEATABLE_READ);
      Report report = Assay.check(history, levels, Budget.of(Duration.ofMinutes(1)));
      return report.anomalies().stream().anyMatch(one -> one.type() == AnomalyType.LOST_WRITE);
    }
  }

  private static FaultPlan.Step step(int seconds, FaultKind kind, String node, int lasting) {
    return new FaultPlan.Step(Duration.ofSeconds(seconds), kind, node, Duration.ofSeconds(lasting));
  }
}
