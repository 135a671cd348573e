package dev.assay.collect.db;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.history.OpKind;
import java.sql.SQLException;

/** The tables of a run, for those who do not know JDBC. */
final class JdbcData implements RunData {
  private final Connector connector;
  private final RunTables tables;

  JdbcData(Connector connector) {
    this.connector = connector;
    this.tables = new RunTables(connector);
  }

  @Override
  public void create() throws ClientException {
    try {
      tables.create();
      tables.awaitReplicas();
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public void load(OpKind.Type type, long[] keys) throws ClientException {
    try {
      InitialVersions.load(connector, type, keys);
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public boolean areAnothers(ClientSession session) throws ClientException {
    JdbcSession jdbc = (JdbcSession) session;
    boolean[] found = new boolean[1];
    jdbc.run(() -> found[0] = tables.areAnothers(jdbc.connection()));
    return found[0];
  }

  /** A replica may get the empty tables late, so it gets new ones, which it can tell. */
  @Override
  public boolean empty(ClientSession session) throws ClientException {
    if (connector.nodes().stream().anyMatch(Node::isReadOnly)) {
      return false;
    }
    JdbcSession jdbc = (JdbcSession) session;
    boolean[] emptied = new boolean[1];
    jdbc.run(() -> emptied[0] = tables.empty(jdbc.connection()));
    return emptied[0];
  }

  @Override
  public boolean dropIfOurs() {
    return tables.dropIfOurs();
  }
}
