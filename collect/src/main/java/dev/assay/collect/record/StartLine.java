package dev.assay.collect.record;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets the clients of a run begin together, when all of them have tried to connect. Connecting
 * takes longer than a short transaction: without this the first clients would be done before the
 * last ones begin.
 */
final class StartLine {
  /** A client that cannot connect by then begins later, if at all. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long SLICE_MILLIS = 50;

  private final CountDownLatch ready;
  private final CountDownLatch begun = new CountDownLatch(1);

  StartLine(int clients) {
    ready = new CountDownLatch(clients);
  }

  /** A client is ready and waits for the others. */
  void await(Stop stop) {
    ready.countDown();
    try {
      while (!stop.isAsked() && !begun.await(SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
        // Not all are ready.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the clients are ready, then calls this and lets them begin. */
  void begin(Stop stop, Runnable first) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!stop.isAsked()
          && System.nanoTime() < deadline
          && !ready.await(SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
        // Some are still connecting.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    first.run();
    begun.countDown();
  }
}
