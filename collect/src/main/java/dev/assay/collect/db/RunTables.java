package dev.assay.collect.db;

import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.collect.server.ServerProcess;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The tables of a run, created afresh. Two runs on one database would drop each other's tables and
 * read what the other wrote, and the database would be blamed for it. So a run leaves a number of
 * its own in {@link Table#RUN} and looks for it before it trusts what it saw.
 */
public final class RunTables {
  private static final long KEY = 0;

  /** Clients of a run whose tables were taken away write in the new ones within this time. */
  private static final long MILLIS_TO_SHOW = 500;

  private static final long SECONDS_TO_ARRIVE = 20;
  private static final long MILLIS_BETWEEN_LOOKS = 50;

  private final Connector connector;
  private final Dialect dialect;
  private final long number = new SecureRandom().nextLong();

  public RunTables(Connector connector) {
    this.connector = connector;
    this.dialect = connector.database().dialect();
  }

  /**
   * Empty tables, whatever was there before.
   *
   * @throws SQLException also if another run goes on writing in them
   */
  public void create() throws SQLException {
    boolean taken = wereAnothers();
    drop();
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement()) {
      for (Table table : Table.values()) {
        statement.execute(dialect.create(table));
        for (String index : dialect.indexes(table)) {
          statement.execute(index);
        }
        if (table == Table.RUN) {
          sign(connection);
        }
      }
      if (taken) {
        failIfUsed(connection);
      }
    } catch (SQLException e) {
      dropIfOurs();
      throw e;
    }
  }

  /** Waits until every replica has the tables; a replica that never gets them is of no use. */
  void awaitReplicas() throws SQLException {
    List<Node> nodes = connector.nodes();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_ARRIVE);
    for (int node = 0; node < nodes.size(); node++) {
      while (nodes.get(node).isReadOnly() && !hasOurs(node)) {
        if (System.nanoTime() > deadline) {
          throw new SQLException(
              "the tables of the run did not arrive within "
                  + SECONDS_TO_ARRIVE
                  + " s at "
                  + nodes.get(node).url());
        }
        ServerProcess.sleep(MILLIS_BETWEEN_LOOKS);
      }
    }
  }

  private boolean hasOurs(int node) {
    try (Connection connection = connector.connect(node)) {
      OptionalLong found = signature(connection);
      return found.isPresent() && found.getAsLong() == number;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Whether there are tables of another run, which goes on or was killed. */
  private boolean wereAnothers() {
    try (Connection connection = connector.connect()) {
      connection.setAutoCommit(false);
      return areAnothers(connection);
    } catch (SQLException e) {
      // There are none.
      return false;
    }
  }

  private void failIfUsed(Connection connection) throws SQLException {
    try {
      Thread.sleep(MILLIS_TO_SHOW);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Table table : Table.values()) {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table.sqlName())) {
        rows.next();
        if (rows.getLong(1) > (table == Table.RUN ? 1 : 0)) {
          throw new SQLException(RunData.NOT_OURS);
        }
      }
    }
  }

  private void sign(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(dialect.insert(Table.RUN))) {
      insert.setLong(1, KEY);
      insert.setLong(2, number);
      insert.executeUpdate();
    }
  }

  private OptionalLong signature(Connection connection) throws SQLException {
    try (PreparedStatement read = connection.prepareStatement(dialect.read(Table.RUN, false))) {
      read.setLong(1, KEY);
      try (ResultSet result = read.executeQuery()) {
        return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /**
   * Whether the tables that a client is about to work on are another run's. On a replica that lags
   * behind there may be none yet, which belongs to no run.
   */
  public boolean areAnothers(Connection client) throws SQLException {
    if (connector.isOwn()) {
      return false;
    }
    OptionalLong found = signature(client);
    // What comes next is the client's first transaction, with its own snapshot.
    client.rollback();
    return found.isPresent() && found.getAsLong() != number;
  }

  /** Whether the tables are still those that were made here; of a server that is gone they are. */
  public boolean areOurs() {
    if (connector.isOwn()) {
      return true;
    }
    try (Connection connection = connector.connect()) {
      OptionalLong found = signature(connection);
      return found.isPresent() && found.getAsLong() == number;
    } catch (SQLException e) {
      return connector.database().classify(e) != Failure.WRONG;
    }
  }

  /**
   * Makes the tables as empty as new ones, over the connection of a client; false if they are
   * another run's. Rows that are only deleted would not do: some databases keep them for a while,
   * and insert such keys in another way.
   */
  boolean empty(Connection client) throws SQLException {
    if (areAnothers(client)) {
      return false;
    }
    for (Table table : Table.values()) {
      if (table != Table.RUN && hasRows(client, table)) {
        truncate(client, table);
      }
    }
    client.commit();
    return true;
  }

  private static boolean hasRows(Connection client, Table table) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.setMaxRows(1);
      try (ResultSet rows = statement.executeQuery("SELECT k FROM " + table.sqlName())) {
        return rows.next();
      }
    }
  }

  private static void truncate(Connection client, Table table) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute("TRUNCATE TABLE " + table.sqlName());
    }
  }

  /** Drops the tables if they are of this run, and says whether they were. */
  public boolean dropIfOurs() {
    boolean ours = areOurs();
    if (ours) {
      drop();
    }
    return ours;
  }

  /** A table that is not there, or a server that is gone, is as good as dropped. */
  private void drop() {
    try (Connection connection = connector.connect()) {
      for (Table table : Table.values()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(dialect.drop(table));
        } catch (SQLException e) {
          // There is no portable way to ask first.
        }
      }
    } catch (SQLException e) {
      // The server is gone.
    }
  }
}
