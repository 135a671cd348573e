package dev.assay.collect.record;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;
import java.time.Duration;

/**
 * Finds out, beside other work, whether the server of a run still answers. Drivers wait long for
 * one that is gone, and a run makes many connections on its way to the end.
 */
final class Reach {
  /** How long a server may be away, such as for a restart, before it counts as gone. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long RETRY_MILLIS = 100;

  private final Cluster cluster;
  private final Duration patience;
  private final long deadline;
  private final Thread thread = new Thread(this::probe, "reach");
  private volatile String error;
  private volatile boolean answered;

  private Reach(Cluster cluster, Duration patience) {
    this.cluster = cluster;
    this.patience = patience;
    this.deadline = System.nanoTime() + patience.toNanos();
    this.error = "it did not answer";
    thread.setDaemon(true);
  }

  /** Begins to look. */
  static Reach begin(Cluster cluster, Duration patience) {
    Reach reach = new Reach(cluster, patience);
    reach.thread.start();
    return reach;
  }

  /** Whether this error means that no server answered. */
  static boolean isUnanswered(Throwable e) {
    return e instanceof ClientException client && client.isUnanswered();
  }

  private void probe() {
    while (!answered && System.nanoTime() < deadline) {
      try {
        cluster.ping();
        answered = true;
      } catch (ClientException | RuntimeException e) {
        answered = answered || !isUnanswered(e);
        error = cluster.redact(String.valueOf(e.getMessage()));
      }
      if (!answered) {
        LiveRun.sleep(RETRY_MILLIS);
      }
    }
  }

  /** Whether it is known by now that the server does not answer. */
  boolean isGone() {
    return !answered && System.nanoTime() >= deadline;
  }

  /** Waits until it is known; why the server counts as gone, or null if it answers. */
  String gone() {
    while (!answered && System.nanoTime() < deadline) {
      LiveRun.join(thread, RETRY_MILLIS);
    }
    return answered
        ? null
        : "the server has been gone for " + patience.toMillis() + " ms: " + error;
  }
}
