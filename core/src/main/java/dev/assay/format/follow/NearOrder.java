package dev.assay.format.follow;

import dev.assay.history.History;
import java.util.PriorityQueue;

/**
 * Puts transactions into the order of their ends where they come nearly so: it holds some back, and
 * hands over the first of them when there are too many.
 */
public final class NearOrder {
  private static final int BLOCK = 4096;

  private final long memory;
  private final Arrival.Order order = new Arrival.Order();
  private final PriorityQueue<Arrival> held = new PriorityQueue<>();
  private final Regrouped next = new Regrouped();
  private long heldBytes;
  private Arrival last;
  private boolean failed;

  /**
   * Holds nothing so far.
   *
   * @param memory the maximum number of bytes that it may hold
   */
  public NearOrder(long memory) {
    this.memory = memory;
  }

  /** Whether a transaction came after one that ended later and was handed over already. */
  public boolean failed() {
    return failed;
  }

  /** Takes in transactions; {@link #next} then hands over those whose turn has come. */
  public void add(History block) {
    for (int txn = 0; txn < block.transactionCount(); txn++) {
      Arrival arrival = order.of(block, txn);
      failed |= last != null && arrival.compareTo(last) < 0;
      held.add(arrival);
      heldBytes += arrival.bytes();
    }
  }

  /**
   * The next transactions in order; null if there are too few.
   *
   * @param all whether no others will come
   */
  public History next(boolean all) {
    while (!held.isEmpty() && (all || heldBytes > memory)) {
      last = held.remove();
      heldBytes -= last.bytes();
      next.add(last);
      if (next.size() == BLOCK) {
        return next.take();
      }
    }
    return all && next.size() > 0 ? next.take() : null;
  }
}
