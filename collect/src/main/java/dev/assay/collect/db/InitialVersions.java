package dev.assay.collect.db;

import dev.assay.history.OpKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/** Puts a row with the initial version there for keys that are in use at the beginning. */
final class InitialVersions {
  private InitialVersions() {}

  static void load(Connector connector, OpKind.Type type, long[] keys) throws SQLException {
    String insert = connector.database().dialect().insert(Statements.table(type));
    try (Connection connection = connector.connect()) {
      connection.setAutoCommit(false);
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
      connection.commit();
    }
  }
}
