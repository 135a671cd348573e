package dev.assay.check.adya;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.infer.Dependencies;
import dev.assay.level.AnomalyType;
import dev.assay.level.CycleKind;
import dev.assay.level.Level;
import dev.assay.level.Orders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In a history that is right but for one read, few edges can start a cycle. */
class OneMissTest {
  /**
   * Appends one after another by 20 sessions; one of them read what the one before had not done.
   */
  private static History lists(int transactions, int wrong) {
    HistoryBuilder b = new HistoryBuilder();
    int[] length = new int[transactions];
    for (int i = 0; i < transactions; i++) {
      int key = 10 * (i / 500) + i % 10;
      int seen = length[key] - (i == wrong ? 1 : 0);
      List<Object> read = new ArrayList<>();
      IntStream.range(0, seen).forEach(read::add);
      int txn = b.begin(b.session(i % 20), Outcome.COMMITTED);
      b.start(txn, 10L * i);
      b.end(txn, 10L * i + 15);
      b.readList("k" + key, read);
      b.append("k" + key, length[key]++);
    }
    return b.build();
  }

  @Test
  void onlyTheReadThatMissedSomethingTurnsBack() {
    History history = lists(2_000, 1_255);
    Subject subject = Subject.of(history, Set.of(Level.STRICT_SERIALIZABLE), Budget.unlimited());
    AdyaGraph graph =
        new AdyaGraph(new Dependencies(history, subject.reads(), subject.versions(), false), null);
    CyclicSubgraph subgraph = CyclicSubgraph.whole(graph);
    for (Orders orders : Orders.values()) {
      Ranks ranks = subgraph.ranks(CycleKind.G1C.dependencies() | orders.kinds());
      int turning = 0;
      for (int from = 0; from < subgraph.transactions(); from++) {
        for (int place = subgraph.first(from); place < subgraph.end(from); place++) {
          boolean miss = subgraph.kind(place) == AdyaGraph.RW;
          turning += miss && ranks.turnsBack(from, place) ? 1 : 0;
        }
      }
      assertThat(turning).as("%s", orders).isBetween(1, 3);
    }
  }

  @Test
  void itIsFoundAndNothingElse() {
    Report report = Assay.check(lists(2_000, 1_255), Level.surveyed(), Budget.unlimited());
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.STRONG_ADYA_READ_COMMITTED)).isTrue();
    assertThat(report.anomalies())
        .anyMatch(anomaly -> anomaly.type() == AnomalyType.G_SINGLE_ITEM)
        .anyMatch(anomaly -> anomaly.type() == AnomalyType.LOST_UPDATE);
  }
}
