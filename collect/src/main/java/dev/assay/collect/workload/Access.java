package dev.assay.collect.workload;

import dev.assay.collect.client.ClientException;
import dev.assay.history.OpKind;

/** What a client can do inside a transaction on a database. */
public interface Access {
  /** Reads a key. */
  void read(OpKind.Type type, long key) throws ClientException;

  /**
   * Writes a key: sets a register, appends to a list, adds to a set, or increments a counter. The
   * value is one that no other write uses; increments are by one.
   */
  void write(OpKind.Type type, long key) throws ClientException;

  /** Works on rows; the version that a write leaves behind is one that no other write uses. */
  void row(RowOperation operation) throws ClientException;
}
