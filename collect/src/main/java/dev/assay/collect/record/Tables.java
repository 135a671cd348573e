package dev.assay.collect.record;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Table;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.history.OpKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Makes, fills and removes the tables of a run. All names begin with {@code assay_}. */
final class Tables {
  private final Connector connector;
  private final Dialect dialect;

  Tables(Connector connector) {
    this.connector = connector;
    this.dialect = connector.database().dialect();
  }

  /** Empty tables, whatever was there before. */
  void create() throws SQLException {
    drop();
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement()) {
      for (Table table : Table.values()) {
        statement.execute(dialect.create(table));
      }
    }
  }

  /** A table that is not there, or a server that is gone, is as good as dropped. */
  void drop() {
    for (Table table : Table.values()) {
      try (Connection connection = connector.connect();
          Statement statement = connection.createStatement()) {
        statement.execute(dialect.drop(table));
      } catch (SQLException e) {
        // There is no portable way to ask first.
      }
    }
  }

  /** A row with the initial version for every key that is in use at the beginning. */
  void populate(LiveWorkload workload) throws SQLException {
    try (Connection connection = connector.connect()) {
      connection.setAutoCommit(false);
      for (OpKind.Type type : OpKind.Type.values()) {
        if (type != OpKind.Type.PREDICATE && type != OpKind.Type.SET) {
          populate(connection, type, workload);
        }
      }
      connection.commit();
    }
  }

  private void populate(Connection connection, OpKind.Type type, LiveWorkload workload)
      throws SQLException {
    List<Long> keys = new ArrayList<>();
    workload.forEachKey(
        (ofType, key) -> {
          if (ofType == type) {
            keys.add(key);
          }
        });
    if (keys.isEmpty()) {
      return;
    }
    String insert = dialect.insert(Statements.table(type));
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      for (long key : keys) {
        statement.setLong(1, key);
        switch (type) {
          case LIST -> statement.setString(2, "");
          case COUNTER -> statement.setLong(2, 0);
          default -> statement.setNull(2, Types.BIGINT);
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
