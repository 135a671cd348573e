package dev.assay.driver;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows that a write left. */
final class Rows {
  private final Recorded connection;
  private final Transaction transaction;
  private final CallSite at;

  Rows(Recorded connection, Transaction transaction, CallSite at) {
    this.connection = connection;
    this.transaction = transaction;
    this.at = at;
  }

  /**
   * Records what a write did. Returns the generated keys where the application may want to read
   * them, which are recorded as it does; else null.
   */
  RecordedResult read(
      Plan.Write write,
      ReturnedKeys keys,
      Statement statement,
      Condition.Parameters parameters,
      boolean changed) {
    try {
      return tryToRead(write, keys, statement, parameters, changed);
    } catch (SQLException | RuntimeException e) {
      // The statement has done its work, and for the application nothing is wrong.
      unseen(write);
      return null;
    }
  }

  private void unseen(Plan.Write write) {
    connection.recording.unseen(write.sql(), "has rows that could not be looked up", at);
    connection.recording.missed(write.table(), write.deletes(), "rows of it were not seen");
    transaction.unseenWrites = true;
  }

  private RecordedResult tryToRead(
      Plan.Write write,
      ReturnedKeys keys,
      Statement statement,
      Condition.Parameters parameters,
      boolean changed)
      throws SQLException {
    boolean wanted = keys != null && keys.visible() > 0;
    if (!changed && !wanted) {
      return null;
    }
    Operation operation = operation(write);
    transaction.operations.add(operation);
    if (keys != null && keys.columns() != null) {
      RecordedResult result =
          RecordedResult.keys(
              connection,
              statement.getGeneratedKeys(),
              keys,
              write.table(),
              transaction,
              operation);
      if (wanted) {
        return result;
      }
      result.finish();
      return null;
    }
    byKey(write, operation, parameters);
    return null;
  }

  private Operation operation(Plan.Write write) {
    Operation.Kind kind = write.deletes() ? Operation.Kind.DELETE : Operation.Kind.WRITE;
    return new Operation(kind, write.table(), at);
  }

  private void byKey(Plan.Write write, Operation operation, Condition.Parameters parameters)
      throws SQLException {
    String key = write.key() == null ? null : write.key().text(parameters);
    if (key != null && write.deletes()) {
      operation.add(Row.gone(write.table(), key, connection.recording.gone()));
      return;
    }
    // In a transaction of its own a second statement could see the row of another client.
    if (key == null || connection.isAutoCommit()) {
      unseen(write);
      return;
    }
    try (PreparedStatement lookup = connection.lookup(write.lookup())) {
      int index = 0;
      for (int i = 0; i < write.key().parts().size(); i++) {
        Optional<String> value = write.key().parts().get(i).text(parameters);
        boolean number = write.table().key().get(i).kind() == Table.Kind.INTEGER;
        Object typed = number ? (Object) Long.valueOf(value.get()) : value.get();
        lookup.setObject(++index, typed);
      }
      try (ResultSet rows = lookup.executeQuery()) {
        int width = write.table().width();
        while (rows.next()) {
          operation.add(Row.of(write.table(), RecordedResult.texts(rows, 1, width)));
        }
      }
    }
  }

  /**
   * Ends a batch outside of a transaction. It may have been several: with ids, rows of the same
   * writer are together; else each row is on its own.
   */
  void splitBatch(Transaction whole) {
    boolean ids = connection.recording.hasIds();
    for (Operation operation : List.copyOf(whole.operations)) {
      Map<String, List<Row>> byWriter = new LinkedHashMap<>();
      for (Row row : operation.rows.values()) {
        boolean named = ids && operation.kind == Operation.Kind.WRITE;
        String writer = named ? row.version().split(":")[0] : row.key();
        byWriter.computeIfAbsent(writer, name -> new ArrayList<>()).add(row);
      }
      if (byWriter.size() < 2) {
        continue;
      }
      whole.operations.remove(operation);
      for (List<Row> rows : byWriter.values()) {
        Transaction one = whole.alike();
        Operation part = new Operation(operation.kind, operation.table, operation.at);
        rows.forEach(part::add);
        one.operations.add(part);
        connection.executed(one);
      }
    }
    connection.executed(whole);
  }
}
