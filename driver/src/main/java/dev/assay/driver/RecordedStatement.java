package dev.assay.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A statement of the application, plain or prepared. */
final class RecordedStatement implements InvocationHandler {
  /** A call of the driver behind. */
  interface Call {
    Object run() throws Throwable;
  }

  private final Recorded connection;
  private final Statement delegate;

  /** Of a prepared statement: its text and what to do with it; else null. */
  private final String sql;

  private final Plan plan;

  /** What a prepared statement returns of the rows it writes. */
  private final ReturnedKeys prepared;

  /** Whether results can be updated in place, whose columns must not change. */
  private final boolean updatable;

  /** The type, concurrency and holdability that the application asked for. */
  private Object[] types = {};

  private final Values values = new Values();
  private final List<String> batch = new ArrayList<>();
  private Statement proxy;
  private boolean batched;

  /** The generated keys that the application has asked for and may still read. */
  private RecordedResult keys;

  /** Whether there are generated keys of which the application has asked for none. */
  private boolean keysHidden;

  /** A statement that has executed nothing; null if none was needed. */
  private Statement without;

  /** The result of what was executed last. */
  private RecordedResult result;

  private RecordedStatement(
      Recorded connection,
      Statement delegate,
      String sql,
      Plan plan,
      ReturnedKeys prepared,
      boolean updatable) {
    this.connection = connection;
    this.delegate = delegate;
    this.sql = sql;
    this.plan = plan;
    this.prepared = prepared;
    this.updatable = updatable;
  }

  static Statement plain(Recorded connection, Statement delegate, Object[] arguments) {
    boolean updatable = arguments != null && (Integer) arguments[1] == ResultSet.CONCUR_UPDATABLE;
    RecordedStatement handler =
        new RecordedStatement(connection, delegate, null, null, null, updatable);
    return handler.proxy = Proxies.of(Statement.class, handler);
  }

  static CallableStatement called(Recorded connection, CallableStatement delegate, String sql) {
    Plan unseen = new Plan.Unseen("calls a procedure", true, null, true);
    RecordedStatement handler =
        new RecordedStatement(connection, delegate, sql, unseen, null, false);
    CallableStatement proxy = Proxies.of(CallableStatement.class, handler);
    handler.proxy = proxy;
    return proxy;
  }

  static PreparedStatement prepared(Recorded connection, Method method, Object[] arguments)
      throws Throwable {
    String sql = (String) arguments[0];
    Plan plan = connection.plan(sql);
    boolean wantsKeys = arguments.length == 2 && !asksNothing(arguments[1]);
    plan = wantsKeys ? asKeys(plan) : plan;
    boolean types = arguments.length >= 3;
    boolean updatable = types && (Integer) arguments[2] == ResultSet.CONCUR_UPDATABLE;
    plan = updatable ? seenNoMore(plan) : plan;
    ReturnedKeys keys = null;
    PreparedStatement delegate;
    if (plan instanceof Plan.Query query) {
      Object[] changed = arguments.clone();
      changed[0] = query.sql();
      delegate = (PreparedStatement) Proxies.call(connection.delegate, method, changed);
    } else {
      Object asked = types || arguments.length == 1 ? null : arguments[1];
      keys = ReturnedKeys.of(connection.dialect, plan, asked);
      delegate =
          keys == null || keys.columns() == null
              ? (PreparedStatement) Proxies.call(connection.delegate, method, arguments)
              : connection.delegate.prepareStatement(((Plan.Write) plan).sql(), keys.columns());
    }
    RecordedStatement handler =
        new RecordedStatement(connection, delegate, sql, plan, keys, updatable);
    PreparedStatement proxy = Proxies.of(PreparedStatement.class, handler);
    handler.proxy = proxy;
    handler.types = types ? Arrays.copyOfRange(arguments, 1, arguments.length) : handler.types;
    return proxy;
  }

  private static boolean asksNothing(Object keys) {
    return keys.equals(Statement.NO_GENERATED_KEYS);
  }

  /** What is not seen of a statement whose generated keys the application reads. */
  private static Plan asKeys(Plan plan) {
    if (plan instanceof Plan.Query query && query.left() != null) {
      return Plan.Unseen.of(query.left(), "returns rows as generated keys");
    }
    return plan;
  }

  private static Plan seenNoMore(Plan plan) {
    return plan instanceof Plan.Query
        ? new Plan.Unseen("has a result that can be updated", true, null, true)
        : plan;
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    Object common = Proxies.ofObject(self, delegate, method, arguments);
    if (common != null) {
      return common;
    }
    String name = method.getName();
    switch (name) {
      case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" -> {
        finishResults();
        return arguments == null
            ? execute(sql, plan, prepared, () -> Proxies.call(delegate, method))
            : executeText(method, arguments);
      }
      case "addBatch" -> {
        if (arguments != null) {
          batch.add((String) arguments[0]);
        }
        batched = true;
        return Proxies.call(delegate, method, arguments);
      }
      case "clearBatch" -> {
        batch.clear();
        batched = false;
        return Proxies.call(delegate, method, arguments);
      }
      case "executeBatch", "executeLargeBatch" -> {
        finishResults();
        return executeBatch(method);
      }
      case "getResultSet",
          "getGeneratedKeys",
          "getMoreResults",
          "getResultSetType",
          "getResultSetConcurrency",
          "getResultSetHoldability" -> {
        return ofResults(method, arguments);
      }
      case "getConnection" -> {
        return connection.proxy();
      }
      case "getMetaData" -> {
        return metaData((ResultSetMetaData) Proxies.call(delegate, method));
      }
      case "close" -> {
        finishResults();
        return Proxies.call(delegate, method);
      }
      case "clearParameters" -> values.clear();
      default -> {
        if (arguments != null && name.startsWith("set") && arguments.length >= 2) {
          values.set(name, arguments);
        }
      }
    }
    if (Proxies.isWrapped(method) && ((Class<?>) arguments[0]).isInstance(self)) {
      return name.equals("unwrap") ? self : Boolean.TRUE;
    }
    if (name.equals("unwrap")) {
      connection.unwrapped();
    }
    return Proxies.call(delegate, method, arguments);
  }

  /** What a statement says of its results. */
  private Object ofResults(Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "getResultSet" -> {
        ResultSet rows = (ResultSet) Proxies.call(delegate, method);
        return result != null || rows == null ? resultProxy() : RecordedResult.plain(rows, proxy);
      }
      case "getGeneratedKeys" -> {
        return keys != null ? keys.proxy() : keysHidden ? noKeys() : Proxies.call(delegate, method);
      }
      case "getResultSetType" -> {
        return types.length > 0 ? types[0] : Proxies.call(delegate, method);
      }
      case "getResultSetConcurrency" -> {
        return types.length > 1 ? types[1] : Proxies.call(delegate, method);
      }
      case "getResultSetHoldability" -> {
        return types.length > 2 ? types[2] : Proxies.call(delegate, method);
      }
      default -> {
        if (result != null) {
          result.finish();
          result = null;
        }
        if (connection.dialect == Dialect.H2 && keys != null) {
          // There they are gone then.
          keys.finish();
          keys = null;
          keysHidden = true;
        }
        return Proxies.call(delegate, method, arguments);
      }
    }
  }

  private ResultSetMetaData metaData(ResultSetMetaData data) {
    if (data != null && plan instanceof Plan.Query query) {
      return RecordedResult.visible(data, query.hidden());
    }
    if (data == null || prepared == null || prepared.columns() == null) {
      return data;
    }
    int hidden = prepared.columns().length - prepared.visible();
    return prepared.visible() == 0 ? null : RecordedResult.visible(data, hidden);
  }

  /** What the driver behind gives where no keys were asked for. */
  private ResultSet noKeys() throws SQLException {
    if (without == null) {
      without =
          connection.delegate.createStatement(
              proxy.getResultSetType(), proxy.getResultSetConcurrency());
      without.setFetchSize(delegate.getFetchSize());
    }
    return without.getGeneratedKeys();
  }

  private ResultSet resultProxy() {
    return result == null ? null : result.proxy();
  }

  /** What the application did not read of results is lost to it now. */
  private void finishResults() throws SQLException {
    keysHidden = false;
    if (without != null) {
      without.close();
      without = null;
    }
    if (keys != null) {
      keys.finish();
      keys = null;
    }
    if (result != null) {
      result.finish();
      result = null;
    }
  }

  // ---- one statement

  private Object executeText(Method method, Object[] arguments) throws Throwable {
    String text = (String) arguments[0];
    Plan planned = connection.plan(text);
    planned = updatable ? seenNoMore(planned) : planned;
    boolean wantsKeys = arguments.length > 1 && !asksNothing(arguments[1]);
    planned = wantsKeys ? asKeys(planned) : planned;
    values.clear();
    if (planned instanceof Plan.Query query) {
      Object[] changed = arguments.clone();
      changed[0] = query.sql();
      return execute(text, planned, null, () -> Proxies.call(delegate, method, changed));
    }
    Object asked = arguments.length == 1 ? null : arguments[1];
    ReturnedKeys returned = ReturnedKeys.of(connection.dialect, planned, asked);
    if (returned == null || returned.columns() == null || method.getName().equals("executeQuery")) {
      return execute(text, planned, returned, () -> Proxies.call(delegate, method, arguments));
    }
    String write = ((Plan.Write) planned).sql();
    Method withColumns = Statement.class.getMethod(method.getName(), String.class, String[].class);
    return execute(
        text,
        planned,
        returned,
        () -> Proxies.call(delegate, withColumns, write, returned.columns()));
  }

  private Object execute(String text, Plan planned, ReturnedKeys returned, Call call)
      throws Throwable {
    if (SqlControl.isFor(planned)) {
      return new SqlControl(connection, text, call).execute(planned);
    }
    connection.touch();
    CallSite site = CallSite.here(connection.recording.settings.application());
    Transaction transaction = connection.begin(site);
    Plan.Write write = written(planned);
    if (write != null) {
      connection.writes(transaction, write);
    } else if (planned instanceof Plan.Several) {
      connection.mayEnd();
    }
    Object answer;
    try {
      boolean hidden = returned != null && returned.columns() != null;
      answer = hidden ? unlimited(call) : write != null ? unfetched(call) : call.run();
    } catch (SQLException e) {
      if (planned instanceof Plan.Several) {
        connection.recording.remark(text, Plan.Several.UNSEEN, site, transaction);
        connection.ended(transaction, false);
      } else if (Dialect.isDone(e)) {
        connection.recording.remark(text, misused(planned), site, transaction);
        connection.executed(transaction);
      } else {
        connection.failed(transaction, e);
      }
      throw e;
    }
    connection.recording.remark(text, planned, site, transaction);
    if (planned instanceof Plan.Several several) {
      connection.ended(transaction, several.open());
      return answer instanceof ResultSet rows ? RecordedResult.plain(rows, proxy) : answer;
    }
    if (planned instanceof Plan.Query query) {
      boolean given = answer instanceof ResultSet;
      ResultSet rows = given ? (ResultSet) answer : delegate.getResultSet();
      if (rows != null) {
        result = recorded(rows, query, transaction, site);
        answer = given ? result.proxy() : answer;
      }
    } else if (write != null) {
      boolean changed = changed(answer);
      keys =
          new Rows(connection, transaction, site).read(write, returned, delegate, values, changed);
      keysHidden = returned != null && returned.columns() != null;
    } else if (answer instanceof ResultSet rows) {
      answer = RecordedResult.plain(rows, proxy);
    }
    connection.executed(transaction);
    return answer;
  }

  /** What a statement writes, whether it returns the rows or not; null if it is no write. */
  private static Plan.Write written(Plan plan) {
    if (plan instanceof Plan.Query query) {
      return query.left();
    }
    return plan instanceof Plan.Write write ? write : null;
  }

  /** What was executed by a method for another kind of statement. */
  private static Plan misused(Plan planned) {
    String why = "is executed by a method that does not fit it";
    Plan.Write write = written(planned);
    return write == null
        ? new Plan.Unseen(why, !(planned instanceof Plan.Query), null, true)
        : Plan.Unseen.of(write, why);
  }

  /**
   * Executes a write without the limits that the application set for results: the hidden keys are
   * one, and with some of them unread the number of rows would be missing.
   */
  private Object unlimited(Call call) throws Throwable {
    int rows = delegate.getMaxRows();
    int fetch = delegate.getFetchSize();
    if (!connection.dialect.failsWhole() || rows == 0) {
      return unfetched(call);
    }
    delegate.setMaxRows(0);
    try {
      return unfetched(call);
    } finally {
      delegate.setMaxRows(rows);
    }
  }

  /** Executes a write whose rows must all be there, and not those of a cursor that may close. */
  private Object unfetched(Call call) throws Throwable {
    int fetch = delegate.getFetchSize();
    if (!connection.dialect.failsWhole() || fetch == 0) {
      return call.run();
    }
    delegate.setFetchSize(0);
    try {
      return call.run();
    } finally {
      delegate.setFetchSize(fetch);
    }
  }

  /** Whether a write may have changed something. */
  private boolean changed(Object result) throws SQLException {
    if (result instanceof Number count) {
      return count.longValue() != 0;
    }
    return delegate.getUpdateCount() != 0;
  }

  private RecordedResult recorded(
      ResultSet rows, Plan.Query query, Transaction transaction, CallSite at) throws SQLException {
    boolean cut = delegate.getMaxRows() > 0;
    if (query.left() != null && rows.getFetchSize() != delegate.getFetchSize()) {
      rows.setFetchSize(delegate.getFetchSize());
    }
    if (cut && query.left() != null) {
      Plan unseen = Plan.Unseen.of(query.left(), "may return fewer rows than it wrote");
      connection.recording.remark(query.sql(), unseen, at, transaction);
    }
    RecordedResult recorded =
        RecordedResult.of(connection, rows, query, transaction, at, values.copy(), cut);
    recorded.of(proxy);
    return recorded;
  }

  // ---- batches

  private Object executeBatch(Method method) throws Throwable {
    if (!batched) {
      return Proxies.call(delegate, method);
    }
    batched = false;
    List<String> texts = batch.isEmpty() ? List.of(String.valueOf(sql)) : List.copyOf(batch);
    boolean plain = !batch.isEmpty();
    batch.clear();
    CallSite site = CallSite.here(connection.recording.settings.application());
    connection.touch();
    Transaction transaction = connection.begin(site);
    Plan.Write write = written(plan);
    if (write != null) {
      connection.writes(transaction, write);
    }
    Object counts;
    try {
      boolean hidden = prepared != null && prepared.columns() != null;
      Call call = () -> Proxies.call(delegate, method);
      counts = hidden ? unlimited(call) : call.run();
    } catch (SQLException e) {
      if (!connection.dialect.failsWhole() || connection.isAutoCommit()) {
        // Some of it may have been done.
        String why = "is part of a batch that failed";
        Plan unseen =
            write == null ? new Plan.Unseen(why, true, null, true) : Plan.Unseen.of(write, why);
        connection.recording.remark(texts.get(0), unseen, site, transaction);
      }
      connection.failed(transaction, e);
      throw e;
    }
    boolean returns = prepared != null && prepared.columns() != null;
    if (plain || !(plan instanceof Plan.Write) || !returns) {
      Plan unseen = new Plan.Unseen("is part of a batch", true, null, true);
      for (String text : texts) {
        connection.recording.remark(text, unseen, site, transaction);
      }
      connection.executed(transaction);
      return counts;
    }
    connection.recording.remark(sql, plan, site, transaction);
    Rows rows = new Rows(connection, transaction, site);
    keys = rows.read(write, prepared, delegate, values, true);
    keysHidden = true;
    if (connection.isAutoCommit()) {
      rows.splitBatch(transaction);
    } else {
      connection.executed(transaction);
    }
    return counts;
  }
}
