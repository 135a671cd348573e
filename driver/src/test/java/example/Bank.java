package example;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Accounts, and transfers between them. */
public final class Bank {
  private final DataSource source;
  private final int isolation;

  /** For a database whose transactions have this level. */
  public Bank(DataSource source, int isolation) {
    this.source = source;
    this.isolation = isolation;
  }

  /** Moves money if there is enough. */
  public void transfer(int from, int to, int amount) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
      try {
        int left = balance(connection, from) - amount;
        if (left >= 0) {
          setBalance(connection, from, left);
          setBalance(connection, to, balance(connection, to) + amount);
        }
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        if (!"40001".equals(e.getSQLState()) && !"40P01".equals(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  private static int balance(Connection connection, int account) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT balance FROM accounts WHERE id = ?")) {
      statement.setInt(1, account);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private static void setBalance(Connection connection, int account, int balance)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE accounts SET balance = ? WHERE id = ?")) {
      statement.setInt(1, balance);
      statement.setInt(2, account);
      statement.executeUpdate();
    }
  }
}
