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

  /** Reads a register, with the number of its version where the store gives one. */
  void readVersion(long key) throws ClientException;

  /** Writes a register, and records the number of its version where the store gives one. */
  void writeVersion(long key) throws ClientException;

  /**
   * Compares a register with what the client last saw of it, and sets it if it is that; a register
   * of which it saw nothing is set if it is absent. The value is one that no other write uses.
   */
  void compareAndSet(long key) throws ClientException;

  /** Deletes a register, where the store can do that. */
  void delete(long key) throws ClientException;

  /** Works on rows; the version that a write leaves behind is one that no other write uses. */
  void row(RowOperation operation) throws ClientException;
}
