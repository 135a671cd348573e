package dev.assay.web.sweep;

import dev.assay.Assay;
import dev.assay.collect.Generator;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Databases;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.Target;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Makes the history of one combination: a workload on a simulated store, always the same, or an
 * application in small on H2, in this process, where what happens depends on timing.
 */
final class SweepHistory {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private SweepHistory() {}

  static History history(Map<String, String> parameters)
      throws IOException, SQLException, ParseException {
    for (Application application : Application.values()) {
      if (application.id().equals(parameters.get("workload"))) {
        return recorded(application, parameters);
      }
    }
    StoreLevel level = StoreLevel.fromId(parameters.get("store"));
    return new Generator(spec(parameters), level).history();
  }

  /** The workload of a combination; complains about values that make no sense. */
  static WorkloadSpec spec(Map<String, String> parameters) {
    String[] operations = parameters.get("operations").split("-", 2);
    int fewest = number(operations[0]);
    return WorkloadSpec.builder()
        .sessions(number(parameters.get("sessions")))
        .transactionsPerSession(number(parameters.get("transactions")))
        .operations(fewest, operations.length == 1 ? fewest : number(operations[1]))
        .keys(number(parameters.get("keys")))
        .readRatio(Double.parseDouble(parameters.get("reads")))
        .distribution(
            constant(Distribution.values(), Distribution::id, parameters.get("distribution")))
        .kind(constant(WorkloadKind.simulated(), WorkloadKind::id, parameters.get("workload")))
        .seed(Long.parseLong(parameters.getOrDefault("seed", "0")))
        .build();
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private static <E> E constant(
      E[] constants, java.util.function.Function<E, String> id, String wanted) {
    for (E constant : constants) {
      if (id.apply(constant).equals(wanted)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("there is no '" + wanted + "'");
  }

  private static History recorded(Application application, Map<String, String> parameters)
      throws IOException, SQLException, ParseException {
    Target target = new Target(Databases.standard(), null, List.of(), null, null, Map.of());
    int sessions = number(parameters.get("sessions"));
    Path file = Files.createTempFile("assay-bench", ".assay");
    Drivers drivers = new Drivers(Drivers.standardFolder(), text -> {});
    try (Connector connector = Connector.open(target, drivers, sessions)) {
      RunSpec spec =
          new RunSpec(
              target.database().strongest(),
              sessions,
              number(parameters.get("transactions")),
              LONGEST,
              0,
              0,
              false,
              true,
              Long.parseLong(parameters.getOrDefault("seed", "0")));
      try (Recorder recorder = new Recorder(file, Map.of("database", connector.describe()))) {
        int scale = number(parameters.get("keys"));
        new LiveRun(connector, spec, application.workload(scale), recorder, new Stop()).run();
      }
      return Assay.read(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
