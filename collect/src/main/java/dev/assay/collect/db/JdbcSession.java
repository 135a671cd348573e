package dev.assay.collect.db;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.SessionSpec;
import dev.assay.history.OpKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A session over a connection of a JDBC driver. */
public final class JdbcSession implements ClientSession {
  private final Connector connector;
  private final Connection connection;
  private final JdbcIsolation isolation;
  private final Statements statements;

  public JdbcSession(
      Connector connector, Connection connection, JdbcIsolation isolation, SessionSpec spec) {
    this.connector = connector;
    this.connection = connection;
    this.isolation = isolation;
    this.statements =
        new Statements(
            connection, connector.database().dialect(), spec.forUpdate(), spec.upserts());
  }

  /** A step that may fail as JDBC does. */
  public interface Sql {
    void run() throws SQLException;
  }

  /** What works on rows, and what reads a database's log, knows SQL itself. */
  public Connection connection() {
    return connection;
  }

  public Dialect dialect() {
    return connector.database().dialect();
  }

  /** Does something on the connection, with errors as of any other step. */
  public void run(Sql step) throws ClientException {
    try {
      step.run();
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public void begin() throws ClientException {
    run(() -> isolation.begin(connection));
  }

  @Override
  public long readNumber(OpKind.Type type, long key) throws ClientException {
    try {
      return statements.readNumber(Statements.table(type), key);
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public int readElements(OpKind.Type type, long key) throws ClientException {
    try {
      return statements.readElements(Statements.table(type), key);
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public long[] elements() {
    return statements.elements();
  }

  @Override
  public void write(OpKind.Type type, long key, long value) throws ClientException {
    try {
      statements.write(Statements.table(type), key, value);
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public boolean compareAndSet(long key, long expected, long value) throws ClientException {
    try {
      return statements.compareAndSet(key, expected, value);
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classify(e));
    }
  }

  @Override
  public boolean delete(long key) throws ClientException {
    run(() -> statements.delete(key));
    return true;
  }

  @Override
  public void confirm() throws ClientException {
    run(() -> connector.confirm(isolation, connection));
  }

  @Override
  public void commit() throws ClientException {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw connector.failed(e, connector.database().classifyCommit(e));
    }
  }

  @Override
  public void rollback() throws ClientException {
    run(connection::rollback);
  }

  @Override
  public void catchUp() throws ClientException {
    String sql = connector.database().catchUp();
    if (sql != null) {
      run(
          () -> {
            try (Statement statement = connection.createStatement()) {
              statement.execute(sql);
            }
          });
    }
  }

  @Override
  public void cutOff() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      // Not all drivers can.
    }
  }

  /**
   * Closes the connection, but not before what is open in it is rolled back: JDBC leaves it to
   * drivers what becomes of that, and some databases commit it.
   */
  @Override
  public void close() {
    try {
      connection.rollback();
    } catch (SQLException | RuntimeException e) {
      cutOff();
    }
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // It is of no more use, whether or not it closes.
    }
  }
}
