package dev.assay.window;

import java.time.Duration;

/**
 * Notices that no transactions come any more. Those that are usually left out of a window, because
 * others that ran at the same time may not be there yet, are judged then: a history whose writers
 * pause is judged to its end.
 */
final class Silence {
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final long nanos;
  private long heard = System.nanoTime();

  /** How many transactions had come when no more of them could be judged. */
  private long tried = -1;

  /**
   * Made with the time by which transactions may be late.
   *
   * @param lateness it lasts at least as long before it counts
   */
  Silence(Duration lateness) {
    this.nanos = Math.max(LEAST.toNanos(), lateness.toNanos());
  }

  void heard() {
    heard = System.nanoTime();
  }

  /** Whether nothing came for a while, and what waits has not been tried in vain since. */
  boolean isNew(long accepted) {
    return tried != accepted && System.nanoTime() - heard >= nanos;
  }

  void tried(long accepted) {
    tried = accepted;
  }
}
