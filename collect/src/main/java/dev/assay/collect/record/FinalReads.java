package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.OtherIsolationException;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.format.AssayBinaryJournal;
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

/**
 * When all clients are done, one more session reads every key, some at a time. What an acknowledged
 * transaction put into a list or a set must be there; {@link
 * dev.assay.history.History#FINAL_SESSION} names the session to whoever checks that.
 */
final class FinalReads {
  private static final int KEYS_A_TRANSACTION = 32;
  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long RETRY_MILLIS = 100;

  private final Connector connector;
  private final RunSpec spec;
  private final LiveWorkload workload;
  private final Recorder recorder;
  private final Tracing tracing;
  private final AssayBinaryJournal journal;
  private final List<Key> keys = new ArrayList<>();

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
   * @throws OtherIsolationException if it would be read at another level than the one asked for
   */
  void run(Duration patience) throws IOException, OtherIsolationException {
    workload.forEachKey((type, key) -> keys.add(new Key(type, key)));
    recorder.flush();
    int session = recorder.newSession();
    recorder.metadata(History.FINAL_SESSION, Integer.toString(session));
    long deadline = System.nanoTime() + patience.toNanos();
    int done = 0;
    boolean rowsDone = workload.rows() == 0;
    String error = "there was no time left";
    while ((done < keys.size() || !rowsDone) && System.nanoTime() < deadline) {
      try (Connection connection = connector.connect(0, spec.isolation())) {
        catchUp(connection);
        Statements statements =
            new Statements(connection, connector.database().dialect(), false, spec.upserts());
        while (done < keys.size() && System.nanoTime() < deadline) {
          int end = Math.min(keys.size(), done + KEYS_A_TRANSACTION);
          read(connection, statements, session, done, end);
          done = end;
        }
        if (!rowsDone) {
          readRows(connection, session);
          rowsDone = true;
        }
      } catch (OtherIsolationException e) {
        throw e;
      } catch (SQLException | RuntimeException e) {
        error = connector.redaction().redact(String.valueOf(e.getMessage()));
        pause();
      }
    }
    if (done < keys.size() || !rowsDone) {
      String what =
          rowsDone ? "%,d of %,d keys".formatted(keys.size() - done, keys.size()) : "the rows";
      recorder.metadata(
          "note.final-reads",
          "when all clients were done, %s could not be read, so what is lost of them does not show"
                  .formatted(what)
              + ": "
              + error);
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

  private void read(Connection connection, Statements statements, int session, int from, int to)
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
    append(start);
  }

  /** All rows, in one predicate read. */
  private void readRows(Connection connection, int session) throws SQLException {
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
    append(start);
  }

  private void append(long start) {
    journal.times(start, recorder.now());
    recorder.end(journal, Outcome.COMMITTED);
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
