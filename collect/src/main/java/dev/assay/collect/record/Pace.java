package dev.assay.collect.record;

import java.util.concurrent.atomic.AtomicLong;

/** Lets clients begin a number of transactions a second, all together. */
final class Pace {
  private final long gap;
  private final AtomicLong next = new AtomicLong(System.nanoTime());

  /**
   * @param rate transactions a second; 0 for as many as can be
   */
  Pace(int rate) {
    gap = rate == 0 ? 0 : 1_000_000_000L / rate;
  }

  /** Waits for the next turn, or for the end. */
  void await(Stop stop) {
    if (gap == 0) {
      return;
    }
    long now = System.nanoTime();
    // What was missed while the store did not answer is not made up for.
    long turn = next.updateAndGet(last -> Math.max(last + gap, now - gap));
    try {
      if (turn > now) {
        stop.await(turn - now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop.because("interrupted");
    }
  }
}
