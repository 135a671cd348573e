package dev.assay.collect.record;

import dev.assay.collect.client.Faults;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What is done to the server during a run, in turns.
 *
 * @param kinds what to do; empty for nothing
 * @param every the time between two faults
 */
public record FaultPlan(List<Kind> kinds, Duration every) {
  public static final FaultPlan NONE = new FaultPlan(List.of(), Duration.ofSeconds(1));

  /** The databases that Assay starts as a server, which can be made to fail. */
  public static final List<String> DATABASES = List.of("postgres", "mariadb");

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A way to fail. */
  public enum Kind {
    /** The process is killed without warning and started again. */
    KILL,
    /** The process is stopped for a second. */
    PAUSE;

    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Begins with the plan; the thread ends soon after the run does, with the server running. */
  Thread start(Faults server, Recorder recorder, Stop stop) {
    if (kinds.isEmpty()) {
      return null;
    }
    Thread thread = new Thread(() -> carryOut(server, recorder, stop), "faults");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void carryOut(Faults server, Recorder recorder, Stop stop) {
    try {
      for (int turn = 0; !stop.await(every.toNanos()); turn++) {
        Kind kind = kinds.get(turn % kinds.size());
        recorder.metadata("fault." + (turn + 1), kind.id() + " at " + recorder.now() + " ns");
        switch (kind) {
          case KILL -> server.killAndRestart();
          case PAUSE -> {
            try {
              server.pause();
              stop.await(PAUSE.toNanos());
            } finally {
              server.resume();
            }
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      stop.failed("the server did not come back: " + e.getMessage(), e);
    }
  }
}
