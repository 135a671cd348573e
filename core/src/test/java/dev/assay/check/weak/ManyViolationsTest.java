package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Where violations are too many to list, some are told of and the verdict is the same. */
class ManyViolationsTest {
  private static final Extent.Bounds NOTHING = new Extent.Bounds(-1, -1, 0);

  @Test
  void theLastWritersDecideLikeAllOfThem() {
    Random random = new Random(5);
    int refuted = 0;
    int found = 0;
    for (int round = 0; round < 300; round++) {
      int transactions = 10 + random.nextInt(100);
      int sessions = 1 + random.nextInt(round % 2 == 0 ? 5 : transactions);
      History history = CausalPastTest.random(random, transactions, sessions);
      for (Level level : Level.definedByAxioms()) {
        boolean expected = isRefuted(history, level, null, OrderSearch.ClockUse.WHERE_CHEAPER);
        for (OrderSearch.ClockUse use : OrderSearch.ClockUse.values()) {
          assertThat(isRefuted(history, level, NOTHING, use))
              .as("round %d, %s, clocks %s", round, level, use)
              .isEqualTo(expected);
        }
        refuted += expected ? 1 : 0;
        found += expected ? 0 : 1;
      }
    }
    assertThat(refuted).isGreaterThan(500);
    assertThat(found).isGreaterThan(500);
  }

  private static boolean isRefuted(
      History history, Level level, Extent.Bounds bounds, OrderSearch.ClockUse use) {
    CausalPastTest.Prepared prepared = CausalPastTest.Prepared.of(history);
    OrderSearch search =
        OrderSearch.of(
                prepared.causality(),
                level.orders().includeSessions(),
                prepared.access(),
                Budget.unlimited())
            .using(use);
    if (bounds != null) {
      search.within(bounds);
    }
    return search.run(level.axiom()) instanceof OrderSearch.Result.Refuted;
  }

  /** Some transactions write a key in one session, as many do what is given. */
  private static History crowd(int half, BiConsumer<HistoryBuilder, Random> reader) {
    HistoryBuilder b = new HistoryBuilder();
    Random random = new Random(1);
    for (int i = 1; i <= half; i++) {
      b.begin(b.session(0), Outcome.COMMITTED);
      b.write("x", i);
      b.write("y", i);
    }
    for (int i = 0; i < half; i++) {
      b.begin(b.session(1 + random.nextInt(20)), Outcome.COMMITTED);
      reader.accept(b, random);
    }
    return b.build();
  }

  private static Anomaly found(Report report, AnomalyType type) {
    return report.anomalies().stream().filter(a -> a.type() == type).findFirst().orElseThrow();
  }

  private static Report check(History history) {
    return Assay.check(history, Set.of(Level.CAUSAL), Budget.unlimited());
  }

  @Test
  void staleReadsOfOneKeyAreCountedUpToABound() {
    int half = 2_500;
    Report report = check(crowd(half, (b, random) -> b.read("x", 1 + random.nextInt(half))));
    Anomaly stale = found(report, AnomalyType.CO_CONFLICT);
    assertThat(stale.countIsLowerBound()).isTrue();
    assertThat(stale.count()).isBetween(half / 2L, 1L << 21);
    assertThat(stale.witnesses()).hasSize(3);
    assertThat(report.violated(Level.CAUSAL)).isTrue();
  }

  @Test
  void fewStaleReadsAreCountedExactly() {
    int half = 60;
    Report report = check(crowd(half, (b, random) -> b.read("x", 1 + random.nextInt(half))));
    assertThat(found(report, AnomalyType.CO_CONFLICT).countIsLowerBound()).isFalse();
  }

  @Test
  void everyReadIsRepresentedWhateverItsName() {
    int half = 2_500;
    Report report =
        check(
            crowd(
                half,
                (b, random) -> {
                  b.read("x", 1 + random.nextInt(half / 2));
                  b.read("y", half / 2 + 1 + random.nextInt(half / 2));
                }));
    assertThat(found(report, AnomalyType.FRACTURED_READ_CO).count()).isEqualTo(half);
    assertThat(report.anomalies()).extracting(Anomaly::type).contains(AnomalyType.CO_CONFLICT);
  }

  @Test
  void aTransactionThatReadsOneKeyFromThousandsIsDecided() {
    HistoryBuilder b = new HistoryBuilder();
    int writers = 1_500;
    for (int i = 1; i <= writers; i++) {
      b.begin(b.session(0), Outcome.COMMITTED);
      b.write("x", i);
    }
    b.begin(b.session(1), Outcome.COMMITTED);
    for (int i = writers; i > 0; i--) {
      b.read("x", i);
    }
    Report report =
        Assay.check(b.build(), List.of(Level.READ_COMMITTED, Level.CAUSAL), Budget.unlimited());
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
    assertThat(report.violated(Level.CAUSAL)).isTrue();
  }
}
