package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.JdbcSession;
import dev.assay.collect.db.RunTables;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.RowCondition;
import dev.assay.collect.workload.RowOperation;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnansweredUpdatesTest {
  private static final RowOperation UPDATE =
      new RowOperation.Update(RowCondition.between("k", 1, 2), RowOperation.NewValue.plus(5));

  @TempDir Path folder;

  @Test
  void aRowOfAnUpdateThatFailedWasWrittenByWhoAborted() throws Exception {
    Path file = folder.resolve("run.assay");
    try (Connector connector = TestDatabases.startSound("h2");
        Recorder recorder = new Recorder(file, Map.of("columns", RowSession.COLUMNS));
        Connection first = connector.connect(0, JdbcIsolation.READ_UNCOMMITTED);
        Connection second = connector.connect(1, JdbcIsolation.READ_UNCOMMITTED)) {
      new RunTables(connector).create();
      Client writer = new Client(connector, recorder, deaf(first));
      Client reader = new Client(connector, recorder, second);

      reader.begin();
      reader.rows.run(new RowOperation.Insert(1, 10), 1);
      second.commit();
      reader.end(Outcome.COMMITTED);

      writer.begin();
      assertThatThrownBy(() -> writer.rows.run(UPDATE, 2)).isInstanceOf(ClientException.class);
      reader.begin();
      reader.rows.run(new RowOperation.Read(1), 3);
      second.commit();
      reader.end(Outcome.COMMITTED);
      first.rollback();
      writer.end(Outcome.ABORTED);
      recorder.unanswered().record(recorder);
    }
    History history = Formats.read(Input.of(file));
    Report report = Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(1)));
    assertThat(report.anomalies())
        .extracting(anomaly -> anomaly.type())
        .containsExactly(AnomalyType.ABORTED_READ);
  }

  /** A connection that carries everything out and never hears what queries give. */
  private static Connection deaf(Connection real) {
    return proxy(
        Connection.class,
        real,
        "createStatement",
        () -> {
          Statement statement = real.createStatement();
          return proxy(
              Statement.class,
              statement,
              "executeQuery",
              () -> {
                throw new SQLException("connection reset", "08006");
              });
        });
  }

  private interface Answer {
    Object get() throws SQLException;
  }

  private static <T> T proxy(Class<T> type, T real, String method, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            UnansweredUpdatesTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) ->
                called.getName().equals(method) ? answer.get() : called.invoke(real, arguments)));
  }

  private static final class Client {
    final RowSession rows;
    private final Recorder recorder;
    private final AssayBinaryJournal journal;
    private final int session;

    Client(Connector connector, Recorder recorder, Connection connection) {
      this.recorder = recorder;
      journal = recorder.journal();
      session = recorder.newSession();
      JdbcIsolation isolation = JdbcIsolation.READ_UNCOMMITTED;
      RunSpec spec = new RunSpec(isolation, 2, 1, Duration.ofSeconds(1), 0, 0, false, true, 7);
      rows =
          new RowSession(
              new JdbcSession(connector, connection, isolation, spec.session(0, false)),
              spec,
              recorder,
              journal,
              Tracing.NONE);
    }

    void begin() throws ClientException {
      journal.begin(session);
      rows.begin(0);
    }

    void end(Outcome outcome) {
      recorder.end(journal, outcome);
    }
  }
}
