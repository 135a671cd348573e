package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who closes a monitor does not wait for what nobody will ask for. */
class MonitorCloseTest {
  private static final int TRANSACTIONS = 300_000;

  @Test
  @Timeout(180)
  void whatWaitsIsNotJudgedAnyMore() throws InterruptedException {
    MonitorOptions options = MonitorOptions.of(Set.copyOf(Level.surveyed()));
    Monitor monitor = Monitor.open(options.lateness(Duration.ZERO));
    monitor.accept(oneAfterAnother());
    while (monitor.soFar().judged() == 0) {
      Thread.sleep(1);
    }
    monitor.close();
    assertThat(monitor.soFar().judged()).isBetween(1L, TRANSACTIONS / 2L);
  }

  private static History oneAfterAnother() {
    HistoryBuilder builder = new HistoryBuilder();
    int session = builder.session(1);
    for (int i = 1; i <= TRANSACTIONS; i++) {
      int txn = builder.begin(session, Outcome.COMMITTED);
      builder.start(txn, 2L * i);
      builder.end(txn, 2L * i + 1);
      builder.write(i % 10, i);
    }
    return builder.build();
  }
}
