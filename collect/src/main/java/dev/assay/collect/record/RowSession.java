package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.JdbcSession;
import dev.assay.collect.db.RowSql;
import dev.assay.collect.workload.RowCondition;
import dev.assay.collect.workload.RowOperation;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Works on rows over one connection and puts on record what was asked and which rows came back. A
 * row's value in the history is the vector of its columns.
 *
 * <p>What a change by a condition did is known only when it returns, so it is recorded then. The
 * transaction does not commit without it; {@link UnansweredUpdates} keeps what others saw of it.
 */
final class RowSession {
  /** The names of the columns in a row's vector, for the metadata of a history. */
  static final String COLUMNS = "val,ver";

  private final JdbcSession session;
  private final Connection connection;
  private final Dialect dialect;
  private final RowSql sql;
  private final RunSpec spec;
  private final Recorder recorder;
  private final AssayBinaryJournal journal;
  private final Tracing tracing;
  private final List<Row> rows = new ArrayList<>();

  /** Of the statement that filled the rows, or null. */
  private String snapshot;

  private long id;
  private int operations;
  private boolean predicates;
  private boolean deletes;

  /** The places of those operations that read what is in the transaction's snapshot. */
  private final List<Integer> reads = new ArrayList<>();

  private record Row(long key, long value, long version) {}

  RowSession(
      JdbcSession session,
      RunSpec spec,
      Recorder recorder,
      AssayBinaryJournal journal,
      Tracing tracing) {
    this.session = session;
    this.connection = session.connection();
    this.dialect = session.dialect();
    this.sql = dialect.rows();
    this.spec = spec;
    this.recorder = recorder;
    this.journal = journal;
    this.tracing = tracing;
  }

  /** Begins a transaction with this id in the history. */
  void begin(long newId) throws ClientException {
    id = newId;
    operations = 0;
    predicates = false;
    deletes = false;
    reads.clear();
    if (tracing.probe().atBegin() != null) {
      session.run(() -> execute(tracing.probe().atBegin()));
    }
  }

  /** To be called before the commit. */
  void beforeCommit() throws ClientException {
    String query = tracing.probe().atEnd(id, predicates, deletes);
    if (query == null) {
      return;
    }
    if (tracing.probe().asksOneByOne()) {
      synchronized (tracing) {
        session.run(() -> ask(query));
      }
    } else {
      session.run(() -> ask(query));
    }
  }

  private void ask(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      String whole = result.next() ? result.getString(1) : null;
      if (whole != null) {
        saw(whole);
      }
    }
  }

  private void saw(String whole) {
    switch (tracing.probe().coverage()) {
      case ALL -> tracing.saw(id, Tracing.Seen.WHOLE, whole);
      case READS -> {
        tracing.saw(id, Tracing.Seen.NAME, whole);
        reads.forEach(operation -> tracing.saw(id, operation, whole));
      }
      case NOTHING -> tracing.saw(id, Tracing.Seen.NAME, whole);
    }
  }

  /**
   * Carries an operation out.
   *
   * @param version what a write leaves in the rows it touches
   */
  void run(RowOperation operation, long version) throws ClientException {
    session.run(() -> carryOut(operation, version));
  }

  private void carryOut(RowOperation operation, long version) throws SQLException {
    if (operation instanceof RowOperation.Insert insert) {
      insert(insert.key(), insert.value(), version);
    } else if (operation instanceof RowOperation.Read read) {
      read(read.key());
    } else if (operation instanceof RowOperation.Select select) {
      select(select.where());
    } else if (operation instanceof RowOperation.Aggregate aggregate) {
      aggregate(aggregate.function(), aggregate.where());
    } else if (operation instanceof RowOperation.Update update) {
      update(update.where(), update.value(), version);
    } else if (operation instanceof RowOperation.Delete delete) {
      delete(delete.where(), version);
    }
  }

  private void insert(long key, long value, long version) throws SQLException {
    add(OpKind.WRITE, key, vector(value, version));
    if (spec.upserts() && dialect.hasUpsert()) {
      execute(sql.upsert(key, value, version));
    } else if (execute(sql.update(Long.toString(value), version, RowCondition.key(key).sql()))
        == 0) {
      execute(sql.insert(key, value, version));
    }
  }

  /**
   * A row that is not there has no version that the read could name: whether it was never there or
   * was deleted, and by which transaction, only a predicate by the key shows.
   */
  private void read(long key) throws SQLException {
    RowCondition where = RowCondition.key(key);
    boolean known = false;
    try {
      look(where.sql());
      known = true;
    } finally {
      if (!known) {
        add(OpKind.READ, key, RawScalars.UNKNOWN);
      }
    }
    if (rows.isEmpty()) {
      selected(where);
    } else {
      add(OpKind.READ, key, vector(rows.get(0)));
    }
  }

  private void select(RowCondition where) throws SQLException {
    look(where == null ? null : where.sql());
    selected(where);
  }

  private void look(String where) throws SQLException {
    query(sql.select(where, spec.forUpdate()), tracesReads());
    rows.forEach(row -> recorder.unanswered().saw(row.key(), row.value(), row.version()));
  }

  private void selected(RowCondition where) {
    if (!locks()) {
      reads.add(operations);
    }
    if (snapshot != null) {
      tracing.saw(id, operations, snapshot);
    }
    synchronized (journal) {
      predicate(OpKind.SELECT, where == null ? "{}" : "{\"where\":" + where.json() + "}");
      for (Row row : rows) {
        journal.row(row.key(), vector(row));
      }
    }
  }

  private boolean locks() {
    return spec.forUpdate() && dialect.locksRows();
  }

  /** A read that locks rows looks at what is there then, whatever its snapshot says. */
  private boolean tracesReads() {
    return tracing.probe().snapshotOfStatement() != null && !locks();
  }

  private void aggregate(RowOperation.Function function, RowCondition where) throws SQLException {
    String query = sql.aggregate(function.name(), where.sql());
    boolean traced = tracing.probe().snapshotOfStatement() != null;
    long answer;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(traced ? withSnapshot(query) : query)) {
      if (!result.next()) {
        throw new SQLException("an aggregate came back without a row");
      }
      int column = traced ? 2 : 1;
      if (traced) {
        tracing.saw(id, operations, result.getString(1));
      }
      long number = result.getLong(column);
      answer = result.wasNull() ? RawScalars.NIL : number;
    }
    synchronized (journal) {
      reads.add(operations);
      predicate(
          OpKind.SELECT,
          "{\"select\":[\"" + function.id() + "\",\"val\"],\"where\":" + where.json() + "}");
      journal.result(answer);
    }
  }

  private void update(RowCondition where, RowOperation.NewValue value, long version)
      throws SQLException {
    String newValue = value == null ? null : value.sql();
    change(sql.update(newValue, version, where.sql()), version);
    String set = value == null ? "" : "\"val\":" + value.json() + ",";
    synchronized (journal) {
      predicate(
          OpKind.UPDATE,
          "{\"where\":" + where.json() + ",\"set\":{" + set + "\"ver\":" + version + "}}");
      for (Row row : rows) {
        journal.row(row.key(), vector(row));
      }
    }
  }

  /** Makes a change and reads which rows it left behind. */
  private void change(String change, long version) throws SQLException {
    recorder.unanswered().asked(version);
    if (dialect.hasReturning()) {
      query(sql.returning(change), false);
    } else {
      execute(change);
      // Only rows that this statement changed have this version, and one sees one's own rows.
      query(sql.select(RowCondition.equal("ver", version).sql(), false), false);
    }
    recorder.unanswered().answered(version);
  }

  /**
   * Where a deletion does not say which rows it took, the rows are marked first: two operations,
   * and both are on record.
   */
  private void delete(RowCondition where, long version) throws SQLException {
    deletes = true;
    RowCondition taken = where;
    if (dialect.hasReturning()) {
      query(sql.returning(sql.delete(where.sql())), false);
    } else {
      update(where, null, version);
      taken = RowCondition.equal("ver", version);
      execute(sql.delete(taken.sql()));
    }
    synchronized (journal) {
      predicate(OpKind.UPDATE, "{\"where\":" + taken.json() + ",\"delete\":true}");
      for (Row row : rows) {
        journal.row(row.key(), RawScalars.NIL);
      }
    }
  }

  private String withSnapshot(String query) {
    return "SELECT s.snap, r.* FROM (SELECT "
        + tracing.probe().snapshotOfStatement()
        + " AS snap) s LEFT JOIN ("
        + query
        + ") r ON 1 = 1";
  }

  /** Fills {@link #rows}, and {@link #snapshot} if it is to be traced. */
  private void query(String query, boolean traced) throws SQLException {
    rows.clear();
    snapshot = null;
    int first = traced ? 2 : 1;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(traced ? withSnapshot(query) : query)) {
      while (result.next()) {
        snapshot = traced ? result.getString(1) : null;
        long key = result.getLong(first);
        // Without any row the join has one of nulls.
        if (!result.wasNull()) {
          rows.add(new Row(key, result.getLong(first + 1), result.getLong(first + 2)));
        }
      }
    }
  }

  private int execute(String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(text) ? 0 : statement.getUpdateCount();
    }
  }

  private void add(OpKind kind, long key, long value) {
    journal.op(kind, key, value);
    operations++;
  }

  private void predicate(OpKind kind, String condition) {
    predicates = true;
    operations++;
    journal.predicate(kind, condition);
  }

  private long vector(Row row) {
    return vector(row.value(), row.version());
  }

  private long vector(long value, long version) {
    return recorder.scalar(List.of(value, version));
  }
}
