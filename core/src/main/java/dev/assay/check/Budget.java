package dev.assay.check;

import java.time.Duration;

/**
 * What a check may spend. Time runs from the moment the budget is made; a checker that finds it
 * {@link #expired} stops and answers {@link Verdict.Unknown} with what it has established.
 */
public final class Budget {
  private static final int DEFAULT_WITNESSES = 3;

  private final long start = System.nanoTime();
  private final long nanos;
  private final int maxWitnesses;

  private Budget(long nanos, int maxWitnesses) {
    if (maxWitnesses < 1) {
      throw new IllegalArgumentException("a violation needs at least one witness");
    }
    this.nanos = nanos;
    this.maxWitnesses = maxWitnesses;
  }

  /** No limit on time. */
  public static Budget unlimited() {
    return new Budget(Long.MAX_VALUE, DEFAULT_WITNESSES);
  }

  /** A limit on time, from now. */
  public static Budget of(Duration timeout) {
    return new Budget(timeout.toNanos(), DEFAULT_WITNESSES);
  }

  /** The same time from now, with another limit on the witnesses kept of each kind of anomaly. */
  public Budget withWitnesses(int max) {
    return new Budget(nanos, max);
  }

  public int maxWitnesses() {
    return maxWitnesses;
  }

  public boolean expired() {
    return System.nanoTime() - start >= nanos;
  }
}
