package dev.assay.check.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EqualLevelsTest {
  /** Otherwise a report would say that mixed is violated, and that it allows what violates it. */
  @Test
  void whatViolatesTheLevelOfAllTransactionsViolatesMixed() {
    HistoryBuilder builder = new HistoryBuilder();
    for (int client = 0; client < 2; client++) {
      int txn = builder.begin(builder.session((long) client), Outcome.COMMITTED);
      builder.level(txn, "serializable");
      builder.read(client == 0 ? "x" : "y", null);
      builder.write(client == 0 ? "y" : "x", 1L);
    }
    Report report = Assay.check(builder.build(), Set.of(Level.MIXED), Budget.unlimited());
    assertThat(report.violated(Level.MIXED)).isTrue();
    assertThat(report.anomalies()).hasSize(1);
    assertThat(report.anomalies().get(0).violates())
        .contains(Level.MIXED, Level.SERIALIZABLE)
        .doesNotContain(Level.SNAPSHOT_ISOLATION);
  }
}
