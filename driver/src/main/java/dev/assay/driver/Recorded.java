package dev.assay.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;

/** A connection whose transactions are recorded. */
final class Recorded implements InvocationHandler {
  final Connection delegate;
  final Recording recording;
  final Session session;
  final Dialect dialect;
  private Connection proxy;
  private Catalogue catalogue;
  private boolean autoCommit;
  private String isolation;
  private boolean isolationNoted;

  /** Whether a transaction was begun in SQL. */
  private boolean begun;

  private Transaction current;

  private Recorded(Connection delegate, Recording recording) throws SQLException {
    this.delegate = delegate;
    this.recording = recording;
    DatabaseMetaData data = delegate.getMetaData();
    dialect = Dialect.of(data, recording.settings.version());
    session = recording.session();
    autoCommit = delegate.getAutoCommit();
    isolation = Isolations.name(delegate.getTransactionIsolation());
    chooseSchema();
    describe(data);
  }

  static Connection connection(Connection delegate, Recording recording) throws SQLException {
    Recorded recorded = new Recorded(delegate, recording);
    recorded.proxy = Proxies.of(Connection.class, recorded);
    return recorded.proxy;
  }

  private void describe(DatabaseMetaData data) throws SQLException {
    synchronized (recording) {
      if (recording.isDescribed()) {
        return;
      }
      String column = recording.settings.version();
      boolean ids = column == null && dialect.firstId() != null;
      recording.describe(
          data.getDatabaseProductName() + " " + data.getDatabaseProductVersion(),
          column == null ? "of the database" : column,
          ids ? ask(dialect.firstId()) : null);
    }
  }

  private void chooseSchema() throws SQLException {
    String schema = delegate.getSchema();
    catalogue = recording.catalogue(dialect, schema == null ? delegate.getCatalog() : schema);
  }

  private String ask(String sql) throws SQLException {
    try (Statement statement = delegate.createStatement();
        ResultSet answer = statement.executeQuery(sql)) {
      return answer.next() ? answer.getString(1) : null;
    }
  }

  Connection proxy() {
    return proxy;
  }

  Plan plan(String sql) throws SQLException {
    if (recording.isFinished()) {
      return new Plan.Harmless();
    }
    return catalogue.plan(sql, delegate);
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    Object common = Proxies.ofObject(self, delegate, method, arguments);
    if (common != null) {
      return common;
    }
    switch (method.getName()) {
      case "createStatement" -> {
        Statement statement = (Statement) Proxies.call(delegate, method, arguments);
        return RecordedStatement.plain(this, statement, arguments);
      }
      case "prepareStatement" -> {
        return RecordedStatement.prepared(this, method, arguments);
      }
      case "prepareCall" -> {
        CallableStatement statement = (CallableStatement) Proxies.call(delegate, method, arguments);
        return RecordedStatement.called(this, statement, (String) arguments[0]);
      }
      case "commit" -> {
        commit(() -> Proxies.call(delegate, method));
        return null;
      }
      case "setAutoCommit" -> {
        setAutoCommit((Boolean) arguments[0], method);
        return null;
      }
      case "rollback" -> {
        Proxies.call(delegate, method, arguments);
        rolledBack(arguments == null ? null : arguments[0]);
        return null;
      }
      case "setSavepoint" -> {
        Transaction transaction = begin(CallSite.here(recording.settings.application()));
        Savepoint savepoint = (Savepoint) Proxies.call(delegate, method, arguments);
        transaction.savepoint(savepoint);
        return savepoint;
      }
      case "close", "abort" -> {
        return close(method, arguments);
      }
      default -> {
        return other(self, method, arguments);
      }
    }
  }

  private Object other(Object self, Method method, Object[] arguments) throws Throwable {
    if (Proxies.isWrapped(method)) {
      Class<?> type = (Class<?>) arguments[0];
      if (type.isInstance(self)) {
        return method.getName().equals("unwrap") ? self : Boolean.TRUE;
      }
      if (method.getName().equals("unwrap")) {
        recording.unseen("unwrap(" + type.getName() + ")", "what it does is not seen", null);
        recording.changedUnseen(null, "the application used the driver behind directly");
      }
    }
    Object result = Proxies.call(delegate, method, arguments);
    switch (method.getName()) {
      case "setSchema", "setCatalog" -> chooseSchema();
      case "setTransactionIsolation" -> {
        isolation = Isolations.name((Integer) arguments[0]);
        isolationNoted = false;
      }
      default -> {
        // Nothing changes.
      }
    }
    if (result instanceof DatabaseMetaData data) {
      return Proxies.of(
          DatabaseMetaData.class,
          (metaProxy, called, with) ->
              called.getName().equals("getConnection") ? proxy : Proxies.call(data, called, with));
    }
    return result;
  }

  // ---- transactions

  /** The transaction that a statement belongs to. */
  Transaction begin(CallSite site) {
    Transaction transaction = current;
    if (transaction == null) {
      if (!isolationNoted) {
        recording.isolation(isolation);
        isolationNoted = true;
      }
      transaction = new Transaction();
      if (!isAutoCommit()) {
        current = transaction;
      }
    }
    transaction.called(site);
    return transaction;
  }

  boolean isAutoCommit() {
    return autoCommit && !begun;
  }

  /** A statement has been executed. */
  void executed(Transaction transaction) {
    if (transaction != current) {
      end(transaction, "committed");
    }
  }

  void failed(Transaction transaction, SQLException e) {
    transaction.error = e.getMessage();
    if (transaction != current) {
      String state = e.getSQLState() == null ? "08" : e.getSQLState();
      end(transaction, state.startsWith("08") ? "indeterminate" : "aborted");
    } else if (dialect.failsWhole()) {
      transaction.failed = true;
    } else if (e.getSQLState() != null && e.getSQLState().startsWith("40")) {
      current = null;
      end(transaction, "aborted");
    }
  }

  private void end(Transaction transaction, String outcome) {
    transaction.end(outcome);
    if (!outcome.equals("aborted")) {
      see(transaction);
    }
    session.ended(transaction);
  }

  /** From here on others may see what a transaction wrote. */
  private void see(Transaction transaction) {
    for (Operation operation : transaction.operations) {
      if (operation.kind != Operation.Kind.READ) {
        operation.rows.keySet().forEach(recording::see);
      }
    }
  }

  interface Commit {
    void run() throws Throwable;
  }

  void commit(Commit commit) throws Throwable {
    Transaction transaction = current;
    current = null;
    begun = false;
    if (transaction == null) {
      commit.run();
      return;
    }
    // The method that commits is the one whose transaction it is, if it made the statements too.
    transaction.called(CallSite.here(recording.settings.application()));
    settle(transaction);
    see(transaction);
    try {
      commit.run();
    } catch (SQLException e) {
      transaction.error = e.getMessage();
      boolean undone = transaction.failed || Dialect.rolledBack(e);
      end(transaction, undone ? "aborted" : "indeterminate");
      throw e;
    }
    end(transaction, transaction.failed ? "aborted" : "committed");
  }

  /** Asks for what only the end of a transaction settles. */
  private void settle(Transaction transaction) throws SQLException {
    if (transaction.failed) {
      return;
    }
    if (transaction.unseenWrites && recording.hasIds()) {
      transaction.id = ask(dialect.transactionId());
    }
    if (dialect.versionAtEnd() != null && transaction.wrote()) {
      transaction.writtenAt(ask(dialect.versionAtEnd()));
    }
  }

  void rolledBack(Object savepoint) {
    if (current == null) {
      return;
    }
    if (savepoint != null) {
      current.rollbackTo(savepoint);
      return;
    }
    Transaction transaction = current;
    current = null;
    begun = false;
    end(transaction, "aborted");
  }

  private void setAutoCommit(boolean on, Method method) throws Throwable {
    if (on && !autoCommit) {
      commit(() -> Proxies.call(delegate, method, true));
    } else {
      Proxies.call(delegate, method, on);
    }
    autoCommit = on;
  }

  private Object close(Method method, Object[] arguments) throws Throwable {
    try {
      return Proxies.call(delegate, method, arguments);
    } finally {
      if (current != null) {
        Transaction transaction = current;
        current = null;
        // Others than these may commit what is open.
        end(transaction, dialect == Dialect.OTHER ? "indeterminate" : "aborted");
      }
      session.close();
    }
  }

  // ---- transactions in SQL

  /** Executes a part of a transaction that is written in SQL. */
  Object control(Plan.Control control, RecordedStatement.Call call) throws Throwable {
    Object[] result = new Object[1];
    switch (control.word()) {
      case TWO_PHASE -> throw AssayDataSource.noXa();
      case COMMIT -> commit(() -> result[0] = call.run());
      case ROLLBACK -> {
        result[0] = call.run();
        rolledBack(null);
      }
      case BEGIN -> {
        result[0] = call.run();
        begun = true;
      }
      case SAVEPOINT -> {
        Transaction transaction = begin(CallSite.here(recording.settings.application()));
        result[0] = call.run();
        transaction.savepoint(control.savepoint());
      }
      case ROLLBACK_TO -> {
        result[0] = call.run();
        rolledBack(control.savepoint());
      }
      default -> result[0] = call.run();
    }
    return result[0];
  }

  /** A definition was executed; some databases have committed before it. */
  void defined(String sql) {
    recording.defined(sql);
    if (dialect.definitionsCommit() && current != null) {
      Transaction transaction = current;
      current = null;
      end(transaction, "committed");
    }
  }

  PreparedStatement lookup(String sql) throws SQLException {
    return delegate.prepareStatement(sql);
  }
}
