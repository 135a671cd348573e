package dev.assay.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is left of a search for the smallest part when time runs out. */
class MinimizerBudgetTest {
  private static History history() {
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < 3; i++) {
      builder.begin(builder.session("s" + i), Outcome.COMMITTED);
      builder.read("x", 5);
    }
    return builder.build();
  }

  @Test
  void withoutTimeThePartIsTheWholeUnlessTheTransactionsOfAWitnessAreEnough() {
    History whole = history();
    Anomaly thinAir = Anomaly.of(AnomalyType.THIN_AIR_READ, 3, List.of(Evidence.ofOperations(1)));
    Budget none = Budget.of(Duration.ZERO);
    Smallest few = new Minimizer(whole, (part, type) -> true, none).of(List.of(thinAir));
    assertThat(few.history().transactionCount()).isEqualTo(1);
    assertThat(few.minimal()).isFalse();
    Smallest all = new Minimizer(whole, (part, type) -> false, none).of(List.of(thinAir));
    assertThat(all.history()).isSameAs(whole);
    assertThat(all.minimal()).isFalse();
    Smallest unseen = new Minimizer(whole, (part, type) -> true, none).of(List.of());
    assertThat(unseen.history()).isSameAs(whole);
    assertThat(unseen.minimal()).isFalse();
  }

  @Test
  void withTimeOneTransactionIsEnough() {
    Anomaly thinAir = Anomaly.of(AnomalyType.THIN_AIR_READ, 3, List.of(Evidence.ofOperations(1)));
    Minimizer.Judge judge = (part, type) -> part.operationCount() > 0;
    Smallest smallest = new Minimizer(history(), judge, Budget.unlimited()).of(List.of(thinAir));
    assertThat(smallest.history().transactionCount()).isEqualTo(1);
    assertThat(smallest.minimal()).isTrue();
  }
}
