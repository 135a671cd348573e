package dev.assay.collect.client;

import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;

/**
 * One connection to a node, with a transaction after the other. Used by one thread, except for
 * {@link #cutOff}. A session that failed with {@link Failure#LOST} is closed and opened anew.
 *
 * <p>Unexpected exceptions count as {@link Failure#LOST}.
 */
public interface ClientSession extends AutoCloseable {
  /** What {@link #readNumber} returns for a key that nothing was written to. */
  long NONE = RawScalars.NIL;

  /** Begins a transaction. */
  void begin() throws ClientException;

  /** The number under a key of a register or a counter, or {@link #NONE}. */
  long readNumber(OpKind.Type type, long key) throws ClientException;

  /**
   * The number of the version that {@link #readNumber} returned last, or {@link #NONE} if the store
   * gives none.
   */
  default long versionRead() {
    return NONE;
  }

  /**
   * The number of the versions that the transaction wrote which committed last, or {@link #NONE} if
   * the store gives none.
   */
  default long versionWritten() {
    return NONE;
  }

  /** Reads a list or a set into {@link #elements}; returns the number of elements. */
  int readElements(OpKind.Type type, long key) throws ClientException;

  /** What {@link #readElements} read last; may be longer than that. */
  long[] elements();

  /** Sets a register, appends to a list, adds to a set, or adds to a counter. */
  void write(OpKind.Type type, long key, long value) throws ClientException;

  /**
   * Sets a register if it has a value, {@link #NONE} if it is absent; whether it had.
   *
   * @param expected what the register must have
   */
  default boolean compareAndSet(long key, long expected, long value) throws ClientException {
    if (readNumber(OpKind.Type.REGISTER, key) != expected) {
      return false;
    }
    write(OpKind.Type.REGISTER, key, value);
    return true;
  }

  /** Deletes a register; false if the store cannot, and nothing was done. */
  default boolean delete(long key) throws ClientException {
    return false;
  }

  /** Called before the commit: the last chance to say that the transaction proves nothing. */
  default void confirm() throws ClientException {}

  /**
   * Commits. An error that is not {@link Failure#REFUSED} leaves the outcome unknown; a transaction
   * that committed must never be called refused.
   */
  void commit() throws ClientException;

  void rollback() throws ClientException;

  /**
   * Called before the last look at everything: from here on the session sees all that was committed
   * anywhere. What is only late is not lost.
   */
  default void catchUp() throws ClientException {}

  /** Makes a call that hangs in another thread fail, if that is possible. */
  void cutOff();

  /** Ends the session; a transaction that is open must not commit. */
  @Override
  void close();
}
