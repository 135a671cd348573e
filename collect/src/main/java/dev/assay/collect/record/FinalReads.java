package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.OtherIsolationException;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When all clients are done, one more session reads every key, some at a time. What an acknowledged
 * transaction put into a list or a set must be there; {@link
 * dev.assay.history.History#FINAL_SESSION} names the session for checkers.
 */
final class FinalReads {
  private static final int KEYS_A_TRANSACTION = 32;

  /** Keys that are read where not all of the recording is kept. */
  private static final int MAX_KEYS = 50_000;

  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long RETRY_MILLIS = 100;

  private final Connector connector;
  private final RunSpec spec;
  private final LiveWorkload workload;
  private final Recorder recorder;
  private final Tracing tracing;
  private final AssayBinaryJournal journal;
  private final List<Key> keys = new ArrayList<>();
  private int session;
  private long deadline;

  /** How far the reading has got; guarded by this. */
  private volatile int done;

  private volatile boolean rowsDone;
  private volatile String error = "there was no time left";
  private volatile OtherIsolationException otherIsolation;

  /** Whether what is read is no longer waited for. Guarded by this. */
  private boolean over;

  private record Key(OpKind.Type type, long number) {}

  FinalReads(
      Connector connector,
      RunSpec spec,
      LiveWorkload workload,
      Recorder recorder,
      Tracing tracing) {
    this.connector = connector;
    this.spec = spec;
    this.workload = workload;
    this.recorder = recorder;
    this.tracing = tracing;
    this.journal = recorder.journal();
  }

  /**
   * Reads what can be read in time; a database that is gone leaves the history without.
   *
   * @param gone why the server cannot be read, or null
   * @return what was not read and why; null if everything was
   * @throws OtherIsolationException if it would be read at another level than the one asked for
   */
  String run(Duration patience, String gone) throws IOException, OtherIsolationException {
    chooseKeys();
    recorder.flush();
    session = recorder.newSession(connector.node(0));
    recorder.metadata(History.FINAL_SESSION, Integer.toString(session));
    deadline = System.nanoTime() + patience.toNanos();
    rowsDone = workload.rows() == 0;
    if (gone == null) {
      // A driver may wait for an answer much longer than Assay does.
      Thread thread = new Thread(this::readAll, "final reads");
      thread.setDaemon(true);
      thread.start();
      LiveRun.join(thread, patience.toMillis());
    } else {
      error = gone;
    }
    synchronized (this) {
      over = true;
      if (otherIsolation != null) {
        throw otherIsolation;
      }
      if (done == keys.size() && rowsDone) {
        return null;
      }
      String what =
          rowsDone ? "%,d of %,d keys".formatted(keys.size() - done, keys.size()) : "the rows";
      String unread =
          "at the end of the run, %s could not be read, so lost writes there do not show"
                  .formatted(what)
              + ": "
              + error;
      recorder.metadata(History.UNREAD_IN_THE_END, unread);
      return unread;
    }
  }

  /** All keys; of a run without end the newest, since the writes of the others are not kept. */
  private void chooseKeys() throws IOException {
    AtomicLong count = new AtomicLong();
    workload.forEachKey((type, key) -> count.incrementAndGet());
    long skipped = recorder.keepsAll() ? 0 : Math.max(0, count.get() - MAX_KEYS);
    count.set(0);
    workload.forEachKey(
        (type, key) -> {
          if (count.getAndIncrement() >= skipped) {
            keys.add(new Key(type, key));
          }
        });
    if (skipped > 0) {
      recorder.metadata(
          "note.final-reads",
          "at the end of the run only the newest %,d of %,d keys were read"
              .formatted(MAX_KEYS, count.get()));
    }
  }

  private void readAll() {
    long unanswered = 0;
    while ((done < keys.size() || !rowsDone) && System.nanoTime() < deadline) {
      try (Connection connection = connector.connect(0, spec.isolation())) {
        unanswered = 0;
        catchUp(connection);
        Statements statements =
            new Statements(connection, connector.database().dialect(), false, spec.upserts());
        while (done < keys.size() && System.nanoTime() < deadline) {
          read(connection, statements, done, Math.min(keys.size(), done + KEYS_A_TRANSACTION));
        }
        if (!rowsDone) {
          readRows(connection);
        }
      } catch (OtherIsolationException e) {
        otherIsolation = e;
        return;
      } catch (SQLException | RuntimeException e) {
        error = connector.redaction().redact(String.valueOf(e.getMessage()));
        long now = System.nanoTime();
        unanswered = !Reach.isUnanswered(e) ? 0 : unanswered == 0 ? now : unanswered;
        if (unanswered != 0 && now - unanswered > Reach.PATIENCE.toNanos()) {
          return;
        }
        LiveRun.sleep(RETRY_MILLIS);
      }
    }
  }

  private void catchUp(Connection connection) throws SQLException {
    String statement = connector.database().catchUp();
    if (statement != null) {
      try (Statement all = connection.createStatement()) {
        all.execute(statement);
      }
    }
  }

  private void read(Connection connection, Statements statements, int from, int to)
      throws SQLException {
    journal.begin(session);
    long start = recorder.now();
    spec.isolation().begin(connection);
    for (Key key : keys.subList(from, to)) {
      switch (key.type()) {
        case LIST -> {
          int length = statements.readElements(Statements.table(key.type()), key.number());
          journal.readList(key.number(), statements.elements(), 0, length);
        }
        case SET -> {
          int length = statements.readElements(Statements.table(key.type()), key.number());
          journal.readSet(key.number(), statements.elements(), 0, length);
        }
        default -> {
          OpKind kind = key.type() == OpKind.Type.COUNTER ? OpKind.COUNTER_READ : OpKind.READ;
          long value = statements.readNumber(Statements.table(key.type()), key.number());
          journal.op(kind, key.number(), value);
        }
      }
    }
    connector.confirm(spec.isolation(), connection);
    connection.commit();
    append(start, () -> done = to);
  }

  /** All rows, in one predicate read. */
  private void readRows(Connection connection) throws SQLException {
    RowSession rows =
        new RowSession(
            connection, connector.database().dialect(), spec, recorder, journal, tracing);
    journal.begin(session);
    long id = tracing.newId();
    if (tracing.isOn()) {
      journal.id(id);
    }
    long start = recorder.now();
    spec.isolation().begin(connection);
    rows.begin(id);
    rows.run(new RowOperation.Select(null), 0);
    rows.beforeCommit();
    connector.confirm(spec.isolation(), connection);
    connection.commit();
    append(start, () -> rowsDone = true);
  }

  private synchronized void append(long start, Runnable note) {
    if (!over) {
      journal.times(start, recorder.now());
      recorder.end(journal, Outcome.COMMITTED);
      note.run();
    }
  }
}
