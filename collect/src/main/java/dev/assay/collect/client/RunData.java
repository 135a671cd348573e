package dev.assay.collect.client;

import dev.assay.history.OpKind;

/** The data of one run: empty when it begins, and of this run alone. */
public interface RunData {
  /** Why what was seen in data of another run says nothing about the store. */
  String NOT_OURS =
      "another run has recreated the tables assay_..., so both use the same ones; run one at a "
          + "time on a database";

  /** For stores whose runs cannot meet: each is started anew, or has a name for its own keys. */
  RunData PRIVATE = ownName(() -> {});

  /**
   * The same.
   *
   * @param rename gives the keys of the next run another name
   */
  static RunData ownName(Runnable rename) {
    return new RunData() {
      @Override
      public void create() {
        rename.run();
      }

      @Override
      public void load(OpKind.Type type, long[] keys) {
        throw new UnsupportedOperationException("this store has no rows to update");
      }

      @Override
      public boolean areAnothers(ClientSession session) {
        return false;
      }

      @Override
      public boolean dropIfOurs() {
        return true;
      }
    };
  }

  /** Makes the data empty, whatever was there before. */
  void create() throws ClientException;

  /** Puts the initial version of these keys there. */
  void load(OpKind.Type type, long[] keys) throws ClientException;

  /** Whether the data that a session is about to work on is another run's. */
  boolean areAnothers(ClientSession session) throws ClientException;

  /**
   * Makes the data empty again for the next run, so that open sessions can go on with it.
   *
   * @param session an open session without a transaction
   * @return false if the data has to be made anew, or is another run's by now
   */
  default boolean empty(ClientSession session) throws ClientException {
    return false;
  }

  /** Removes the data if it is of this run, and says whether it was. */
  boolean dropIfOurs();
}
