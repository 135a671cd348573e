package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.infer.ListVersions;
import dev.assay.level.Axiom;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clocks, windows of clocks, sweeps and searches must tell the same of what precedes what. */
class CausalPastTest {
  private static final int KEYS = 6;

  /** Reads lag behind by a random number of versions, so that many candidates arise. */
  static History random(Random random, int transactions, int sessions) {
    HistoryBuilder b = new HistoryBuilder();
    int[] written = new int[KEYS];
    for (int txn = 0; txn < transactions; txn++) {
      boolean aborted = random.nextInt(12) == 0;
      b.begin(b.session(random.nextInt(sessions)), aborted ? Outcome.ABORTED : Outcome.COMMITTED);
      for (int op = 0; op < 1 + random.nextInt(3); op++) {
        int key = random.nextInt(KEYS);
        if (random.nextInt(3) == 0) {
          b.write("k" + key, ++written[key]);
        } else {
          // Now and then a version of the future, for cycles.
          int version = written[key] + (random.nextInt(60) == 0 ? 1 : -random.nextInt(6));
          b.read("k" + key, version <= 0 ? null : (Object) version);
        }
      }
    }
    return b.build();
  }

  record Prepared(Causality causality, List<KeyAccess> access, OrderSearch search) {
    static Prepared of(History history) {
      ReadsFrom reads = ReadsFrom.of(history);
      ListVersions lists = new ListVersions(history, reads);
      List<KeyAccess> access = new ArrayList<>(reads.access());
      access.add(lists.access());
      Causality causality = new Causality(history, reads, lists.order());
      return new Prepared(
          causality, access, OrderSearch.of(causality, true, access, Budget.unlimited()));
    }

    CommitOrder.Constraints constraints() {
      return new CommitOrder.Constraints(causality, true, search.cycles(), new EdgeList());
    }
  }

  private static List<String> edges(Prepared prepared, OrderSearch.ClockUse use) {
    OrderSearch search = prepared.search().using(use);
    EdgeList edges = search.all(Axiom.CAUSAL, search.firstGuess(), Scan.BACKWARDS);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < edges.size(); i++) {
      found.add(edges.from(i) + " " + edges.to(i) + " " + edges.label(i) + " " + edges.mark(i));
    }
    Collections.sort(found);
    return found;
  }

  @Test
  void sweepsAndClocksFindTheSameEdges() {
    Random random = new Random(3);
    int found = 0;
    for (int round = 0; round < 300; round++) {
      int transactions = 20 + random.nextInt(300);
      Prepared prepared =
          Prepared.of(random(random, transactions, 1 + random.nextInt(transactions)));
      List<String> byClocks = edges(prepared, OrderSearch.ClockUse.ALWAYS);
      assertThat(edges(prepared, OrderSearch.ClockUse.NEVER)).isEqualTo(byClocks);
      assertThat(edges(prepared, OrderSearch.ClockUse.WHERE_CHEAPER)).isEqualTo(byClocks);
      found += byClocks.size();
    }
    assertThat(found).isGreaterThan(1000);
  }

  @Test
  void clocksOverWindowsAndSearchesAgreeOnEveryPair() {
    Random random = new Random(4);
    int preceding = 0;
    for (int round = 0; round < 40; round++) {
      int sessions = 2 + random.nextInt(20);
      Prepared prepared = Prepared.of(random(random, 80, sessions));
      CommitOrder order = prepared.search().firstGuess();
      DirectPast direct = new DirectPast(prepared.constraints(), order);
      int count = prepared.causality().history().sessionCount();
      int middle = count / 2;
      CausalPast whole = new CausalPast(prepared.constraints(), order, 0, count);
      CausalPast low = new CausalPast(prepared.constraints(), order, 0, middle);
      CausalPast high = new CausalPast(prepared.constraints(), order, middle, count);
      for (int i = 0; i < order.size(); i++) {
        for (int j = 0; j < order.size(); j++) {
          int earlier = order.at(i);
          int later = order.at(j);
          if (earlier != later) {
            CausalPast window = low.covers(earlier) ? low : high;
            boolean precedes = whole.contains(earlier, later);
            assertThat(window.contains(earlier, later)).isEqualTo(precedes);
            assertThat(direct.contains(earlier, later)).isEqualTo(precedes);
            preceding += precedes ? 1 : 0;
          }
        }
      }
    }
    assertThat(preceding).isGreaterThan(1000);
  }
}
