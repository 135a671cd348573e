package dev.assay.collect.record;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Signals all clients of a run to stop, and why. */
public final class Stop {
  private final CountDownLatch asked = new CountDownLatch(1);
  private String reason;
  private Throwable failure;

  /** Asks to stop; only the first reason counts. */
  public synchronized void because(String newReason) {
    if (reason == null) {
      reason = newReason;
      asked.countDown();
    }
  }

  /** Asks to stop because something that should work does not. */
  public synchronized void failed(String newReason, Throwable cause) {
    if (reason == null) {
      failure = cause;
      because(newReason);
    }
  }

  public boolean isAsked() {
    return asked.getCount() == 0;
  }

  public synchronized String reason() {
    return reason;
  }

  /** What failed, or null if the run came to an ordinary end. */
  public synchronized Throwable failure() {
    return failure;
  }

  /** Waits to be asked; false when the time is over first. */
  boolean await(long nanos) throws InterruptedException {
    return asked.await(nanos, TimeUnit.NANOSECONDS);
  }
}
