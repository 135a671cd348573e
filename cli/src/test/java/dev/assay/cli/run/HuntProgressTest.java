package dev.assay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.Outcome;
import org.junit.jupiter.api.Test;

class HuntProgressTest {
  private static long fifteenCommitted(Outcome outcome) {
    return switch (outcome) {
      case COMMITTED -> 15;
      case ABORTED -> 5;
      case INDETERMINATE -> 0;
    };
  }

  private static HuntProgress after(int attempts, int repetitions, String soFar) {
    HuntProgress hunt = new HuntProgress(repetitions);
    for (int attempt = 1; attempt <= attempts; attempt++) {
      hunt.begin(attempt, HuntProgressTest::fifteenCommitted, () -> soFar);
    }
    return hunt;
  }

  @Test
  void quickAttemptsAreToldByTheirTotals() {
    assertThat(after(146, 10_000, "serializable holds so far").text(9_300))
        .isEqualTo(
            "attempt 146 of up to 10,000, 9.3 s (16 attempts a second):"
                + " 2,190 committed, 730 aborted");
  }

  @Test
  void slowAttemptsAreToldWithTheirVerdict() {
    assertThat(after(3, Integer.MAX_VALUE, "serializable holds so far").text(60_000))
        .isEqualTo(
            "attempt 3, 60 s (20 s an attempt): 45 committed, 15 aborted;"
                + " serializable holds so far");
  }

  @Test
  void theFirstAttemptHasNoPace() {
    assertThat(after(1, 50, "").text(400))
        .isEqualTo("attempt 1 of up to 50, 0.4 s: 15 committed, 5 aborted");
  }
}
