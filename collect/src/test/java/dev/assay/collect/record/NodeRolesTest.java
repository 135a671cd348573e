package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.history.History;
import dev.assay.history.Nodes;
import dev.assay.history.Origin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeRolesTest {
  @TempDir Path folder;
  private final TestRun test = new TestRun();

  /** Three ways to one database, so that nothing is late. */
  private History run(Routing routing) throws Exception {
    String url = "jdbc:h2:mem:roles-" + routing + ";DB_CLOSE_DELAY=-1";
    List<Node> nodes =
        List.of(
            Node.parse("primary=" + url),
            Node.parse("replica=" + url),
            Node.parse("replica=" + url));
    Target target = new Target(Databases.standard(), null, nodes, null, null, Map.of());
    test.routing = routing;
    test.sessions = 6;
    try (Connector connector = TestDatabases.start(target)) {
      return test.on(connector, connector.database().strongest(), folder.resolve("run.assay"));
    }
  }

  @ParameterizedTest
  @EnumSource(Routing.class)
  void replicasAreOnlyReadAndEveryTransactionNamesItsNode(Routing routing) throws Exception {
    History history = run(routing);
    Nodes nodes = Nodes.of(history);
    Set<String> used = new HashSet<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      String name = nodes.name(txn);
      assertThat(name).isIn("primary", "replica 1", "replica 2");
      used.add(name);
      boolean writes = writes(history, txn);
      assertThat(name.startsWith("replica") && writes).isFalse();
      if (routing == Routing.SPLIT && !isFinal(history, txn)) {
        assertThat(name.startsWith("replica")).isEqualTo(!writes);
      }
    }
    assertThat(used).hasSize(3);
  }

  /** What is found while a run goes on names the nodes, too. */
  @ParameterizedTest
  @EnumSource(Routing.class)
  void nodesAreOnRecordBeforeTheRunEnds(Routing routing) throws Exception {
    History whole = run(routing);
    byte[] bytes = Files.readAllBytes(folder.resolve("run.assay"));
    // What comes last: counts, nodes, and the end of the file.
    byte[] cut = Arrays.copyOf(bytes, bytes.length * 9 / 10);
    History part = Assay.read(Files.write(folder.resolve("part.assay"), cut));
    assertThat(part.metadata()).containsKey(Origin.CUT_SHORT);
    assertThat(part.transactionCount()).isPositive().isLessThanOrEqualTo(whole.transactionCount());
    Nodes nodes = Nodes.of(part);
    assertThat(nodes.count()).isEqualTo(3);
    for (int txn = 0; txn < part.transactionCount(); txn++) {
      assertThat(nodes.name(txn)).isNotNull();
    }
  }

  @Test
  void aSessionThatWandersHasTransactionsOnEveryNode() throws Exception {
    History history = run(Routing.WANDER);
    Nodes nodes = Nodes.of(history);
    Set<Integer> numbers = new HashSet<>();
    for (int place = 0; place < history.sessionSize(0); place++) {
      numbers.add(nodes.number(history.sessionTransaction(0, place)));
    }
    assertThat(numbers).containsExactlyInAnyOrder(1, 2, 3);
  }

  private static boolean isFinal(History history, int txn) {
    return history
        .sessionText(history.session(txn))
        .equals(history.metadata().get(History.FINAL_SESSION));
  }

  private static boolean writes(History history, int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite()) {
        return true;
      }
    }
    return false;
  }
}
