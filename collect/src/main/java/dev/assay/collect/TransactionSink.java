package dev.assay.collect;

import dev.assay.history.OpKind;
import dev.assay.history.Outcome;

/**
 * Takes generated transactions one after another, each whole: {@link #begin}, its operations in
 * program order, {@link #end}. A session's transactions come in session order; transactions of
 * different sessions come in the order they ended.
 *
 * <p>Keys, values and sessions are plain integers. Values that are written are at least 1; the
 * initial value of a register is 0, and that of a list is the empty list.
 */
public interface TransactionSink {
  void begin(long session);

  /** A read or write of a register, or an append to a list. */
  void op(OpKind kind, long key, long value);

  /** A read of a register that is known only not to have returned a value; not every sink can. */
  default void otherRead(long key, long value) {
    throw new UnsupportedOperationException("conditions that fail");
  }

  /** A read or write of a register with the number of its version; not every sink can. */
  default void numbered(OpKind kind, long key, long value, long version) {
    throw new UnsupportedOperationException("version numbers");
  }

  /** A read of a list, whose elements are the first {@code length} of the array. */
  void listRead(long key, long[] elements, int length);

  /**
   * Ends the transaction.
   *
   * @param outcome what the client learned
   * @param start when it began, in nanoseconds, or {@link dev.assay.history.History#ABSENT}
   * @param end when the client learned the outcome, or {@link dev.assay.history.History#ABSENT}
   */
  void end(Outcome outcome, long start, long end);
}
