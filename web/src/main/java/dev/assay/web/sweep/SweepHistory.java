package dev.assay.web.sweep;

import dev.assay.Assay;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Target;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
