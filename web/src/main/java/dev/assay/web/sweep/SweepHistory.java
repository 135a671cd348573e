package dev.assay.web.sweep;

import dev.assay.Assay;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Target;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.SweepParameters;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.store.StoreLevel;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Makes the history of one combination: a workload on a simulated store, always the same, or an
 * application in small on H2, in this process, where what happens depends on timing.
 */
final class SweepHistory {
  private SweepHistory() {}

  static History of(RunConfig config) throws IOException, ClientException, ParseException {
    return Workloads.application(config).isPresent()
        ? recorded(config)
        : Workloads.generator(config, Workloads.spec(config).build()).history();
  }

  /**
   * A share of the version order: of each version and the next, whether it comes next. The
   * simulated store runs transactions one after another in the order of the history, so that is the
   * order of their versions.
   */
  static Given given(History history, RunConfig config) {
    int percent = (int) Math.round(100 * config.get(SweepParameters.KNOWN_VERSIONS));
    if (percent == 0) {
      return Given.NOTHING;
    }
    Random random = new Random(config.get(Parameters.SEED));
    List<VersionCertificate.Chain> chains = new ArrayList<>();
    versions(history)
        .forEach(
            (key, writes) -> {
              if (percent == 100) {
                chains.add(new VersionCertificate.Chain(key, writes, true));
                return;
              }
              for (int i = 0; i + 1 < writes.size(); i++) {
                if (random.nextInt(100) < percent) {
                  chains.add(VersionCertificate.Chain.of(key, writes.get(i), writes.get(i + 1)));
                }
              }
            });
    return new Given(Assumption.DEFAULT, new VersionCertificate(chains, new int[0]));
  }

  /** The writes that made the versions of each key, in the order of the history. */
  private static Map<Integer, List<Integer>> versions(History history) {
    Map<Integer, List<Integer>> versions = new TreeMap<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean version =
            history.outcome(txn) == Outcome.COMMITTED
                && history.kind(op).isWrite()
                && history.lastWrite(txn, history.key(op)) == op;
        if (version) {
          versions.computeIfAbsent(history.key(op), key -> new ArrayList<>()).add(op);
        }
      }
    }
    return versions;
  }

  /** Says what keeps a share of the version order from being given. */
  static void requireVersions(RunConfig config) {
    boolean serial = config.get(Parameters.STORE) == StoreLevel.SERIALIZABLE;
    boolean simulated = Workloads.application(config).isEmpty();
    if (config.get(SweepParameters.KNOWN_VERSIONS) > 0 && !(serial && simulated)) {
      throw new UsageException(
          "--known-versions needs --store serializable and a workload that is simulated");
    }
  }

  private static History recorded(RunConfig config)
      throws IOException, ClientException, ParseException {
    Target target = new Target(Databases.standard(), null, List.of(), null, null, Map.of());
    // The number of transactions ends the run.
    RunConfig patient = config.with(Parameters.DURATION, "10m");
    RunSpec spec = Workloads.run(patient, target.client());
    Path file = Files.createTempFile("assay-bench", ".assay");
    Drivers drivers = new Drivers(Drivers.standardFolder(), text -> {});
    try (Connector connector = Connector.open(target, drivers, spec.sessions())) {
      try (Recorder recorder = new Recorder(file, Map.of("database", connector.describe()))) {
        new LiveRun(connector, spec, Workloads.live(config), recorder, new Stop()).run();
      }
      return Assay.read(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
