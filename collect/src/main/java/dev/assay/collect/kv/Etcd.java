package dev.assay.collect.kv;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Opening;
import dev.assay.history.OpKind;
import dev.assay.level.Level;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * etcd 3, by its HTTP gateway: members that run, or a cluster that Assay starts with the program of
 * this machine. A transaction reads single keys, and commits if none of those that it read has
 * changed since; one that only read one key needs no commit.
 */
final class Etcd implements Client {
  /** Reads from any member, as the option {@code serializable} of a request does. */
  static final String STALE = "stale";

  @Override
  public String id() {
    return "etcd";
  }

  @Override
  public List<Isolation> isolations() {
    return List.of(
        Isolation.of(STALE, Level.SERIALIZABLE),
        Isolation.of("linearizable", Level.STRICT_SERIALIZABLE));
  }

  @Override
  public Set<OpKind.Type> types() {
    return EnumSet.of(OpKind.Type.REGISTER, OpKind.Type.LIST, OpKind.Type.SET);
  }

  @Override
  public boolean numbersVersions() {
    return true;
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public int usualNodes() {
    return 3;
  }

  /** Its clock cannot be set: a program in Go asks the kernel for the time. */
  @Override
  public Set<FaultKind> faultKinds() {
    Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    kinds.removeAll(Set.of(FaultKind.FAILOVER, FaultKind.SKEW, FaultKind.COMMAND));
    return kinds;
  }

  @Override
  public Cluster open(Opening opening) throws IOException {
    if (opening.target().isEmbedded()) {
      EtcdServers servers = EtcdServers.start(opening.target());
      return new KeyValueCluster(this, servers.nodes(), servers);
    }
    List<Node> nodes = opening.target().nodes();
    return new KeyValueCluster(this, nodes, new EtcdMembers(nodes));
  }
}
