package dev.assay.check.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  private static final int KEYS = 3;

  /**
   * Transactions on some of three keys.
   *
   * @param length how long they last at most; many overlap if it is long
   */
  private static History random(Random random, int transactions, int length) {
    HistoryBuilder builder = new HistoryBuilder();
    for (int t = 0; t < transactions; t++) {
      boolean known = random.nextInt(8) > 0;
      int session = builder.session((long) random.nextInt(transactions));
      int txn = builder.begin(session, known ? Outcome.COMMITTED : Outcome.INDETERMINATE);
      long start = random.nextInt(4) * 100L + random.nextInt(10);
      builder.start(txn, start);
      builder.end(txn, start + random.nextInt(length));
      for (int key = 0; key < KEYS; key++) {
        if (random.nextInt(3) > 0) {
          builder.write((long) key, (long) t);
        }
      }
    }
    return builder.build();
  }

  private static boolean isDemanded(History history, int first, int second, int key) {
    boolean common = history.lastWrite(first, key) >= 0 && history.lastWrite(second, key) >= 0;
    boolean inSession = history.session(first) == history.session(second) && first < second;
    return common && (inSession || KeyOrder.endedBefore(history, first, second));
  }

  /** What comes after each transaction by the steps of one key, transactions of any outcome. */
  private static BitSet[] after(History history, KeyOrder order, int key) {
    int transactions = history.transactionCount();
    BitSet[] after = new BitSet[transactions + order.instants().size()];
    for (int i = 0; i < after.length; i++) {
      after[i] = new BitSet();
    }
    EdgeList steps = order.steps();
    for (int i = 0; i < steps.size(); i++) {
      if (steps.label(i) == key) {
        after[steps.from(i)].set(steps.to(i));
      }
    }
    for (int i = 0; i < order.ended().size(); i++) {
      int instant = order.ended().to(i);
      if (order.instants().get(instant).key() == key) {
        after[order.ended().from(i)].set(transactions + instant);
      }
    }
    for (int i = 0; i < order.began().size(); i++) {
      int instant = order.began().from(i);
      if (order.instants().get(instant).key() == key) {
        after[transactions + instant].set(order.began().to(i));
      }
    }
    for (int i = 0; i < order.instants().size(); i++) {
      KeyOrder.Instant instant = order.instants().get(i);
      if (instant.key() == key && instant.before() != KeyOrder.NONE) {
        after[transactions + instant.before()].set(transactions + i);
      }
    }
    for (int via = 0; via < after.length; via++) {
      for (BitSet one : after) {
        if (one.get(via)) {
          one.or(after[via]);
        }
      }
    }
    return after;
  }

  @Test
  void itsStepsLeadFromATransactionToAllThatMustComeAfterItOnAKeyAndToNoOther() {
    Random random = new Random(11);
    int chains = 0;
    for (int i = 0; i < 60; i++) {
      History history = random(random, 10 + i, i % 2 == 0 ? 80 : 150);
      KeyOrder order = new KeyOrder(history);
      chains += order.began().size() > history.transactionCount() ? 1 : 0;
      for (int key = 0; key < KEYS; key++) {
        BitSet[] after = after(history, order, key);
        for (int a = 0; a < history.transactionCount(); a++) {
          for (int b = 0; b < history.transactionCount(); b++) {
            boolean demanded = a != b && isDemanded(history, a, b, key);
            boolean through = after[a].get(b) && !demanded;
            assertThat(!demanded || after[a].get(b)).as("%s before %s", a, b).isTrue();
            assertThat(through && !followsThroughOthers(history, a, b, key)).isFalse();
          }
        }
      }
    }
    assertThat(chains).as("histories with a chain").isGreaterThan(10);
  }

  /** Whether other transactions come between two by what each pair demands. */
  private static boolean followsThroughOthers(History history, int a, int b, int key) {
    BitSet reached = new BitSet();
    reached.set(a);
    for (int from = a; from >= 0; ) {
      int next = from;
      IntStream.range(0, history.transactionCount())
          .filter(to -> isDemanded(history, next, to, key))
          .forEach(to -> reached.set(to + history.transactionCount()));
      from = -1;
      for (int to = 0; to < history.transactionCount() && from < 0; to++) {
        if (reached.get(to + history.transactionCount()) && !reached.get(to)) {
          reached.set(to);
          from = to;
        }
      }
    }
    return reached.get(b + history.transactionCount());
  }

  /** A step of a witness leads from a transaction to another, however many moments are between. */
  @Test
  void aStaleReadAmongManyTransactionsAtOnceIsTold() {
    HistoryBuilder builder = new HistoryBuilder();
    int clients = 60;
    for (int wave = 0; wave < 3; wave++) {
      for (int client = 0; client < clients; client++) {
        int txn = builder.begin(builder.session((long) client), Outcome.COMMITTED);
        builder.start(txn, 100 * wave + client);
        builder.end(txn, 100 * wave + 80 + client / 4);
        // In the last wave one client sees what was overwritten before.
        if (wave == 0 && client == 0) {
          builder.write("x", 1L);
        } else if (wave == 1 && client == 0) {
          builder.read("x", 1L);
          builder.write("x", 2L);
        } else if (wave == 2) {
          builder.read("x", client == 7 ? 1L : 2L);
        } else {
          builder.read("x", null);
          builder.append("list", (long) (wave * clients + client));
        }
      }
    }
    History history = builder.build();
    Report report =
        Assay.check(history, Set.of(Level.SERIALIZABLE_LINEARIZABLE_KEYS), Budget.unlimited());
    assertThat(report.violated(Level.SERIALIZABLE_LINEARIZABLE_KEYS)).isTrue();
    List<Edge> cycle =
        report.anomalies().stream()
            .filter(anomaly -> anomaly.type() == AnomalyType.G_SINGLE_ITEM_REALTIME)
            .findFirst()
            .orElseThrow()
            .witnesses()
            .get(0)
            .edges();
    assertThat(cycle).extracting(Edge::kind).contains(EdgeKind.RT);
    assertThat(cycle).allMatch(edge -> edge.from() >= 0 && edge.from() < 3 * clients);
  }
}
