package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is named in a long history whose levels are violated early. */
class ListingTest {
  private static final int BLOCKS = 15_000;
  private static final int BLOCKS_AT_ONCE = 250;

  private long clock;

  @Test
  void readsAreCountedExactlyCyclesAtLeastAndWhatIsNewIsNamed() {
    Report report = judged();
    Anomaly aborted = anomaly(report, AnomalyType.ABORTED_READ);
    assertThat(aborted.count()).isEqualTo(BLOCKS);
    assertThat(aborted.countIsLowerBound()).isFalse();
    Anomaly lost = anomaly(report, AnomalyType.LOST_UPDATE);
    assertThat(lost.countIsLowerBound()).isTrue();
    assertThat(lost.count()).isBetween(BLOCKS / 8L, BLOCKS / 2L);
    // The only one, at the end, where the windows with all lists of cycles are long over.
    assertThat(report.violated(Level.READ_UNCOMMITTED)).isTrue();
    assertThat(anomaly(report, AnomalyType.G0).count()).isPositive();
  }

  private static Anomaly anomaly(Report report, AnomalyType type) {
    return report.anomalies().stream().filter(a -> a.type() == type).findAny().orElseThrow();
  }

  private Report judged() {
    Engine engine = new Engine(MonitorOptions.of(Level.surveyed()).lateness(Duration.ZERO), 1);
    for (int from = 0; from < BLOCKS; from += BLOCKS_AT_ONCE) {
      HistoryBuilder builder = new HistoryBuilder();
      for (int block = from; block < from + BLOCKS_AT_ONCE; block++) {
        add(block, builder);
      }
      if (from + BLOCKS_AT_ONCE == BLOCKS) {
        addDirtyWrites(builder);
      }
      engine.accept(builder.build());
      engine.round();
    }
    Report report = engine.finish();
    engine.close();
    return report;
  }

  /** A read of what was aborted, and an update that is lost. */
  private void add(int block, HistoryBuilder builder) {
    String read = "r" + block;
    String updated = "u" + block;
    transaction(builder, 0, Outcome.ABORTED, 1);
    builder.write(read, 1);
    transaction(builder, 1, Outcome.COMMITTED, 1);
    builder.read(read, 1);
    for (int session = 2; session < 4; session++) {
      transaction(builder, session, Outcome.COMMITTED, 2);
      builder.read(updated, null);
      builder.write(updated, session);
    }
  }

  private void addDirtyWrites(HistoryBuilder builder) {
    for (int session = 0; session < 2; session++) {
      transaction(builder, session, Outcome.COMMITTED, 2);
      builder.append("x", session);
      builder.append("y", session);
    }
    transaction(builder, 0, Outcome.COMMITTED, 1);
    builder.readList("x", List.of(0, 1));
    builder.readList("y", List.of(1, 0));
  }

  /** Begins a transaction that began some steps before it ends. */
  private void transaction(HistoryBuilder builder, int session, Outcome outcome, int steps) {
    int txn = builder.begin(builder.session(session), outcome);
    clock += 10;
    builder.start(txn, clock - 10L * steps + 1);
    builder.end(txn, clock);
  }
}
