package dev.assay.collect.db.vendor;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * MariaDB Galera: several nodes that run, each with a JDBC URL, or that Assay starts with the
 * programs of this machine; sessions take turns among them. A node that cannot certify a
 * transaction answers with a deadlock, one that left the cluster with a lost connection, so the
 * errors are MariaDB's.
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

  /** The programs are those of this machine. */
  @Override
  public List<String> artifacts(String version, boolean embedded) {
    return super.artifacts(null, false);
  }

  @Override
  public List<String> markers(boolean embedded) {
    return super.markers(false);
  }

  @Override
  public int usualNodes() {
    return 3;
  }

  @Override
  public Set<FaultKind> faultKinds() {
    Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    kinds.removeAll(Set.of(FaultKind.FAILOVER, FaultKind.COMMAND));
    return kinds;
  }

  @Override
  public Server start(Setup setup) throws IOException {
    return GaleraServers.start(setup);
  }
}
