package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.weak.CausalPastTest.Prepared;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Axiom;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** After the first guess only what has moved is looked at, which must find the same edges. */
class NewlyBackwardsTest {
  private static final int KEYS = 8;

  /** Transactions run one after another; few reads are of an older version. */
  private static History random(Random random, int transactions, int sessions) {
    HistoryBuilder b = new HistoryBuilder();
    int[] written = new int[KEYS];
    for (int txn = 0; txn < transactions; txn++) {
      b.begin(b.session(random.nextInt(sessions)), Outcome.COMMITTED);
      for (int op = 0; op < 1 + random.nextInt(4); op++) {
        int key = random.nextInt(KEYS);
        if (random.nextInt(3) == 0) {
          b.write("k" + key, ++written[key]);
        } else {
          int version = written[key] - (random.nextInt(30) == 0 ? 1 : 0);
          b.read("k" + key, version <= 0 ? null : (Object) version);
        }
      }
    }
    return b.build();
  }

  private static List<Integer> shuffled(int size, Random random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    return order;
  }

  private static List<String> texts(EdgeList edges) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < edges.size(); i++) {
      texts.add(edges.from(i) + " " + edges.to(i) + " " + edges.label(i) + " " + edges.mark(i));
    }
    return texts;
  }

  private static boolean anyToInitial(EdgeList edges) {
    return IntStream.range(0, edges.size()).anyMatch(i -> edges.to(i) == ReadsFrom.INITIAL);
  }

  @Test
  void whatHasMovedShowsAllNewEdgesInTheirOrder() {
    Random random = new Random(5);
    int found = 0;
    int partial = 0;
    for (int round = 0; round < 600; round++) {
      int transactions = 30 + random.nextInt(150);
      History history = random(random, transactions, 1 + random.nextInt(transactions));
      Prepared prepared = Prepared.of(history);
      OrderSearch search = prepared.search();
      int[] guess = shuffled(transactions, random).stream().mapToInt(Integer::intValue).toArray();
      for (Axiom axiom : Axiom.values()) {
        CommitOrder order = CommitOrder.find(prepared.constraints(), guess);
        EdgeList forced = new EdgeList();
        EdgeList edges = search.all(axiom, order, Scan.BACKWARDS);
        // An edge into the initial version refutes the axiom, which ends every search.
        while (edges.size() > 0 && !anyToInitial(edges)) {
          forced.addAll(edges);
          CommitOrder.Constraints constraints =
              new CommitOrder.Constraints(prepared.causality(), true, search.cycles(), forced);
          CommitOrder next = CommitOrder.find(constraints, order.toArray());
          if (next == null) {
            break;
          }
          order = next;
          edges = search.all(axiom, order, Scan.BACKWARDS);
          Scan.Region region = Scan.newlyBackwards(order);
          assertThat(texts(search.all(axiom, order, region))).isEqualTo(texts(edges));
          if (region.among() != null) {
            partial++;
            found += edges.size();
          }
        }
      }
    }
    assertThat(partial).isGreaterThan(500);
    assertThat(found).isGreaterThan(50);
  }
}
