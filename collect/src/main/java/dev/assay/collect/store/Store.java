package dev.assay.collect.store;

/**
 * A simulated database that gives one isolation level. Clients are numbered from 0 and run one
 * transaction at a time each; the caller interleaves their calls as it likes, from one thread.
 *
 * <p>A read answers a <em>version</em>: of a register its value, of a list a list of {@link Lists};
 * 0 is the initial version of either.
 */
public interface Store {
  /** The answer to a read that the store refused; it has then aborted the transaction. */
  int REFUSED = -1;

  /**
   * Whether a client must make all calls of a transaction without others in between. Such stores
   * have no concurrency inside one copy; what they may get wrong, they get wrong between copies.
   */
  boolean isAtomic();

  /**
   * Begins a client's next transaction.
   *
   * @param client the client
   * @param session the session it goes by, which changes when it did not learn an outcome
   */
  void begin(int client, long session);

  /** The version of a key that a client sees, or {@link #REFUSED}. */
  int read(int client, int key);

  /**
   * Writes a register or appends to a list; false when the store refused and aborted the
   * transaction.
   */
  boolean write(int client, int key, int value);

  /** Ends a client's transaction; false when the store aborted it instead. */
  boolean commit(int client);

  void abort(int client);

  /** Lets the store do what it does in the background; called between the steps of clients. */
  default void background() {}
}
