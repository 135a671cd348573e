package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A history whose writers pause is judged to its end, without being told that it has ended. */
class SilenceTest {
  /** Only a guard: silence counts after a second. */
  private static final long NEVER_MINUTES = 3;

  @Test
  void aViolationByTheLastTransactionsIsAnnouncedWhenNothingMoreComes() throws Exception {
    CountDownLatch announced = new CountDownLatch(1);
    MonitorOptions options =
        MonitorOptions.of(EnumSet.copyOf(Level.surveyed()))
            .lateness(Duration.ZERO)
            .listener(violation -> announced.countDown());
    try (Monitor monitor = Monitor.open(options)) {
      Monitor.Client[] clients = new Monitor.Client[20];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = monitor.client("client " + i);
      }
      for (int i = 1; i <= 100; i++) {
        write(clients[i % clients.length], i, i - 1, i);
      }
      // Another one misses the last write.
      write(clients[0], 101, 99, 101);
      assertThat(announced.await(NEVER_MINUTES, TimeUnit.MINUTES)).isTrue();
      assertThat(monitor.soFar().verdicts().get(Level.SERIALIZABLE).id()).isEqualTo("violated");
    }
  }

  private static void write(Monitor.Client client, long time, int seen, int written) {
    client.begin(10 * time);
    client.read("x", seen == 0 ? null : seen);
    client.write("x", written);
    client.end(Outcome.COMMITTED, 10 * time + 5);
  }
}
