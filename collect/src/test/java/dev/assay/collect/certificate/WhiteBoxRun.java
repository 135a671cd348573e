package dev.assay.collect.certificate;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A small run with a certificate, and everything about it that tests change. */
final class WhiteBoxRun {
  final Stop stop = new Stop();
  int sessions = 6;
  int transactions = 150;
  int keys = 12;
  double aborts = 0.05;
  PredicateShares shares = PredicateShares.standard();

  /** The workload; by default predicates. */
  LiveWorkload workload;

  LiveRun run;
  Duration worked;
  CommitLog log;
  Tracing tracing;
  Snapshots snapshots;

  /** Starts a database whose log can be read. */
  static Connector start(String id) throws IOException {
    Target target =
        new Target(
            Databases.byId(id).orElseThrow(),
            null,
            List.of(),
            null,
            null,
            WhiteBox.of(Databases.byId(id).orElseThrow()).orElseThrow().serverOptions());
    return TestDatabases.start(target);
  }

  /** Runs, writes the certificate, and reads back the history. */
  History on(Connector connector, JdbcIsolation isolation, Path file, Path certificate)
      throws Exception {
    if (workload == null) {
      workload =
          new PredicateWorkload(
              WorkloadSpec.builder().sessions(sessions).operations(1, 5).keys(keys).build(),
              shares);
    }
    RunSpec spec =
        new RunSpec(
            isolation, sessions, transactions, Duration.ofSeconds(60), 0, aborts, false, true, 3);
    try (CertificateSource source =
        WhiteBox.of(connector.database()).orElseThrow().open(connector, isolation)) {
      try (Recorder recorder = new Recorder(file, Map.of("level", isolation.claimed().id()))) {
        run = new LiveRun(connector, spec, workload, recorder, stop);
        run.certificate(source);
        worked = run.run();
      }
      History history = Formats.read(Input.of(file));
      log = source.log();
      tracing = source.tracing();
      snapshots = source.snapshots();
      new CertificateWriter(history, log).write(certificate, source.tracing().seen(), snapshots);
      return history;
    }
  }
}
