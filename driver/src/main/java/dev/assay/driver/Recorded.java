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
import java.util.regex.Pattern;

/** A connection whose transactions are recorded. */
final class Recorded implements InvocationHandler {
  /** Methods that open no transaction, or do not need one that is open. */
  private static final Pattern QUIET =
      Pattern.compile(
          "(get|is|create|clear|enquote|native|release).*|(begin|end)Request"
              + "|set(ReadOnly|TransactionIsolation|Holdability|TypeMap|NetworkTimeout)");

  final Connection delegate;
  final Recording recording;
  final Session session;
  final Dialect dialect;
  private Connection proxy;
  private final Names names;
  private boolean autoCommit;
  private String isolation;
  private boolean isolationNoted;

  /** Whether a transaction was begun in SQL. */
  private boolean begun;

  /** Whether the application has sent something since its last transaction ended. */
  private boolean touched;

  /** When it did: what a transaction sees may be as old as that. */
  private long opened;

  /** Whether the application may use the driver behind directly, from here on. */
  private boolean direct;

  private Transaction current;

  private Recorded(Connection delegate, Recording recording) throws SQLException {
    this.delegate = delegate;
    this.recording = recording;
    DatabaseMetaData data = delegate.getMetaData();
    dialect = Dialect.of(data, recording.settings.version());
    session = recording.session();
    autoCommit = delegate.getAutoCommit();
    isolation = Isolations.name(delegate.getTransactionIsolation());
    names = new Names(recording, delegate, dialect, session.number());
    describe(data);
    if (!autoCommit) {
      delegate.rollback();
    }
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
    boolean clean = !autoCommit && !touched && !direct;
    if (!clean) {
      touch();
    }
    return names.plan(sql, clean);
  }

  /** The application has an object of the driver behind. */
  void unwrapped() {
    direct = true;
  }

  /** The application sends something, which may open a transaction. */
  void touch() {
    if (!touched && !isAutoCommit()) {
      touched = true;
      opened = System.nanoTime();
    }
  }

  /** Something failed that is not recorded, after which the database may only take a rollback. */
  void doubt() {
    if (current != null) {
      current.failed |= dialect.failsWhole();
    }
  }

  /** The end of a transaction, for what is not part of the recording. */
  private void closed() {
    current = null;
    begun = false;
    touched = false;
    names.ended();
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    Object common = Proxies.ofObject(self, delegate, method, arguments);
    if (common != null) {
      return common;
    }
    try {
      return call(self, method, arguments);
    } catch (SQLException e) {
      doubt();
      throw e;
    }
  }

  private Object call(Object self, Method method, Object[] arguments) throws Throwable {
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
        if (autoCommit) {
          // Most drivers refuse that, and a transaction that was begun in SQL stays open.
          Proxies.call(delegate, method);
          commit(() -> {});
        } else {
          commit(() -> Proxies.call(delegate, method));
        }
        return null;
      }
      case "setAutoCommit" -> {
        setAutoCommit((Boolean) arguments[0], method);
        return null;
      }
      case "rollback" -> {
        boolean whole = arguments == null || arguments[0] == null;
        Object savepoint = whole ? null : nameOf((Savepoint) arguments[0]);
        Proxies.call(delegate, method, arguments);
        rolledBack(savepoint);
        return null;
      }
      case "releaseSavepoint" -> {
        Object savepoint = nameOf((Savepoint) arguments[0]);
        Proxies.call(delegate, method, arguments);
        released(savepoint);
        return null;
      }
      case "setSavepoint" -> {
        Transaction transaction = begin();
        Savepoint savepoint = (Savepoint) Proxies.call(delegate, method, arguments);
        transaction.savepoint(nameOf(savepoint), dialect.shadowsSavepoints());
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

  /** By its name, which SQL may also use; by itself if it has none. */
  private static Object nameOf(Savepoint savepoint) {
    try {
      String name = savepoint.getSavepointName();
      return name == null ? savepoint : name;
    } catch (SQLException unnamed) {
      return savepoint;
    }
  }

  private Object other(Object self, Method method, Object[] arguments) throws Throwable {
    if (Proxies.isWrapped(method)) {
      Class<?> type = (Class<?>) arguments[0];
      if (type.isInstance(self)) {
        return method.getName().equals("unwrap") ? self : Boolean.TRUE;
      }
      if (method.getName().equals("unwrap")) {
        direct = true;
        recording.unseen("unwrap(" + type.getName() + ")", "what it does is not seen", null);
        recording.changedUnseen(null, "the application used the driver behind directly");
      }
    }
    if (!QUIET.matcher(method.getName()).matches()) {
      touch();
    }
    Object result = Proxies.call(delegate, method, arguments);
    switch (method.getName()) {
      case "setSchema", "setCatalog" -> names.chosen();
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
          (metaProxy, called, with) -> {
            Object answer = Proxies.call(data, called, with);
            if (answer instanceof ResultSet) {
              touch();
            }
            return called.getName().equals("getConnection") ? proxy : answer;
          });
    }
    return result;
  }

  // ---- transactions

  /** The transaction that what is called now belongs to. */
  Transaction begin() {
    return begin(CallSite.here(recording.settings.application()));
  }

  /** The transaction that a statement belongs to. */
  Transaction begin(CallSite site) {
    Transaction transaction = current;
    if (transaction == null) {
      if (!isolationNoted) {
        recording.isolation(isolation);
        isolationNoted = true;
      }
      touch();
      transaction = new Transaction(isAutoCommit() ? System.nanoTime() : opened);
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

  /** A write is about to be executed; outside of transactions others see it at once. */
  void writes(Transaction transaction, Plan.Write write) {
    if (transaction != current) {
      recording.writes(session.number(), transaction, write);
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
      if (operation.unread) {
        recording.unsettled(transaction, operation.table);
      }
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
    if (transaction == null) {
      closed();
      commit.run();
      return;
    }
    // The method that commits is the one whose transaction it is, if it made the statements too.
    transaction.called(CallSite.here(recording.settings.application()));
    settle(transaction);
    closed();
    see(transaction);
    recording.deletes(session.number(), transaction, transaction.deleted());
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
  private void settle(Transaction transaction) {
    if (transaction.failed) {
      try {
        // Not if the error was one of the driver behind, which the database knows nothing of.
        ask("select 1");
        transaction.failed = false;
      } catch (SQLException e) {
        return;
      }
    }
    try {
      if (recording.hasIds() && (transaction.unseenWrites || transaction.wroteOpenTable())) {
        transaction.id = ask(dialect.transactionId());
      }
      if (dialect.versionAtEnd() != null && transaction.wrote()) {
        transaction.writtenAt(ask(dialect.versionAtEnd()));
      }
    } catch (SQLException e) {
      // Whatever is wrong, the commit shows it.
      recording.writtenUnseen(null, "a transaction could not be asked for its id");
    }
  }

  void rolledBack(Object savepoint) {
    Transaction transaction = current;
    if (savepoint != null) {
      names.ended();
      if (transaction != null && !transaction.rollbackTo(savepoint)) {
        transaction.unseenWrites = true;
        recording.changedUnseen(null, "a rollback to a savepoint was not understood");
      }
      return;
    }
    closed();
    if (transaction != null) {
      end(transaction, "aborted");
    }
  }

  void released(Object savepoint) {
    if (current != null) {
      current.release(savepoint);
    }
  }

  /** Something is about to be executed that may end a transaction. */
  void mayEnd() {
    if (current != null) {
      see(current);
    }
  }

  /** Several statements were executed at once, of which some began or ended transactions. */
  void ended(Transaction transaction, boolean open) {
    closed();
    // What of it was committed is not known.
    end(transaction, "indeterminate");
    begun = open && autoCommit;
    touched = !isAutoCommit();
    opened = transaction.start;
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
    session.finishResults();
    try {
      return Proxies.call(delegate, method, arguments);
    } finally {
      if (current != null) {
        Transaction transaction = current;
        current = null;
        // Others than these may commit what is open.
        end(transaction, dialect.returnsRows() ? "aborted" : "indeterminate");
      }
      names.close();
      session.close();
    }
  }

  // ---- transactions in SQL

  boolean isBegun() {
    return begun;
  }

  /**
   * A transaction is open that was begun in SQL, or by the end of another.
   *
   * @param inText whether it is one that ends only in SQL
   * @param before when the statement was sent that began it
   */
  void begun(boolean inText, long before) {
    begun = inText;
    opened = touched ? opened : before;
    touched = true;
  }

  /** A definition was executed; some databases have committed before it. */
  void defined(String sql) {
    names.defined(sql, !isAutoCommit());
    if (dialect.definitionsCommit()) {
      endedBehind(() -> {});
    } else if (!isAutoCommit()) {
      // It may have written all rows anew.
      begin().unseenWrites = true;
    }
  }

  /** The database has committed without being told to. */
  private void endedBehind(Runnable close) {
    Transaction transaction = current;
    current = null;
    close.run();
    if (transaction != null) {
      end(transaction, "committed");
    }
  }

  /** A statement was executed that is not about rows. */
  void said(String sql) {
    names.executed(sql);
  }

  /** What SQL said may have switched whether each statement is a transaction. */
  void switched() throws SQLException {
    if (delegate.getAutoCommit() != autoCommit) {
      autoCommit = !autoCommit;
      if (autoCommit && current != null) {
        endedBehind(this::closed);
      }
    }
  }

  PreparedStatement lookup(String sql) throws SQLException {
    return delegate.prepareStatement(sql);
  }
}
