package dev.assay.check;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a check may spend. Time runs from the moment the budget is made; a checker that finds it
 * {@link #expired} stops and answers {@link Verdict.Unknown} with what it has established.
 */
public final class Budget {
  private static final int DEFAULT_WITNESSES = 3;

  private final long start;
  private final long nanos;
  private final int maxWitnesses;
  private final Consumer<String> watcher;

  private Budget(long start, long nanos, int maxWitnesses, Consumer<String> watcher) {
    if (maxWitnesses < 1) {
      throw new IllegalArgumentException("a violation needs at least one witness");
    }
    this.start = start;
    this.nanos = nanos;
    this.maxWitnesses = maxWitnesses;
    this.watcher = watcher;
  }

  /** No limit on time. */
  public static Budget unlimited() {
    return new Budget(System.nanoTime(), Long.MAX_VALUE, DEFAULT_WITNESSES, stage -> {});
  }

  /** A limit on time, from now. */
  public static Budget of(Duration timeout) {
    return new Budget(System.nanoTime(), timeout.toNanos(), DEFAULT_WITNESSES, stage -> {});
  }

  /** The same time, with another limit on the witnesses kept of each kind of anomaly. */
  public Budget withWitnesses(int max) {
    return new Budget(start, nanos, max, watcher);
  }

  /** The same budget, telling somebody which stage of the work is being paid for. */
  public Budget watchedBy(Consumer<String> newWatcher) {
    return new Budget(start, nanos, maxWitnesses, newWatcher);
  }

  /** Says that a stage begins. */
  public void enter(String stage) {
    watcher.accept(stage);
  }

  /** The same, but over after this long from now if it is not earlier. */
  public Budget atMost(Duration timeout) {
    long now = System.nanoTime();
    long left = nanos - (now - start);
    return new Budget(now, Math.min(left, timeout.toNanos()), maxWitnesses, watcher);
  }

  public int maxWitnesses() {
    return maxWitnesses;
  }

  public boolean expired() {
    return System.nanoTime() - start >= nanos;
  }
}
