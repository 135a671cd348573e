package dev.assay.collect.schedule;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.OtherIsolationException;
import dev.assay.collect.db.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One session of a schedule: a thread with a connection that does one step at a time. */
final class ScriptedSession implements AutoCloseable {
  /** What became of it. */
  enum State {
    OPEN,
    COMMITTED,
    ABORTED,
    /** The database refused a step, and the transaction was rolled back. */
    REFUSED
  }

  private static final String NOTHING = "none";

  private final ExecutorService thread;
  private final Connector connector;
  private final JdbcIsolation isolation;
  private final Connection connection;
  private final Dialect dialect;

  /** Kept, as applications do: what a database remembers with a statement can go wrong, too. */
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private boolean inTransaction;
  private Future<String> pending;
  private Step pendingStep;
  private State state = State.OPEN;
  private String error;
  private OtherIsolationException otherIsolation;

  ScriptedSession(Connector connector, int number, JdbcIsolation isolation) throws SQLException {
    this.connector = connector;
    this.isolation = isolation;
    connection = connector.connect(number, isolation);
    dialect = connector.database().dialect();
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread worker = new Thread(task, "schedule");
              worker.setDaemon(true);
              return worker;
            });
  }

  State state() {
    return state;
  }

  String error() {
    return error;
  }

  /** What a transaction at another level shows says nothing about the one asked for. */
  void failIfAtAnotherLevel() throws SQLException {
    if (otherIsolation != null) {
      throw otherIsolation;
    }
  }

  boolean isBusy() {
    return pending != null;
  }

  void begin(Step step) {
    pendingStep = step;
    pending = thread.submit(() -> perform(step));
  }

  /** Waits for the step that was begun; true when it is over. */
  boolean await(long millis, Results results) {
    if (pending == null) {
      return true;
    }
    try {
      String result = pending.get(millis, TimeUnit.MILLISECONDS);
      if (pendingStep.variable() != null) {
        results.saw(pendingStep.variable(), result);
      }
      state =
          switch (pendingStep.action()) {
            case COMMIT -> State.COMMITTED;
            case ABORT -> State.ABORTED;
            default -> State.OPEN;
          };
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      refused(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      refused(e);
    }
    pending = null;
    return true;
  }

  private void refused(Throwable cause) {
    state = State.REFUSED;
    error = cause.getMessage();
    inTransaction = false;
    if (cause instanceof OtherIsolationException other) {
      otherIsolation = other;
    }
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The connection is gone, and the transaction with it.
    }
  }

  /** Gives up on a session that does not come back. */
  void giveUp() {
    state = State.REFUSED;
    error = "blocked until the end";
  }

  /** Takes what a session saw. */
  interface Results {
    void saw(String variable, String value);
  }

  private String perform(Step step) throws SQLException {
    boolean ends = step.action().endsTransaction();
    if (!inTransaction && !ends) {
      isolation.begin(connection);
    }
    inTransaction = !ends;
    List<Long> a = step.arguments();
    return switch (step.action()) {
      case READ -> query(dialect.read(Table.REGISTER, false), a.get(0));
      case LIST -> query(dialect.read(Table.LIST, false), a.get(0));
      case BETWEEN ->
          query("SELECT k FROM assay_register WHERE v >= ? AND v <= ?", a.get(0), a.get(1));
      case WRITE -> update(dialect.update(Table.REGISTER), a.get(1), a.get(0));
      case INSERT -> update(dialect.insert(Table.REGISTER), a.get(0), a.get(1));
      case APPEND -> append(a.get(0), a.get(1));
      case COMMIT -> {
        connector.confirm(isolation, connection);
        connection.commit();
        yield null;
      }
      case ABORT, AGAIN -> {
        connection.rollback();
        yield null;
      }
    };
  }

  private String append(long key, long element) throws SQLException {
    if (dialect.hasUpsert()) {
      return update(dialect.upsert(Table.LIST), key, element + ",");
    }
    return update(dialect.update(Table.LIST), element + ",", key) == null
        ? update(dialect.insert(Table.LIST), key, element + ",")
        : "";
  }

  /** The results in order, without the commas that end the elements of lists. */
  private String query(String sql, Object... parameters) throws SQLException {
    try (ResultSet result = prepared(sql, parameters).executeQuery()) {
      List<String> values = new ArrayList<>();
      while (result.next()) {
        values.add(String.valueOf(result.getString(1)).replaceAll(",$", ""));
      }
      Collections.sort(values);
      return values.isEmpty() ? NOTHING : String.join(",", values);
    }
  }

  /** Null when no row was changed. */
  private String update(String sql, Object... parameters) throws SQLException {
    return prepared(sql, parameters).executeUpdate() == 0 ? null : "";
  }

  private PreparedStatement prepared(String sql, Object... parameters) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i] instanceof Long number) {
        statement.setLong(i + 1, number);
      } else {
        statement.setString(i + 1, parameters[i].toString());
      }
    }
    return statement;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (pending != null) {
        connection.abort(Runnable::run);
      } else {
        connection.rollback();
      }
      connection.close();
    } catch (SQLException | AbstractMethodError e) {
      // It ends with the database at the latest.
    }
  }
}
