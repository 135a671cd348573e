package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arguments between transactions that are taken for arguments between operations are some. */
class OperationOrderTest {
  private static WeakRun decide(History history, ReadsFrom reads) {
    Subject subject =
        new Subject(
            history,
            reads,
            new VersionOrders(history, reads, Given.NOTHING),
            EnumSet.of(Level.CAUSAL),
            EnumSet.noneOf(Level.class),
            EnumSet.noneOf(Level.class),
            Budget.unlimited());
    return new WeakRun(subject, EnumSet.of(Level.CAUSAL, Level.READ_ATOMIC)).decide();
  }

  private static boolean isShown(History history) {
    ReadsFrom reads = ReadsFrom.of(history);
    OperationOrder operations = new OperationOrder(history, reads);
    return decide(history, reads).anomalies().stream()
        .map(Anomaly::witnesses)
        .flatMap(List::stream)
        .anyMatch(operations::isCycle);
  }

  private static boolean holdsBetweenOperations(History history) {
    History split = SplitOperations.of(history, ReadsFrom.of(history)).rewritten();
    return Ledger.holds(decide(split, ReadsFrom.of(split)).verdicts(), Level.CAUSAL);
  }

  private static History random(Random random, int transactions, int sessions) {
    HistoryBuilder b = new HistoryBuilder();
    int[] written = new int[3];
    for (int txn = 0; txn < transactions; txn++) {
      b.begin(b.session(random.nextInt(sessions)), Outcome.COMMITTED);
      for (int op = 0; op < 1 + random.nextInt(4); op++) {
        int key = random.nextInt(written.length);
        if (random.nextInt(3) == 0) {
          b.write("k" + key, ++written[key]);
        } else {
          // Now and then a version of the future, for cycles of causal order.
          int version = written[key] + (random.nextInt(12) == 0 ? 1 : -random.nextInt(3));
          b.read("k" + key, version <= 0 ? null : (Object) version);
        }
      }
    }
    return b.build();
  }

  @Test
  void whatIsShownIsViolatedAfterSplitting() {
    Random random = new Random(11);
    int shown = 0;
    int open = 0;
    int holding = 0;
    for (int round = 0; round < 3_000; round++) {
      History history = random(random, 3 + random.nextInt(8), 2 + random.nextInt(3));
      boolean holds = holdsBetweenOperations(history);
      boolean isShown = isShown(history);
      assertThat(isShown && holds).as("round %d", round).isFalse();
      shown += isShown ? 1 : 0;
      open += isShown || holds ? 0 : 1;
      holding += holds ? 1 : 0;
    }
    assertThat(shown).isGreaterThan(500);
    assertThat(open).isLessThan(shown);
    assertThat(holding).isGreaterThan(200);
  }

  @Test
  void aReadBeforeTheOneThatShouldHaveBoundItShowsNothing() {
    for (boolean staleFirst : new boolean[] {true, false}) {
      HistoryBuilder b = new HistoryBuilder();
      b.begin(b.session(0), Outcome.COMMITTED);
      b.write("x", 1);
      b.write("y", 1);
      b.begin(b.session(1), Outcome.COMMITTED);
      if (staleFirst) {
        b.read("x", null);
      }
      b.read("y", 1);
      if (!staleFirst) {
        b.read("x", null);
      }
      History history = b.build();
      assertThat(isShown(history)).isNotEqualTo(staleFirst);
      assertThat(holdsBetweenOperations(history)).isEqualTo(staleFirst);
    }
  }
}
