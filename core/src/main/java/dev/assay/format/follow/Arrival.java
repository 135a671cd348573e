package dev.assay.format.follow;

import dev.assay.history.History;
import java.util.HashMap;
import java.util.Map;

/**
 * A transaction that is on its way into another order: by its end, and those of a session in
 * session order.
 *
 * @param key when it ended; never before one that came earlier in its session
 * @param number which it was of all that came
 * @param block the history that has it
 * @param txn its number there
 * @param place line or offset in the source
 */
record Arrival(long key, long number, History block, int txn, long place)
    implements Comparable<Arrival> {
  @Override
  public int compareTo(Arrival other) {
    int byKey = Long.compare(key, other.key);
    return byKey != 0 ? byKey : Long.compare(number, other.number);
  }

  /** An estimate of the bytes that it takes. */
  int bytes() {
    int elements = 0;
    for (int op = block.firstOp(txn); op < block.endOp(txn); op++) {
      boolean list = block.kind(op).readsSequence() && block.value(op) >= 0;
      elements += list ? Math.min(block.sequences().length(block.value(op)), 64) : 0;
    }
    return 160 + 24 * (block.endOp(txn) - block.firstOp(txn)) + 4 * elements;
  }

  /** Makes arrivals of transactions, in the order in which they come. */
  static final class Order {
    private final Map<Object, Long> lastOfSession = new HashMap<>();
    private long last = Long.MIN_VALUE;
    private long next;

    Arrival of(History block, int txn) {
      Object session = block.sessionName(block.session(txn));
      long end = block.end(txn) != History.ABSENT ? block.end(txn) : block.start(txn);
      // Without times the order in which they come is all there is.
      long own = end == History.ABSENT ? last : end;
      long key = Math.max(own, lastOfSession.getOrDefault(session, Long.MIN_VALUE));
      lastOfSession.put(session, key);
      last = key;
      return new Arrival(key, next++, block, txn, block.position(txn));
    }
  }
}
