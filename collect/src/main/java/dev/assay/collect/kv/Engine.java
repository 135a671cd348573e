package dev.assay.collect.kv;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.SessionSpec;

/** A store whose library is not part of Assay: what implements this is loaded with the library. */
public interface Engine extends AutoCloseable {
  KeyValues open(int node, SessionSpec spec) throws ClientException;

  @Override
  void close();
}
