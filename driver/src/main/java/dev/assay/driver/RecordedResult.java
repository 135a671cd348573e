package dev.assay.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A result whose last columns are hidden; the rows are recorded as the application reads them. */
final class RecordedResult implements InvocationHandler {
  private final Recorded connection;
  private final ResultSet delegate;
  private final ResultSet proxy;
  private final Transaction transaction;
  private final List<Table> sources;
  private final List<Operation> operations;
  private final int visible;
  private final boolean aggregated;

  /** Whether rows are recorded even if the application does not read them. */
  private final boolean whole;

  private Plan.Query query;
  private Condition.Parameters parameters;
  private Statement statement;
  private boolean finished;

  private RecordedResult(
      Recorded connection,
      ResultSet delegate,
      Transaction transaction,
      List<Table> sources,
      List<Operation> operations,
      int hidden,
      boolean aggregated,
      boolean whole)
      throws SQLException {
    this.connection = connection;
    this.delegate = delegate;
    this.transaction = transaction;
    this.sources = sources;
    this.operations = operations;
    this.visible = delegate.getMetaData().getColumnCount() - hidden;
    this.aggregated = aggregated;
    this.whole = whole;
    this.proxy = Proxies.of(ResultSet.class, this);
    transaction.open++;
  }

  /** The result of a query. */
  static RecordedResult of(
      Recorded connection,
      ResultSet rows,
      Plan.Query query,
      Transaction transaction,
      CallSite at,
      Condition.Parameters parameters,
      boolean cut)
      throws SQLException {
    Operation.Kind kind =
        query.left() == null
            ? Operation.Kind.READ
            : query.left().deletes() ? Operation.Kind.DELETE : Operation.Kind.WRITE;
    List<Operation> operations = new ArrayList<>();
    for (Table table : query.sources()) {
      operations.add(new Operation(kind, table, at));
    }
    transaction.operations.addAll(operations);
    RecordedResult result =
        new RecordedResult(
            connection,
            rows,
            transaction,
            query.sources(),
            operations,
            query.hidden(),
            query.aggregated(),
            query.left() != null);
    result.query = cut ? null : query;
    result.parameters = parameters;
    return result;
  }

  /** Generated keys of a write. */
  static RecordedResult keys(
      Recorded connection,
      ResultSet rows,
      Table table,
      Transaction transaction,
      Operation operation)
      throws SQLException {
    return new RecordedResult(
        connection,
        rows,
        transaction,
        List.of(table),
        List.of(operation),
        table.width(),
        false,
        true);
  }

  /** A result as it is, of a statement that is recorded. */
  static ResultSet plain(ResultSet rows, Statement statement) {
    return Proxies.of(
        ResultSet.class,
        (self, method, arguments) -> {
          Object common = Proxies.ofObject(self, rows, method, arguments);
          if (common != null) {
            return common;
          }
          return method.getName().equals("getStatement")
              ? statement
              : Proxies.call(rows, method, arguments);
        });
  }

  ResultSet proxy() {
    return proxy;
  }

  void of(Statement owner) {
    statement = owner;
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (arguments != null
        && arguments.length > 0
        && arguments[0] instanceof Integer column
        && column > visible
        && (name.startsWith("get") || name.startsWith("update"))) {
      throw new SQLException(
          "The column index is out of range: " + column + ", number of columns: " + visible + ".",
          "22023");
    }
    switch (name) {
      case "next" -> {
        boolean there = (Boolean) Proxies.call(delegate, method);
        moved(there);
        if (!there || query != null && query.hasOneRow()) {
          complete();
        }
        return there;
      }
      case "first", "last", "absolute", "relative", "previous" -> {
        Object there = Proxies.call(delegate, method, arguments);
        moved((Boolean) there);
        return there;
      }
      case "getMetaData" -> {
        return visible((ResultSetMetaData) Proxies.call(delegate, method), hiddenColumns());
      }
      case "getStatement" -> {
        return statement == null ? Proxies.call(delegate, method) : statement;
      }
      case "close" -> {
        finish();
        return Proxies.call(delegate, method);
      }
      default -> {
        Object common = Proxies.ofObject(self, delegate, method, arguments);
        if (common != null) {
          return common;
        }
        if (Proxies.isWrapped(method) && ((Class<?>) arguments[0]).isInstance(self)) {
          return name.equals("unwrap") ? self : Boolean.TRUE;
        }
        return Proxies.call(delegate, method, arguments);
      }
    }
  }

  private int hiddenColumns() throws SQLException {
    return delegate.getMetaData().getColumnCount() - visible;
  }

  /** The columns without the hidden ones. */
  static ResultSetMetaData visible(ResultSetMetaData data, int hidden) {
    return Proxies.of(
        ResultSetMetaData.class,
        (self, method, arguments) -> {
          Object common = Proxies.ofObject(self, data, method, arguments);
          if (common != null) {
            return common;
          }
          Object result = Proxies.call(data, method, arguments);
          return method.getName().equals("getColumnCount") ? (Integer) result - hidden : result;
        });
  }

  private void moved(boolean there) throws SQLException {
    if (!there || finished) {
      return;
    }
    int column = visible + 1;
    for (int i = 0; i < sources.size(); i++) {
      Table table = sources.get(i);
      if (aggregated) {
        Row.all(table, delegate.getString(column)).forEach(operations.get(i)::add);
        continue;
      }
      int width = table.width();
      add(operations.get(i), Row.of(table, texts(delegate, column, width)));
      column += width;
    }
  }

  private void add(Operation operation, Row row) {
    if (row == null) {
      return;
    }
    if (operation.kind == Operation.Kind.READ) {
      connection.recording.see(row.key());
      operation.add(row);
    } else if (operation.kind == Operation.Kind.DELETE) {
      operation.add(Row.gone(row.table(), row.key(), connection.recording.gone()));
    } else {
      operation.add(row);
    }
  }

  static List<String> texts(ResultSet rows, int from, int count) throws SQLException {
    List<String> texts = new ArrayList<>(count);
    for (int i = from; i < from + count; i++) {
      texts.add(rows.getString(i));
    }
    return texts;
  }

  /** All rows have been read: it is known that there are no others. */
  private void complete() {
    if (finished) {
      return;
    }
    if (query != null && query.left() == null) {
      Operation only = operations.get(0);
      if (query.key() != null && only.rows.isEmpty()) {
        only.absent = query.key().text(parameters);
        only.neverThere = only.absent != null && !connection.recording.isSeen(only.absent);
      } else if (query.condition() != null) {
        only.condition = query.condition().json(parameters);
        if (only.condition == null) {
          String why = "has a parameter that cannot be recorded";
          connection.recording.unseen(query.sql(), why, only.at);
        } else {
          connection.recording.condition(query.condition());
        }
      }
    }
    release();
  }

  /** Nothing more will be read. */
  void finish() throws SQLException {
    if (finished) {
      return;
    }
    if (whole && !delegate.isClosed()) {
      while (delegate.next()) {
        moved(true);
      }
    }
    release();
  }

  private void release() {
    if (!finished) {
      finished = true;
      transaction.open--;
      connection.session.released();
    }
  }
}
