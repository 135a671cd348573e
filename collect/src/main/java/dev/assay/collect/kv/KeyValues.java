package dev.assay.collect.kv;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;

/**
 * One session on a store of keys and texts, with a transaction after the other. Used by one thread,
 * except for {@link #cutOff}.
 */
public interface KeyValues extends AutoCloseable {
  void begin() throws ClientException;

  /** The text of a key, or null. */
  String get(String key) throws ClientException;

  /** The same, of a key that the transaction is about to {@link #put}. */
  default String getToChange(String key) throws ClientException {
    return get(key);
  }

  /** The number of the version of a text that was read, or {@link ClientSession#NONE}. */
  default long version(String key) {
    return ClientSession.NONE;
  }

  /** The number of what the last commit wrote, or {@link ClientSession#NONE}. */
  default long versionWritten() {
    return ClientSession.NONE;
  }

  void put(String key, String text) throws ClientException;

  void commit() throws ClientException;

  void rollback() throws ClientException;

  /** Makes a call that hangs in another thread fail, if that is possible. */
  default void cutOff() {}

  @Override
  void close();
}
