package dev.assay.check;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The time a check may take. The clock starts when the budget is created; a checker that finds it
 * {@link #expired} stops and answers {@link Verdict.Unknown}, keeping what it has established.
 */
public final class Budget {
  /** What is said wherever the time did not suffice. */
  public static final String RAN_OUT = "the time given ran out";

  private static final int DEFAULT_WITNESSES = 3;

  private final LongSupplier clock;

  /** Shared by all budgets made from one. */
  private final AtomicBoolean ended;

  private final long start;
  private final long nanos;
  private final int maxWitnesses;
  private final Consumer<String> watcher;

  private Budget(
      LongSupplier clock,
      AtomicBoolean ended,
      long start,
      long nanos,
      int maxWitnesses,
      Consumer<String> watcher) {
    if (maxWitnesses < 1) {
      throw new IllegalArgumentException("a violation needs at least one witness");
    }
    this.clock = clock;
    this.ended = ended;
    this.start = start;
    this.nanos = nanos;
    this.maxWitnesses = maxWitnesses;
    this.watcher = watcher;
  }

  /** No limit on time. */
  public static Budget unlimited() {
    return by(System::nanoTime, Long.MAX_VALUE);
  }

  /** A limit on time, from now. */
  public static Budget of(Duration timeout) {
    return by(System::nanoTime, timeout.toNanos());
  }

  /** A limit by some clock, read whenever {@link #expired} is called. */
  public static Budget by(LongSupplier clock, long limit) {
    AtomicBoolean ended = new AtomicBoolean();
    return new Budget(clock, ended, clock.getAsLong(), limit, DEFAULT_WITNESSES, stage -> {});
  }

  /** The same time, with another limit on the witnesses kept of each kind of anomaly. */
  public Budget withWitnesses(int max) {
    return new Budget(clock, ended, start, nanos, max, watcher);
  }

  /** The same budget; the watcher receives the name of each stage as it begins. */
  public Budget watchedBy(Consumer<String> newWatcher) {
    return new Budget(clock, ended, start, nanos, maxWitnesses, newWatcher);
  }

  /** Ends this budget and every budget derived from it or that it was derived from. */
  public void end() {
    ended.set(true);
  }

  /** Reports that a stage begins. */
  public void enter(String stage) {
    watcher.accept(stage);
  }

  /** The same budget, expiring no later than this long from now. */
  public Budget atMost(Duration timeout) {
    long now = clock.getAsLong();
    long left = Math.min(nanos - (now - start), timeout.toNanos());
    return new Budget(clock, ended, now, left, maxWitnesses, watcher);
  }

  public int maxWitnesses() {
    return maxWitnesses;
  }

  public boolean expired() {
    return ended.get() || clock.getAsLong() - start >= nanos;
  }
}
