package dev.assay.collect.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.Target;
import dev.assay.collect.client.Topology;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.server.Programs;
import dev.assay.history.OpKind.Type;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of three that is partitioned and healed. Without the program this is skipped, which
 * {@code ./test} never lets happen.
 */
class EtcdTest {
  @TempDir Path kept;

  private Cluster cluster() throws IOException {
    assumeTrue(Programs.find("etcd").isPresent(), "needs: apt-get install -y etcd-server");
    Client etcd = new Etcd();
    Topology three = new Topology(0, Topology.Replication.ASYNC, 3, Set.of());
    Target target = new Target(etcd, null, List.of(), null, null, Map.of(), three);
    return etcd.open(new Drivers(kept, text -> {}).opening(target, 3));
  }

  private static ClientSession open(Cluster cluster, int node, String level)
      throws ClientException {
    var isolation =
        cluster.client().isolations().stream().filter(i -> i.name().equals(level)).findFirst();
    return cluster.open(node, new SessionSpec(isolation.orElseThrow(), false, true, false));
  }

  private static void append(ClientSession session, long value) throws ClientException {
    session.begin();
    session.write(Type.LIST, 1, value);
    session.commit();
  }

  private static int length(ClientSession session) throws ClientException {
    session.begin();
    int length = session.readElements(Type.LIST, 1);
    session.commit();
    return length;
  }

  @Test
  void aMemberThatIsCutOffLagsBehindAndCatchesUpWhenItIsHealed() throws Exception {
    try (Cluster cluster = cluster()) {
      cluster.newData().create();
      assertThat(cluster.nodes()).hasSize(3);
      Faults faults = cluster.faults().orElseThrow();
      ClientSession first = open(cluster, 0, "linearizable");
      ClientSession stale = open(cluster, 2, "stale");
      ClientSession linearizable = open(cluster, 2, "linearizable");
      append(first, 1);
      assertThat(length(linearizable)).isEqualTo(1);
      faults.begin(FaultKind.PARTITION, List.of(2));
      appendUntilAccepted(cluster, 2);
      assertThat(length(stale)).isEqualTo(1);
      assertThatThrownBy(() -> length(linearizable)).isInstanceOf(ClientException.class);
      faults.end(FaultKind.PARTITION, List.of(2));
      // An attempt whose outcome was unknown may have succeeded too.
      assertThat(lengthWhenAnswered(linearizable)).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void transactionsThatReadWhatChangedAreRefused() throws Exception {
    try (Cluster cluster = cluster()) {
      cluster.newData().create();
      ClientSession one = open(cluster, 0, "linearizable");
      ClientSession other = open(cluster, 1, "linearizable");
      one.begin();
      one.readElements(Type.LIST, 1);
      append(other, 1);
      one.write(Type.REGISTER, 2, 5);
      assertThatThrownBy(one::commit).hasMessage("another revision");
    }
  }

  /** What is recorded and judged is in {@code RunCommandTest}. */
  @Test
  void revisionsNumberWhatIsReadAndWritten() throws Exception {
    try (Cluster cluster = cluster()) {
      cluster.newData().create();
      ClientSession session = open(cluster, 0, "linearizable");
      session.begin();
      assertThat(session.readNumber(Type.REGISTER, 1)).isEqualTo(ClientSession.NONE);
      assertThat(session.versionRead()).isEqualTo(ClientSession.NONE);
      session.write(Type.REGISTER, 1, 5);
      session.readNumber(Type.REGISTER, 1);
      assertThat(session.versionRead()).isEqualTo(ClientSession.NONE);
      session.commit();
      long first = session.versionWritten();
      session.begin();
      session.write(Type.REGISTER, 1, 6);
      session.commit();
      assertThat(session.versionWritten()).isGreaterThan(first);
      long second = session.versionWritten();
      session.begin();
      assertThat(session.readNumber(Type.REGISTER, 1)).isEqualTo(6);
      assertThat(session.versionRead()).isEqualTo(second);
      session.commit();
    }
  }

  /** If the member that was cut off led the others, they have to elect another one first. */
  private static void appendUntilAccepted(Cluster cluster, long value) throws Exception {
    for (int attempt = 0; attempt < 20; attempt++) {
      try {
        append(open(cluster, 0, "linearizable"), value);
        return;
      } catch (ClientException e) {
        Thread.sleep(200);
      }
    }
    throw new AssertionError("no commit without the member");
  }

  private static int lengthWhenAnswered(ClientSession session) throws Exception {
    for (int attempt = 0; ; attempt++) {
      try {
        return length(session);
      } catch (ClientException e) {
        if (attempt == 20) {
          throw e;
        }
        Thread.sleep(200);
      }
    }
  }
}
