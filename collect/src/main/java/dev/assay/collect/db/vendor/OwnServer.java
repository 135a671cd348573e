package dev.assay.collect.db.vendor;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.db.Server;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Server processes that Assay started, with their data in a folder that goes when they do.
 *
 * @param dataQuery what a server answers with the folder of its data, which no other server has
 * @param promotion how a replica takes the place of the primary, or null
 */
record OwnServer(
    List<OwnNode> nodes,
    TemporaryFolder folder,
    Properties properties,
    String dataQuery,
    Promotion promotion)
    implements Server, Faults {
  private static final long SLOW_MILLIS = 100;

  /**
   * One of the servers.
   *
   * @param url where clients connect, which is at the beginning of the first wire if there are any
   * @param wires what connects it with clients, and then with other nodes
   */
  record OwnNode(Node.Role role, String name, ServerProcess process, String url, List<Wire> wires) {
    static OwnNode single(ServerProcess process, String url, List<Wire> wires) {
      return new OwnNode(Node.Role.NODE, "the server", process, url, wires);
    }
  }

  /** Lets a replica take the place of the primary, which is gone. */
  interface Promotion {
    void promote() throws IOException;
  }

  /** One server without replicas. */
  static OwnServer single(
      ServerProcess process,
      TemporaryFolder folder,
      String url,
      List<Wire> wires,
      Properties properties,
      String dataQuery) {
    return new OwnServer(
        List.of(OwnNode.single(process, url, wires)), folder, properties, dataQuery, null);
  }

  @Override
  public List<String> urls() {
    return nodes.stream().map(OwnNode::url).toList();
  }

  @Override
  public List<Node.Role> roles() {
    return nodes.stream().map(OwnNode::role).toList();
  }

  @Override
  public boolean isOurs(Connection connection) throws SQLException {
    return folder.holds(Server.answer(connection, dataQuery));
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(this);
  }

  // ---- faults

  @Override
  public List<String> names() {
    return nodes.stream().map(OwnNode::name).toList();
  }

  @Override
  public Set<FaultKind> kinds() {
    Set<FaultKind> kinds = EnumSet.of(FaultKind.KILL, FaultKind.PAUSE);
    if (nodes.stream().noneMatch(node -> node.wires().isEmpty())) {
      kinds.addAll(Set.of(FaultKind.PARTITION, FaultKind.SLOW));
    }
    if (promotion != null) {
      kinds.add(FaultKind.FAILOVER);
    }
    return kinds;
  }

  @Override
  public void begin(FaultKind kind, int node) throws IOException {
    OwnNode own = nodes.get(node);
    switch (kind) {
      case KILL -> own.process().kill();
      case PAUSE -> own.process().pause();
      case PARTITION -> own.wires().forEach(Wire::cut);
      case SLOW -> own.wires().forEach(wire -> wire.delay(SLOW_MILLIS));
      case FAILOVER -> promotion.promote();
      case ONE_WAY, RING, COMMAND ->
          throw new IllegalArgumentException(kind.id() + " is not done by the server");
    }
  }

  @Override
  public void end(FaultKind kind, int node) throws IOException {
    OwnNode own = nodes.get(node);
    switch (kind) {
      case KILL -> own.process().startAgain();
      case PAUSE -> own.process().resume();
      case PARTITION -> own.wires().forEach(Wire::mend);
      case SLOW -> own.wires().forEach(wire -> wire.delay(0));
      case FAILOVER, ONE_WAY, RING, COMMAND -> {
        // What was promoted stays the primary.
      }
    }
  }

  @Override
  public void close() {
    for (OwnNode node : nodes) {
      node.wires().forEach(Wire::close);
      node.process().stop();
    }
    folder.close();
  }
}
