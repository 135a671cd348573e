package dev.assay.collect.client;

import java.util.List;
import java.util.Optional;

/** A store that runs: its nodes, and how to work on them. Closing it stops what was started. */
public interface Cluster extends AutoCloseable {
  Client client();

  /** The nodes, at least one, with addresses that others may see. */
  List<Node> nodes();

  /**
   * A session on a node.
   *
   * @param node its place among {@link #nodes}
   */
  ClientSession open(int node, SessionSpec spec) throws ClientException;

  /** The data of the next run. */
  RunData newData();

  /** Returns if a server answers. */
  void ping() throws ClientException;

  /** Name and version as the store reports them. */
  String describe() throws ClientException;

  /** What can be done to it on purpose; empty if it cannot be made to fail. */
  default Optional<Faults> faults() {
    return Optional.empty();
  }

  /** A text without what is secret in it. */
  default String redact(String text) {
    return text;
  }

  @Override
  void close();
}
