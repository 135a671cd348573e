package example;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The roster of a hospital: at least one doctor must be on call. */
public final class OnCall {
  private final DataSource source;
  private final int isolation;

  /** For a database whose transactions have this level. */
  public OnCall(DataSource source, int isolation) {
    this.source = source;
    this.isolation = isolation;
  }

  /** Takes a doctor off call if another one stays; says whether it did. */
  public boolean leave(int doctor) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
      boolean leaves = countOnCall(connection) >= 2;
      pause();
      if (leaves) {
        set(connection, doctor, false);
      }
      connection.commit();
      return leaves;
    }
  }

  /** Puts a doctor on call. */
  public void come(int doctor) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
      set(connection, doctor, true);
      connection.commit();
    }
  }

  private static int countOnCall(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT count(*) FROM doctors WHERE on_call = ?")) {
      statement.setBoolean(1, true);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private static void set(Connection connection, int doctor, boolean onCall) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE doctors SET on_call = ? WHERE id = ?")) {
      statement.setBoolean(1, onCall);
      statement.setInt(2, doctor);
      statement.executeUpdate();
    }
  }

  /** What an application does between reading and writing. */
  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
