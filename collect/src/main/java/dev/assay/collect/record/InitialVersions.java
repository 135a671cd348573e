package dev.assay.collect.record;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.history.OpKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Puts a row with the initial version there for every key that is in use at the beginning. */
final class InitialVersions {
  private InitialVersions() {}

  static void load(Connector connector, LiveWorkload workload) throws SQLException {
    try (Connection connection = connector.connect()) {
      connection.setAutoCommit(false);
      for (OpKind.Type type : OpKind.Type.values()) {
        if (type != OpKind.Type.PREDICATE && type != OpKind.Type.SET) {
          load(connection, connector.database().dialect(), type, workload);
        }
      }
      connection.commit();
    }
  }

  private static void load(
      Connection connection, Dialect dialect, OpKind.Type type, LiveWorkload workload)
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
