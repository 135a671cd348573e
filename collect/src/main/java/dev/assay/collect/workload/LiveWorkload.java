package dev.assay.collect.workload;

import dev.assay.collect.client.ClientException;
import dev.assay.history.OpKind;
import java.util.List;

/** What clients do on a database. Shared by all of them. */
public interface LiveWorkload {
  /**
   * What one client does. Used by one thread at a time.
   *
   * @param random the client's own source of chance
   */
  Client client(SplitMix random);

  /** Visits every key that a client may have used so far. */
  void forEachKey(KeyVisitor visitor);

  /** Clients work on rows, by {@link Access#row}, whose keys are below this; 0 if they do not. */
  default int rows() {
    return 0;
  }

  /** The rows that are there before the first client begins. */
  default List<RowOperation.Insert> initialRows(SplitMix random) {
    return List.of();
  }

  /** The parameters on one line, for the metadata of a history. */
  String describe();

  /** One client. */
  interface Client {
    /**
     * Decides what the next transaction does.
     *
     * @param onlyReads whether it must not write
     */
    void draw(boolean onlyReads);

    /** Whether the transaction that was decided does not write. */
    boolean onlyReads();

    /** Does it; may be called again to retry. */
    void run(Access access) throws ClientException;

    /** What was done has committed. */
    default void committed() {}
  }

  /** Takes keys. */
  interface KeyVisitor {
    void visit(OpKind.Type type, long key);
  }
}
