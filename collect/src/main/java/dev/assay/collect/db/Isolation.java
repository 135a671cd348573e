package dev.assay.collect.db;

import dev.assay.level.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An isolation level as a database offers it.
 *
 * @param name what users ask for, such as {@code repeatable-read}
 * @param claimed what the database's documentation, or else the name, promises
 * @param jdbcLevel the constant of {@link Connection}, or {@link Connection#TRANSACTION_NONE} when
 *     the statements do it all
 * @param statements what to run on each new connection
 */
public record Isolation(String name, Level claimed, int jdbcLevel, List<String> statements) {
  public static final Isolation READ_UNCOMMITTED =
      jdbc("read-uncommitted", Level.READ_UNCOMMITTED, Connection.TRANSACTION_READ_UNCOMMITTED);
  public static final Isolation READ_COMMITTED =
      jdbc("read-committed", Level.ADYA_READ_COMMITTED, Connection.TRANSACTION_READ_COMMITTED);
  public static final Isolation REPEATABLE_READ =
      jdbc("repeatable-read", Level.REPEATABLE_READ, Connection.TRANSACTION_REPEATABLE_READ);
  public static final Isolation SERIALIZABLE =
      jdbc("serializable", Level.SERIALIZABLE, Connection.TRANSACTION_SERIALIZABLE);

  /** The four levels of the SQL standard, weakest first, with what their names promise. */
  public static final List<Isolation> STANDARD =
      List.of(READ_UNCOMMITTED, READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE);

  public Isolation {
    statements = List.copyOf(statements);
  }

  public static Isolation jdbc(String name, Level claimed, int jdbcLevel) {
    return new Isolation(name, claimed, jdbcLevel, List.of());
  }

  public static Isolation sql(String name, Level claimed, String... statements) {
    return new Isolation(name, claimed, Connection.TRANSACTION_NONE, List.of(statements));
  }

  void set(Connection connection) throws SQLException {
    if (jdbcLevel != Connection.TRANSACTION_NONE) {
      connection.setTransactionIsolation(jdbcLevel);
    }
    for (String text : statements) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(text);
      }
    }
  }
}
