package dev.assay.collect.certificate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** What the sessions of a run learned by their {@link Probe}. Shared by all of them. */
public final class Tracing {
  /** For runs without a certificate: transactions get no ids. */
  public static final Tracing NONE = new Tracing(Probe.NONE);

  private final Probe probe;
  private final AtomicLong ids = new AtomicLong();
  private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();

  /**
   * A snapshot that was read.
   *
   * @param id the transaction's id in the history
   * @param operation the place of the operation in the transaction, {@link #WHOLE}, or {@link
   *     #NAME}
   * @param snapshot as the database reports it
   */
  public record Seen(long id, int operation, String snapshot) {
    /** In place of an operation: the whole transaction reads this snapshot. */
    public static final int WHOLE = -1;

    /** In place of an operation: this is what the database calls the transaction. */
    public static final int NAME = -2;
  }

  public Tracing(Probe probe) {
    this.probe = probe;
  }

  public boolean isOn() {
    return this != NONE;
  }

  public Probe probe() {
    return probe;
  }

  /** An id that no other transaction of the run has. */
  public long newId() {
    return ids.incrementAndGet();
  }

  /** Notes which snapshot an operation, or with {@link Seen#WHOLE} a transaction, read. */
  public void saw(long id, int operation, String snapshot) {
    seen.add(new Seen(id, operation, snapshot));
  }

  /** The ids of transactions by what the database calls them, or by their snapshots. */
  Map<String, String> idsBySnapshot() {
    Map<String, String> found = new HashMap<>();
    seen.forEach(one -> found.put(one.snapshot(), Long.toString(one.id())));
    return found;
  }

  public List<Seen> seen() {
    return List.copyOf(seen);
  }
}
