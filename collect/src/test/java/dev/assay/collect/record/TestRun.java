package dev.assay.collect.record;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** A small run with everything about it that tests change. */
final class TestRun {
  final Stop stop = new Stop();
  int sessions = 4;
  int transactions = 100;
  Duration duration = Duration.ofSeconds(30);
  Duration warmup = Duration.ZERO;
  Duration patience = Duration.ofSeconds(15);
  int keys = 6;
  int writesPerKey = 20;
  int operations = 4;
  int retries;
  double aborts;
  boolean forUpdate;
  boolean upserts = true;
  Routing routing = Routing.STAY;
  WorkloadKind kind = WorkloadKind.MIXED;
  FaultPlan faults = FaultPlan.NONE;

  /** When the run has shown what a test is about, however long that took; null: never. */
  Predicate<LiveRun> enough;

  LiveRun run;
  OpenStore store;

  /** Runs, and reads back what was recorded. */
  History on(Cluster cluster, Isolation isolation, Path file)
      throws IOException, ClientException, ParseException {
    LiveWorkload workload =
        new ParametricWorkload(
            WorkloadSpec.builder()
                .sessions(sessions)
                .operations(1, operations)
                .keys(keys)
                .kind(kind)
                .writesPerKey(writesPerKey)
                .build());
    RunSpec spec =
        new RunSpec(
            isolation,
            sessions,
            transactions,
            duration,
            retries,
            aborts,
            forUpdate,
            upserts,
            routing,
            0,
            warmup,
            Duration.ZERO,
            7);
    Map<String, String> metadata =
        Map.of("level", isolation.claimed().id(), "database", cluster.describe());
    try (Recorder recorder = new Recorder(file, metadata)) {
      store = new OpenStore(cluster, false);
      run = new LiveRun(store, spec, workload, recorder, stop);
      run.faults(faults);
      run.patience(patience);
      if (enough != null) {
        Thread watcher = new Thread(this::stopOnceItIsEnough);
        watcher.setDaemon(true);
        watcher.start();
      }
      run.run();
    }
    return Formats.read(Input.of(file));
  }

  private void stopOnceItIsEnough() {
    while (!enough.test(run)) {
      LockSupport.parkNanos(20_000_000);
    }
    stop.because("enough was seen");
  }
}
