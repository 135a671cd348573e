package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.db.JdbcSession;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.collect.workload.SplitMix;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.Outcome;

/** Inserts the first rows, in one transaction that is recorded like any other. */
final class InitialRows {
  /** Clients count their versions from higher up. */
  private static final long VERSION = 0;

  private InitialRows() {}

  static void load(
      OpenStore store, RunSpec spec, LiveWorkload workload, Recorder recorder, Tracing tracing)
      throws ClientException {
    store.with(
        0,
        spec.session(0, false),
        session -> insert((JdbcSession) session, spec, workload, recorder, tracing));
  }

  private static void insert(
      JdbcSession session, RunSpec spec, LiveWorkload workload, Recorder recorder, Tracing tracing)
      throws ClientException {
    AssayBinaryJournal journal = recorder.journal();
    RowSession rows = new RowSession(session, spec, recorder, journal, tracing);
    journal.begin(recorder.newSession(0));
    journal.level(spec.levelOf(0));
    long id = tracing.newId();
    if (tracing.isOn()) {
      journal.id(id);
    }
    long start = recorder.now();
    session.begin();
    rows.begin(id);
    for (RowOperation row : workload.initialRows(new SplitMix(spec.seed()))) {
      rows.run(row, VERSION);
    }
    rows.beforeCommit();
    session.confirm();
    session.commit();
    journal.times(start, recorder.now());
    recorder.end(journal, Outcome.COMMITTED);
  }
}
