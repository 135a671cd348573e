package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.db.Connector;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.collect.workload.SplitMix;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.Outcome;
import java.sql.Connection;
import java.sql.SQLException;

/** Inserts the first rows, in one transaction that is recorded like any other. */
final class InitialRows {
  /** Clients count their versions from higher up. */
  private static final long VERSION = 0;

  private InitialRows() {}

  static void load(
      Connector connector, RunSpec spec, LiveWorkload workload, Recorder recorder, Tracing tracing)
      throws SQLException {
    AssayBinaryJournal journal = recorder.journal();
    try (Connection connection = connector.connect(0, spec.isolation())) {
      RowSession rows =
          new RowSession(
              connection, connector.database().dialect(), spec, recorder, journal, tracing);
      journal.begin(recorder.newSession(connector.node(0)));
      long id = tracing.newId();
      if (tracing.isOn()) {
        journal.id(id);
      }
      long start = recorder.now();
      spec.isolation().begin(connection);
      rows.begin(id);
      for (RowOperation row : workload.initialRows(new SplitMix(spec.seed()))) {
        rows.run(row, VERSION);
      }
      rows.beforeCommit();
      connector.confirm(spec.isolation(), connection);
      connection.commit();
      journal.times(start, recorder.now());
      recorder.end(journal, Outcome.COMMITTED);
    }
  }
}
