package dev.assay.collect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Topology;
import dev.assay.collect.server.ServerException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without libfaketime this is skipped, which {@code ./test} never lets happen. */
class ClockTest {
  private static final long A_MINUTE = 60;

  @TempDir Path folder;

  private Clock clock() throws Exception {
    Set<FaultKind> skew = Set.of(FaultKind.SKEW);
    Topology topology = new Topology(0, Topology.Replication.ASYNC, 1, skew);
    try {
      return Clock.of(topology, folder.resolve("clock"));
    } catch (ServerException e) {
      assertThat(e).hasMessageContaining("apt-get install -y libfaketime");
      assumeTrue(false, e.getMessage());
      throw e;
    }
  }

  /** How much later it is for a program than for this one, to half a minute. */
  private static long halfMinutesAhead(Clock clock) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("date", "+%s");
    builder.environment().putAll(clock.environment());
    Process date = builder.start();
    long seconds = Long.parseLong(date.inputReader().readLine().strip());
    return Math.round((seconds - System.currentTimeMillis() / 1000.0) / 30);
  }

  @Test
  void aProgramHasTheTimeThatIsSet() throws Exception {
    Clock clock = clock();
    assertThat(halfMinutesAhead(clock)).isZero();
    clock.set((int) A_MINUTE);
    assertThat(halfMinutesAhead(clock)).isEqualTo(2);
    clock.set((int) -A_MINUTE);
    assertThat(halfMinutesAhead(clock)).isEqualTo(-2);
    clock.set(0);
    assertThat(halfMinutesAhead(clock)).isZero();
  }

  @Test
  void clocksThatStayRightNeedNothing() throws Exception {
    assertThat(Clock.of(Topology.SINGLE, null).environment()).isEmpty();
  }
}
