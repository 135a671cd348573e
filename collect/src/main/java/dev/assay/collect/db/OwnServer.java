package dev.assay.collect.db;

import dev.assay.collect.client.Faults;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A server that Assay started, with its data in a folder that goes when it does.
 *
 * @param dataQuery what it answers with the folder of its data, which no other server has
 */
record OwnServer(
    ServerProcess process,
    TemporaryFolder folder,
    String url,
    Properties properties,
    String dataQuery)
    implements Server {
  @Override
  public List<String> urls() {
    return List.of(url);
  }

  @Override
  public boolean isOurs(Connection connection) throws SQLException {
    return folder.holds(Server.answer(connection, dataQuery));
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(process);
  }

  @Override
  public void close() {
    process.stop();
    folder.close();
  }
}
