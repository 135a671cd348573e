package dev.assay.collect.db.vendor;

import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.ServerException;
import java.util.List;

/**
 * MariaDB Galera: several nodes, each with a JDBC URL; sessions take turns among them. A node that
 * cannot certify a transaction answers with a deadlock, one that left the cluster with a lost
 * connection, so the errors are MariaDB's.
 */
final class Galera extends MariaDb {
  @Override
  public String id() {
    return "galera";
  }

  @Override
  public String title() {
    return "MariaDB Galera";
  }

  /** By default a node shows what it has applied, and not what others have committed meanwhile. */
  @Override
  public String catchUp() {
    return "SET SESSION wsrep_sync_wait = 1";
  }

  /** A URL alone does not show that a cluster is behind it. */
  @Override
  public List<String> urlPrefixes() {
    return List.of();
  }

  @Override
  public boolean isEmbedded() {
    return false;
  }

  @Override
  public Server start(Setup setup) throws ServerException {
    throw new ServerException(
        "a cluster is not started by Assay; give the JDBC URLs of its nodes: assay run galera"
            + " URL URL URL");
  }
}
