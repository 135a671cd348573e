package dev.assay.collect.client;

import dev.assay.history.OpKind;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * A kind of store: what it offers, and how to start or reach one. A jar in the plug-in folder
 * offers one as a service of this type.
 */
public interface Client {
  /** The name on the command line: lower-case letters, digits, dots and hyphens. */
  String id();

  /** The name in sentences. */
  default String title() {
    return id();
  }

  /** The isolation levels that it offers, weakest first. */
  List<? extends Isolation> isolations();

  /** The level that claims most. */
  default Isolation strongest() {
    return isolations().get(isolations().size() - 1);
  }

  /** The data types that transactions can read and write. */
  Set<OpKind.Type> types();

  /** Whether sessions give the numbers of versions; see {@link ClientSession#versionRead}. */
  default boolean numbersVersions() {
    return false;
  }

  /** Whether a read can be told to lock what it reads; see {@link SessionSpec#forUpdate}. */
  default boolean locksReads() {
    return false;
  }

  /** Whether a store is started where no node is named, empty and alone. */
  default boolean isEmbedded() {
    return false;
  }

  /** The number of nodes that are started unless told otherwise; more than one for a cluster. */
  default int usualNodes() {
    return 1;
  }

  /** The ways in which what is started can be made to fail; some may need several nodes. */
  default Set<FaultKind> faultKinds() {
    return Set.of();
  }

  /** Whether what is started can be made to fail. */
  default boolean canFail() {
    return isEmbedded() && !faultKinds().isEmpty();
  }

  /**
   * Starts a store, or makes ready to reach the nodes that are named.
   *
   * @throws IOException if that is not possible; the message is for the user
   */
  Cluster open(Opening opening) throws IOException;
}
