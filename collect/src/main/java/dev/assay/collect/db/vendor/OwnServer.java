package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.cluster.Members;
import dev.assay.collect.db.Server;
import dev.assay.collect.server.TemporaryFolder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * Servers that Assay started, with their data in a folder that goes when they do.
 *
 * @param addresses where clients find each of the members
 * @param dataQuery what a server answers with the folder of its data, which no other server has
 */
record OwnServer(
    Members members,
    List<Address> addresses,
    TemporaryFolder folder,
    Properties properties,
    String dataQuery)
    implements Server {

  /** Where clients find a server, and what for. */
  record Address(Node.Role role, String url) {}

  @Override
  public List<String> urls() {
    return addresses.stream().map(Address::url).toList();
  }

  @Override
  public List<Node.Role> roles() {
    return addresses.stream().map(Address::role).toList();
  }

  @Override
  public boolean isOurs(Connection connection) throws SQLException {
    return folder.holds(Server.answer(connection, dataQuery));
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(members);
  }

  @Override
  public void close() {
    members.close();
    folder.close();
  }
}
