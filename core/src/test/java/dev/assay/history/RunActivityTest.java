package dev.assay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What transactions did over time. */
class RunActivityTest {
  private static final long MILLI = 1_000_000;

  private final HistoryBuilder builder = new HistoryBuilder();

  private void transaction(int session, long startMillis, long endMillis, boolean writes) {
    int txn = builder.begin(builder.session(session), Outcome.COMMITTED);
    builder.start(txn, startMillis * MILLI);
    builder.end(txn, endMillis * MILLI);
    if (writes) {
      builder.append("x", builder.operationCount());
    } else {
      builder.read("y", null);
    }
  }

  @Test
  void quantilesAreThoseOfTheKind() {
    for (int i = 0; i < 100; i++) {
      transaction(0, 1000, 1000 + i + 1, true);
      transaction(1, 1000, 1000 + 1, false);
    }
    RunActivity activity = RunActivity.of(builder.build());
    double worst = 0;
    for (int i = 0; i < activity.stretches(); i++) {
      double millis = activity.millis(RunActivity.Kind.WRITES, i, 1);
      worst = Double.isNaN(millis) ? worst : Math.max(worst, millis);
      double reads = activity.millis(RunActivity.Kind.READS, i, 1);
      assertThat(reads).satisfiesAnyOf(r -> assertThat(r).isNaN(), r -> near(r, 1));
    }
    near(worst, 100);
  }

  private static void near(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(0.07 * expected));
  }

  @Test
  void aLongRunHasLongerStretches() {
    for (int second = 0; second < 3600; second++) {
      transaction(0, second * 1000L, second * 1000L + 10, true);
    }
    RunActivity activity = RunActivity.of(builder.build());
    assertThat(activity.stretches()).isBetween(128, 256);
    long transactions = 0;
    long committed = 0;
    for (int i = 0; i < activity.stretches(); i++) {
      transactions += activity.count(RunActivity.Kind.WRITES, i);
      committed += activity.count(Outcome.COMMITTED, i);
    }
    assertThat(transactions).isEqualTo(3600);
    assertThat(committed).isEqualTo(3600);
    assertThat(activity.seconds(activity.stretches() - 1)).isBetween(3570.0, 3600.0);
  }

  @Test
  void availabilityIsTheShareOfTimeWithCommits() {
    for (int i = 0; i < 100; i++) {
      // Nothing commits from 4 to 5 s.
      if (i < 40 || i >= 50) {
        transaction(0, i * 100L, i * 100L + 50, true);
      }
    }
    RunActivity activity = RunActivity.of(builder.build());
    RecordedFault half = new RecordedFault("kill of a", 4000 * MILLI, 6000 * MILLI);
    RunActivity.Availability fared = activity.during(half, List.of(half));
    assertThat(fared.available()).isCloseTo(0.5, within(0.001));
    assertThat(fared.perSecond()).isCloseTo(5, within(0.001));
    assertThat(fared.perSecondElsewhere()).isCloseTo(10, within(0.001));
    assertThat(fared.silentSeconds()).isCloseTo(1, within(0.001));
    RecordedFault after = new RecordedFault("kill of b", 60_000 * MILLI, History.ABSENT);
    assertThat(activity.during(after, List.of(after))).isNull();
  }

  @Test
  void finalReadsAreNotClients() {
    builder.metadata(History.FINAL_SESSION, "1");
    transaction(0, 0, 10, true);
    transaction(1, 9000, 9010, false);
    RunActivity activity = RunActivity.of(builder.build());
    assertThat(activity.stretches()).isLessThan(10);
  }

  @Test
  void faultsAreReadFromMetadata() {
    builder.metadata("fault.2", "kill of replica 1 at 7000 ns");
    builder.metadata("fault.1", "partition of primary at 5000 ns");
    builder.metadata("fault.1.end", "partition of primary until 6000 ns");
    builder.metadata("fault.3", "slow was not possible");
    assertThat(RecordedFault.of(builder.build()))
        .containsExactly(
            new RecordedFault("partition of primary", 5000, 6000),
            new RecordedFault("kill of replica 1", 7000, History.ABSENT));
  }
}
