package dev.assay.collect.db;

import dev.assay.collect.client.Isolation;
import dev.assay.level.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An isolation level of a database, and how its driver is told.
 *
 * <p>A setting of the session is enough where a connection leads to one session of the server. Of
 * databases that are often reached through a pool which hands out sessions by the transaction, the
 * level is said in every transaction: the setting would land on some session, and stay there for
 * whoever gets it next.
 *
 * @param name what users ask for, such as {@code repeatable-read}
 * @param claimed what the database's documentation, or else the name, promises
 * @param jdbcLevel what {@link Connection#getTransactionIsolation} says of it, or {@link
 *     Connection#TRANSACTION_NONE} when there is nothing to set and to ask
 * @param atBegin the first statement of every transaction, or null to set the session's level
 */
public record JdbcIsolation(String name, Level claimed, int jdbcLevel, String atBegin)
    implements Isolation {
  public static final JdbcIsolation READ_UNCOMMITTED =
      jdbc("read-uncommitted", Level.READ_UNCOMMITTED, Connection.TRANSACTION_READ_UNCOMMITTED);
  public static final JdbcIsolation READ_COMMITTED =
      jdbc("read-committed", Level.ADYA_READ_COMMITTED, Connection.TRANSACTION_READ_COMMITTED);
  public static final JdbcIsolation REPEATABLE_READ =
      jdbc("repeatable-read", Level.REPEATABLE_READ, Connection.TRANSACTION_REPEATABLE_READ);
  public static final JdbcIsolation SERIALIZABLE =
      jdbc("serializable", Level.SERIALIZABLE, Connection.TRANSACTION_SERIALIZABLE);

  /** The four levels of the SQL standard, weakest first, with what their names promise. */
  public static final List<JdbcIsolation> STANDARD =
      List.of(READ_UNCOMMITTED, READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE);

  /** A setting of the session. */
  public static JdbcIsolation jdbc(String name, Level claimed, int jdbcLevel) {
    return new JdbcIsolation(name, claimed, jdbcLevel, null);
  }

  /** The only level of a database. */
  public static JdbcIsolation only(String name, Level claimed) {
    return jdbc(name, claimed, Connection.TRANSACTION_NONE);
  }

  /** The same level, said by a statement of standard SQL in every transaction. */
  public JdbcIsolation inEveryTransaction() {
    return new JdbcIsolation(
        name, claimed, jdbcLevel, "SET TRANSACTION ISOLATION LEVEL " + sqlName(jdbcLevel));
  }

  /** Whether transactions run at it because of a setting of their session. */
  public boolean isOfSession() {
    return atBegin == null && jdbcLevel != Connection.TRANSACTION_NONE;
  }

  void set(Connection connection) throws SQLException {
    if (isOfSession()) {
      connection.setTransactionIsolation(jdbcLevel);
    }
    connection.setAutoCommit(false);
  }

  /** To be called before anything else in a transaction. */
  public void begin(Connection connection) throws SQLException {
    if (atBegin != null) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(atBegin);
      }
    }
  }

  static String sqlName(int jdbcLevel) {
    return switch (jdbcLevel) {
      case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
      case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
      case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
      case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
      default -> "level " + jdbcLevel + " of its driver";
    };
  }
}
