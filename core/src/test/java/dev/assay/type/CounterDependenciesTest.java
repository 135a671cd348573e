package dev.assay.type;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CounterDependenciesTest {
  private final HistoryBuilder b = new HistoryBuilder();

  private int begin(Outcome outcome) {
    return b.begin(b.session(b.transactionCount()), outcome);
  }

  @Test
  void readersOfDifferentValuesAreOrderedWhereACounterOnlyGrows() {
    begin(Outcome.COMMITTED);
    b.increment("c", 2);
    begin(Outcome.INDETERMINATE);
    b.increment("c", 3);
    for (long seen : new long[] {5, 0, 2}) {
      begin(Outcome.COMMITTED);
      b.readCounter("c", seen);
    }
    History history = b.build();
    CounterDependencies found = new CounterDependencies(history, ReadsFrom.of(history));
    EdgeList between = found.rw();
    assertThat(between.size()).isEqualTo(2);
    assertThat(between.from(0)).isEqualTo(3);
    assertThat(between.to(0)).isEqualTo(4);
    assertThat(between.from(1)).isEqualTo(4);
    assertThat(between.to(1)).isEqualTo(2);
    assertThat(found.known()).isEqualTo(new KnownOrders(0, 1, 0));
  }

  @Test
  void anIncrementOfUnknownOutcomeTheOtherWayLeavesNothing() {
    begin(Outcome.COMMITTED);
    b.increment("c", 2);
    begin(Outcome.INDETERMINATE);
    b.increment("c", -1);
    for (long seen : new long[] {0, 2}) {
      begin(Outcome.COMMITTED);
      b.readCounter("c", seen);
    }
    History history = b.build();
    CounterDependencies found = new CounterDependencies(history, ReadsFrom.of(history));
    assertThat(found.rw().size()).isZero();
    assertThat(found.known()).isEqualTo(new KnownOrders(0, 0, 1));
  }

  @Test
  void aReadAfterAnOwnIncrementOrdersNothing() {
    begin(Outcome.COMMITTED);
    b.increment("c", 2);
    b.readCounter("c", 2);
    begin(Outcome.COMMITTED);
    b.readCounter("c", 0);
    History history = b.build();
    assertThat(new CounterDependencies(history, ReadsFrom.of(history)).rw().size()).isZero();
  }

  @Test
  void whatASerialRunRecordsIsNeverOrderedAgainstIt() {
    Random random = new Random(5);
    int edges = 0;
    for (int round = 0; round < 500; round++) {
      HistoryBuilder builder = new HistoryBuilder();
      int sign = random.nextBoolean() ? 1 : -1;
      long value = 0;
      for (int t = 0; t < 8; t++) {
        boolean reads = random.nextBoolean();
        Outcome outcome = reads ? Outcome.COMMITTED : Outcome.of(random.nextInt(3));
        builder.begin(builder.session(t), outcome);
        long amount = (long) sign * random.nextInt(3);
        if (reads) {
          builder.readCounter("c", value);
        }
        builder.increment("c", amount);
        boolean applies =
            outcome == Outcome.COMMITTED
                || (outcome == Outcome.INDETERMINATE && random.nextBoolean());
        value += applies ? amount : 0;
      }
      History history = builder.build();
      EdgeList between = new CounterDependencies(history, ReadsFrom.of(history)).rw();
      for (int e = 0; e < between.size(); e++) {
        assertThat(between.from(e)).isLessThan(between.to(e));
      }
      edges += between.size();
    }
    assertThat(edges).isGreaterThan(500);
  }

  @Test
  void aValueThatNoChoiceOfIncrementsAddsUpToIsThinAir() {
    begin(Outcome.COMMITTED);
    b.increment("c", 2);
    begin(Outcome.ABORTED);
    b.increment("c", 5);
    begin(Outcome.INDETERMINATE);
    b.increment("c", -1);
    for (long seen : new long[] {-1, 0, 2, 3, -2}) {
      begin(Outcome.COMMITTED);
      b.readCounter("c", seen);
    }
    long thinAir =
        Assay.check(b.build(), Level.surveyed(), Budget.unlimited()).anomalies().stream()
            .filter(anomaly -> anomaly.type() == AnomalyType.THIN_AIR_READ)
            .mapToLong(anomaly -> anomaly.count())
            .sum();
    assertThat(thinAir).isEqualTo(2);
  }
}
