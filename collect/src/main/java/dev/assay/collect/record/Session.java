package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Failure;
import dev.assay.collect.db.OtherIsolationException;
import dev.assay.collect.db.RunTables;
import dev.assay.collect.db.Table;
import dev.assay.collect.workload.Access;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.collect.workload.SplitMix;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One client: a thread with a connection that runs transaction after transaction and records each.
 * A write is recorded before it is asked for, so that it is in the history whatever happens then.
 *
 * <p>The journal is guarded by its own lock, because a client that hangs in its driver has to be
 * given up by another thread.
 */
final class Session implements Runnable {
  private static final int NONE = -1;
  private static final long RECONNECT_MILLIS = 100;
  private static final int MAX_ERROR_LENGTH = 200;
  private static final int MAX_KIND_LENGTH = 40;

  private final Connector connector;
  private final RunTables tables;
  private final RunSpec spec;
  private final Recorder recorder;
  private final AssayBinaryJournal journal;
  private final Tally tally;
  private final Stop stop;
  private final Tracing tracing;
  private final int client;
  private final LiveWorkload.Client workload;
  private final SplitMix random;
  private final Access access = new Recording();

  private volatile Connection connection;
  private Statements statements;
  private RowSession rows;

  /**
   * In the history; none before the first transaction, so that clients that never ran have none.
   */
  private int session = NONE;

  private boolean began;
  private long start;
  private long values;

  /**
   * Whether a transaction is open, and whether this client was given up. Guarded by the journal.
   */
  private boolean open;

  private boolean abandoned;

  Session(Environment environment, int client) {
    this.connector = environment.connector();
    this.tables = environment.tables();
    this.spec = environment.spec();
    this.recorder = environment.recorder();
    this.journal = recorder.journal();
    this.tally = environment.tally();
    this.stop = environment.stop();
    this.tracing = environment.tracing();
    this.client = client;
    this.random = new SplitMix(spec.seed() * 1_000_003 + client);
    this.workload = environment.workload().client(random);
  }

  /** What the sessions of a run share. */
  record Environment(
      Connector connector,
      RunTables tables,
      RunSpec spec,
      LiveWorkload workload,
      Recorder recorder,
      Tally tally,
      Stop stop,
      Tracing tracing) {}

  @Override
  public void run() {
    try {
      for (int i = 0; i < spec.transactions() && !stop.isAsked(); i++) {
        recorder.awaitRoom(stop);
        workload.draw();
        Outcome outcome = attempt();
        for (int retry = 0; retry < spec.retries() && mayRetry(outcome); retry++) {
          tally.retried();
          outcome = attempt();
        }
      }
    } catch (RuntimeException | Error e) {
      // Its transaction may have committed all the same.
      abandon("the client failed: " + e);
      stop.failed("a client failed: " + e, e);
    } finally {
      disconnect();
    }
  }

  private boolean mayRetry(Outcome outcome) {
    return outcome == Outcome.ABORTED && !stop.isAsked();
  }

  /** Runs a transaction to its end; null if no connection could be made before the end. */
  private Outcome attempt() {
    if (!connected()) {
      return null;
    }
    long id = begin();
    boolean committing = false;
    try {
      spec.isolation().begin(connection);
      rows.begin(id);
      workload.run(access);
      if (spec.abortRate() > 0 && random.chance(spec.abortRate())) {
        connection.rollback();
        return end(Outcome.ABORTED, "rolled back by the client");
      }
      rows.beforeCommit();
      connector.confirm(spec.isolation(), connection);
      failIfAbandoned();
      committing = true;
      connection.commit();
      return end(Outcome.COMMITTED, null);
    } catch (SQLException e) {
      Database database = connector.database();
      return failed(e, committing ? database.classifyCommit(e) : database.classify(e), committing);
    } catch (RuntimeException | StackOverflowError e) {
      // Drivers and databases in this process may fail in unexpected ways.
      return failed(new SQLException(e.toString(), e), Failure.LOST, committing);
    }
  }

  private Outcome failed(SQLException e, Failure failure, boolean committing) {
    tally.error(kind(e));
    if (failure == Failure.REFUSED) {
      tally.refused();
    }
    String message = shortened(connector.redaction().redact(e.getMessage()));
    boolean unknown = committing && failure != Failure.REFUSED;
    if (e instanceof OtherIsolationException) {
      stop.failed(otherwise(e), e);
    } else if (failure == Failure.WRONG) {
      stop.failed(connector.database().title() + " says: " + message, e);
    }
    if (failure == Failure.LOST) {
      disconnect();
    } else {
      rollBack();
    }
    return end(unknown ? Outcome.INDETERMINATE : Outcome.ABORTED, message);
  }

  private String otherwise(SQLException e) {
    return connector.database().title() + ": " + e.getMessage();
  }

  /** SQL state and code; of a driver that gives neither, the beginning of its message. */
  private String kind(SQLException e) {
    String state = e.getSQLState();
    if ((state == null || state.isEmpty()) && e.getErrorCode() == 0) {
      String message = shortened(connector.redaction().redact(e.getMessage()));
      String head = message.split(":", 2)[0];
      return head.length() > MAX_KIND_LENGTH ? head.substring(0, MAX_KIND_LENGTH) : head;
    }
    return (state == null ? "" : state + " ") + "(" + e.getErrorCode() + ")";
  }

  private static String shortened(String message) {
    if (message == null) {
      return "an error without a message";
    }
    String line = message.lines().findFirst().orElse("");
    return line.length() > MAX_ERROR_LENGTH ? line.substring(0, MAX_ERROR_LENGTH) : line;
  }

  /** Begins a record; returns the transaction's id, which is recorded once it is asked for. */
  private long begin() {
    long id = tracing.newId();
    if (!began) {
      began = true;
      tally.clientBegan();
    }
    if (recorder.discards()) {
      return id;
    }
    synchronized (journal) {
      session = session == NONE ? recorder.newSession(connector.node(client)) : session;
      journal.begin(session);
      if (tracing.isOn()) {
        journal.id(id);
      }
      open = true;
      start = recorder.now();
    }
    return id;
  }

  private Outcome end(Outcome outcome, String error) {
    if (!recorder.discards()) {
      long end = outcome == Outcome.INDETERMINATE ? History.ABSENT : recorder.now();
      synchronized (journal) {
        if (abandoned) {
          return outcome;
        }
        record(end, outcome, error);
        tally.took(recorder.now() - start);
      }
    }
    tally.ended(outcome);
    if (outcome == Outcome.INDETERMINATE) {
      // What comes next must not depend on an unknown outcome.
      session = NONE;
      disconnect();
    }
    return outcome;
  }

  /** Ends the open transaction of a client that is given up; its outcome is unknown. */
  void abandon(String why) {
    synchronized (journal) {
      abandoned = true;
      if (open) {
        record(History.ABSENT, Outcome.INDETERMINATE, why);
        tally.ended(Outcome.INDETERMINATE);
      }
    }
  }

  /** What a client did after it was given up is not on record, and so must not take effect. */
  private void failIfAbandoned() {
    synchronized (journal) {
      if (abandoned) {
        throw new IllegalStateException("the client was given up");
      }
    }
  }

  private void record(long end, Outcome outcome, String error) {
    journal.times(start, end);
    journal.error(error);
    recorder.end(journal, outcome);
    open = false;
  }

  /** Takes the connection away from a client that hangs in it. */
  void cutOff() {
    Connection current = connection;
    if (current != null) {
      // Some drivers wait then for the very call that hangs.
      Thread thread = new Thread(() -> abort(current), "end of client " + client);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      // Not all drivers can.
    }
  }

  private boolean connected() {
    while (connection == null && !stop.isAsked()) {
      try {
        Connection fresh = connector.connect(client, spec.isolation());
        connection = fresh;
        statements =
            new Statements(fresh, connector.database().dialect(), spec.forUpdate(), spec.upserts());
        rows =
            new RowSession(fresh, connector.database().dialect(), spec, recorder, journal, tracing);
        if (tables.areAnothers(fresh)) {
          stop.failed(RunTables.NOT_OURS, new IllegalStateException(RunTables.NOT_OURS));
        }
        tally.connected();
      } catch (OtherIsolationException e) {
        stop.failed(otherwise(e), e);
      } catch (SQLException | RuntimeException e) {
        disconnect();
        String kind = e instanceof SQLException sql ? kind(sql) : e.getClass().getSimpleName();
        tally.notConnected(kind);
        pause();
      }
    }
    return connection != null && !stop.isAsked();
  }

  private void pause() {
    try {
      stop.await(RECONNECT_MILLIS * 1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop.because("interrupted");
    }
  }

  private void rollBack() {
    try {
      connection.rollback();
    } catch (SQLException | RuntimeException e) {
      disconnect();
    }
  }

  /**
   * Closes a connection, but not before what is open in it is rolled back: JDBC leaves it to
   * drivers what becomes of that, and some databases commit it.
   */
  private void disconnect() {
    Connection old = connection;
    if (old != null) {
      try {
        old.rollback();
      } catch (SQLException | RuntimeException e) {
        abort(old);
      }
      try {
        old.close();
      } catch (SQLException | RuntimeException e) {
        // It is of no more use, whether or not it closes.
      }
    }
    // Not before: where a rollback hangs, the connection can still be taken away.
    connection = null;
    statements = null;
    rows = null;
  }

  /** Does what the workload asks, and puts it on record. */
  private final class Recording implements Access {
    @Override
    public void read(OpKind.Type type, long key) throws SQLException {
      Table table = Statements.table(type);
      boolean known = false;
      try {
        switch (type) {
          case LIST, SET -> {
            int length = statements.readElements(table, key);
            addElements(type, key, length);
          }
          default -> add(type.readKind(), key, statements.readNumber(table, key));
        }
        known = true;
      } finally {
        if (!known) {
          add(type.readKind(), key, RawScalars.UNKNOWN);
        }
      }
    }

    @Override
    public void write(OpKind.Type type, long key) throws SQLException {
      long value = type == OpKind.Type.COUNTER ? 1 : unique();
      add(type.writeKind(), key, value);
      statements.write(Statements.table(type), key, value);
    }

    @Override
    public void row(RowOperation operation) throws SQLException {
      rows.run(operation, unique());
    }

    /** A number that no other write of the run has. */
    private long unique() {
      return ++values * spec.sessions() + client;
    }

    private void add(OpKind kind, long key, long value) {
      if (!recorder.discards()) {
        journal.op(kind, key, value);
      }
    }

    private void addElements(OpKind.Type type, long key, int length) {
      if (recorder.discards()) {
        return;
      }
      if (type == OpKind.Type.LIST) {
        journal.readList(key, statements.elements(), 0, length);
      } else {
        journal.readSet(key, statements.elements(), 0, length);
      }
    }
  }
}
