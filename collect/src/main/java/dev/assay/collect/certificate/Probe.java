package dev.assay.collect.certificate;

/**
 * What sessions ask a database beside their work, so that their transactions can be found in its
 * log and the snapshots that they read are known. All that a session knows about certificates.
 */
public interface Probe {
  /** Asks nothing. */
  Probe NONE = new Probe() {};

  /** What is read from the snapshot of a transaction. */
  enum Coverage {
    /** Reads and updates. */
    ALL,
    /** Reads only; updates look at what is there. */
    READS,
    /** Nothing: the answer only identifies the transaction. */
    NOTHING
  }

  /** A statement that begins every transaction; null for none. */
  default String atBegin() {
    return null;
  }

  /**
   * An SQL expression that gives the snapshot of its statement, put into every predicate read; null
   * where statements have no snapshots of their own.
   */
  default String snapshotOfStatement() {
    return null;
  }

  /** The predicate operations that see the snapshot of {@link #atEnd}. */
  default Coverage coverage() {
    return Coverage.ALL;
  }

  /**
   * A query to make before the commit, whose only row begins with a text that gives the snapshot of
   * the transaction, or with null; null to ask nothing.
   *
   * @param id the transaction's id in the history
   * @param predicates whether it did anything by a predicate
   * @param deletes whether it may have deleted rows
   */
  default String atEnd(long id, boolean predicates, boolean deletes) {
    return null;
  }

  /** Whether sessions must not ask {@link #atEnd} at the same time. */
  default boolean asksOneByOne() {
    return false;
  }
}
