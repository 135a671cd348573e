package dev.assay.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A result whose last columns are hidden; the rows are recorded as the application reads them. */
final class RecordedResult implements InvocationHandler {
  private static final Pattern NUMBER = Pattern.compile("\\b\\d+\\b");

  private final Recorded connection;
  private final ResultSet delegate;
  private final ResultSet proxy;
  private final Transaction transaction;
  private final List<Table> sources;
  private final List<Operation> operations;
  private final int visible;
  private final boolean aggregated;

  /** Of generated keys, else null. */
  private final ReturnedKeys keys;

  /** Whether rows are recorded even if the application does not read them. */
  private final boolean whole;

  private Plan.Query query;
  private Condition.Parameters parameters;
  private Statement statement;
  private boolean finished;

  /** Whether a row could not be recorded, and so none are. */
  private boolean lost;

  /** Whether rows may have been passed over. */
  private boolean jumped;

  private RecordedResult(
      Recorded connection,
      ResultSet delegate,
      Transaction transaction,
      List<Table> sources,
      List<Operation> operations,
      Plan.Query query)
      throws SQLException {
    this.connection = connection;
    this.delegate = delegate;
    this.transaction = transaction;
    this.sources = sources;
    this.operations = operations;
    this.visible = delegate.getMetaData().getColumnCount() - query.hidden();
    this.keys = null;
    this.aggregated = query.aggregated();
    this.whole = query.left() != null;
    this.proxy = Proxies.of(ResultSet.class, this);
    open();
  }

  private RecordedResult(
      Recorded connection,
      ResultSet delegate,
      Transaction transaction,
      List<Table> sources,
      List<Operation> operations,
      ReturnedKeys keys) {
    this.connection = connection;
    this.delegate = delegate;
    this.transaction = transaction;
    this.sources = sources;
    this.operations = operations;
    this.visible = keys.visible();
    this.keys = keys;
    this.aggregated = false;
    this.whole = true;
    this.proxy = Proxies.of(ResultSet.class, this);
    open();
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
        new RecordedResult(connection, rows, transaction, query.sources(), operations, query);
    // Where versions do not name their writers, it might read what it wrote unseen.
    result.lost =
        kind == Operation.Kind.READ && transaction.unseenWrites && !connection.recording.hasIds();
    result.query = cut || result.lost ? null : query;
    result.parameters = parameters;
    return result;
  }

  /** Generated keys of a write. */
  static RecordedResult keys(
      Recorded connection,
      ResultSet rows,
      ReturnedKeys keys,
      Table table,
      Transaction transaction,
      Operation operation)
      throws SQLException {
    return new RecordedResult(
        connection, rows, transaction, List.of(table), List.of(operation), keys);
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
          Object result = Proxies.call(rows, method, arguments);
          return method.getName().equals("getStatement") ? statement : result;
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
        && (column > visible || column < 1)
        && (name.startsWith("get") || name.startsWith("update"))) {
      int hidden = hiddenColumns();
      arguments[0] = column < 1 ? column : column + hidden;
      try {
        return Proxies.call(delegate, method, arguments);
      } catch (SQLException e) {
        throw outside(e, column, visible, hidden);
      }
    }
    if (keys != null && arguments != null && arguments[0] instanceof String label) {
      refuseHidden(label);
    }
    switch (name) {
      case "next" -> {
        boolean there;
        try {
          there = (Boolean) Proxies.call(delegate, method);
        } catch (SQLException e) {
          connection.doubt();
          throw e;
        }
        moved(there);
        if (!jumped && (!there || query != null && query.hasOneRow())) {
          complete();
        }
        return there;
      }
      case "first", "last", "absolute", "relative", "previous" -> {
        Object there = Proxies.call(delegate, method, arguments);
        jumped = true;
        moved((Boolean) there);
        return there;
      }
      case "afterLast", "beforeFirst" -> {
        Proxies.call(delegate, method);
        jumped = name.equals("afterLast");
        return null;
      }
      case "getMetaData" -> {
        return visible((ResultSetMetaData) Proxies.call(delegate, method), hiddenColumns());
      }
      case "getStatement" -> {
        // A closed result has none.
        Object behind = Proxies.call(delegate, method);
        return statement == null ? behind : statement;
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

  /** The error for a column that is not there, as it is without hidden columns. */
  private static SQLException outside(SQLException e, int column, int visible, int hidden) {
    String text = String.valueOf(e.getMessage());
    String adapted =
        NUMBER
            .matcher(text)
            .replaceAll(
                number ->
                    number.group().equals(String.valueOf(column + hidden))
                        ? String.valueOf(column)
                        : number.group().equals(String.valueOf(visible + hidden))
                            ? String.valueOf(visible)
                            : number.group());
    return adapted.equals(text) ? e : new SQLException(adapted, e.getSQLState(), e.getErrorCode());
  }

  /** The hidden columns of generated keys have names of the application, and are not there. */
  private void refuseHidden(String label) throws SQLException {
    if (delegate.findColumn(label) <= visible) {
      return;
    }
    String none = label + " ";
    try {
      delegate.findColumn(none);
    } catch (SQLException e) {
      String text = String.valueOf(e.getMessage()).replace(none, label);
      throw new SQLException(text, e.getSQLState(), e.getErrorCode());
    }
  }

  private int hiddenColumns() throws SQLException {
    // A batch that wrote nothing has no columns at all.
    return Math.max(0, delegate.getMetaData().getColumnCount() - visible);
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
          int visible = data.getColumnCount() - hidden;
          if (arguments != null && arguments[0] instanceof Integer column && column > visible) {
            try {
              return Proxies.call(data, method, column + hidden);
            } catch (SQLException e) {
              throw outside(e, column, visible, hidden);
            }
          }
          Object result = Proxies.call(data, method, arguments);
          return method.getName().equals("getColumnCount") ? (Object) visible : result;
        });
  }

  /** Records the row that the result is at. What goes wrong here is not for the application. */
  private void moved(boolean there) {
    if (!there || finished || lost) {
      return;
    }
    try {
      record();
    } catch (SQLException | RuntimeException e) {
      operations.forEach(one -> one.rows.clear());
      lose(e.getMessage());
    }
  }

  private void lose(String reason) {
    lost = true;
    query = null;
    Operation first = operations.get(0);
    String why = "has rows that cannot be recorded (" + reason + ")";
    connection.recording.unseen("a result with rows of " + first.table.label(), why, first.at);
    if (first.kind != Operation.Kind.READ) {
      transaction.unseenWrites = true;
      boolean deletes = first.kind == Operation.Kind.DELETE;
      connection.recording.missed(first.table, deletes, "rows of it were not seen");
    }
  }

  private void record() throws SQLException {
    if (keys != null) {
      List<String> texts = new ArrayList<>();
      for (int place : keys.places()) {
        texts.add(delegate.getString(place));
      }
      add(operations.get(0), Row.of(sources.get(0), texts));
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
    if (operation.kind == Operation.Kind.READ || transaction.outcome != null) {
      // Of a write whose keys are read after its end, others may have seen the rows.
      connection.recording.see(row.key());
    }
    if (operation.kind == Operation.Kind.READ) {
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
        only.neverThere =
            only.absent != null
                && connection.recording.isNew(only.absent, only.table)
                && !transaction.mayHaveWritten(only.absent, only.table);
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
  void finish() {
    if (finished) {
      return;
    }
    try {
      if (whole && delegate.isClosed()) {
        lose("it was closed before all were read");
      } else if (whole && jumped) {
        delegate.beforeFirst();
      }
      while (whole && !lost && delegate.next()) {
        moved(true);
      }
    } catch (SQLException e) {
      lose(e.getMessage());
    }
    release();
  }

  private void release() {
    if (!finished) {
      finished = true;
      operations.forEach(one -> one.unread = false);
      transaction.unread.remove(this);
      transaction.open--;
      connection.session.released();
    }
  }

  /** Something will be read of which the transaction must not be written before. */
  private void open() {
    transaction.open++;
    if (whole) {
      operations.forEach(one -> one.unread = true);
      transaction.unread.add(this);
    }
  }

  Table table() {
    return sources.get(0);
  }
}
