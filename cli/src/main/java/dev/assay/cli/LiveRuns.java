package dev.assay.cli;

import dev.assay.collect.certificate.CertificateException;
import dev.assay.collect.certificate.CertificateSource;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.Isolation;
import dev.assay.collect.db.Target;
import dev.assay.collect.record.FaultPlan;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunCounts;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.record.Tally;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.Sweep;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.ParseException;
import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs what {@link RunOptions} ask for and records it, one run after another. */
final class LiveRuns {
  private static final int WRITES_PER_KEY = 32;

  private final RunOptions options;
  private final Terminal terminal;
  private final boolean quiet;
  private final Target target;
  private final Sweep batch;
  private final FaultPlan faults;
  private final Duration duration;
  private final boolean upserts;

  /** The folder of the run that is being recorded, or null. */
  private RunFolder begun;

  /** A run that is over and on disk, with a certificate or null. */
  record Recorded(
      RunFiles.Place place,
      SavedCertificate certificate,
      String database,
      Isolation isolation,
      Map<String, String> parameters,
      Tally tally,
      RunCounts counts,
      String unread,
      Duration worked,
      Stop stop) {
    Path file() {
      return place.history();
    }
  }

  /** What to do with each run. */
  interface Then {
    void recorded(Recorded run) throws IOException, ParseException;
  }

  LiveRuns(RunOptions options, Terminal terminal, boolean quiet) {
    this.options = options;
    this.terminal = terminal;
    this.quiet = quiet;
    this.target = options.target();
    this.faults = options.faultPlan(target);
    this.duration = Durations.parse(options.duration);
    List<String> isolations = new ArrayList<>();
    options.isolations(target.database()).forEach(one -> isolations.add(one.name()));
    this.batch = new Sweep().parameter("isolation", isolations);
    Map<String, String> given = new LinkedHashMap<>();
    given.put("workload", options.workload);
    given.put("sessions", options.sessions);
    given.put("operations", options.operations);
    given.put("keys", options.keys);
    given.put("reads", options.reads);
    given.put("distribution", options.distribution);
    given.forEach((name, list) -> batch.parameter(name, Names.values(name, list)));
    // Mistakes show before anything is started.
    if (options.shares != null && !Names.items(options.workload).contains(PredicateWorkload.ID)) {
      throw new UsageException("--shares goes with --workload " + PredicateWorkload.ID);
    }
    if (options.retries < 0) {
      throw new UsageException("the number of retries must be at least 0, not " + options.retries);
    }
    this.upserts = options.upserts();
    batch.combinations().forEach(this::workload);
    RunFiles.check(options.out, options.force, batch.combinations().size());
  }

  List<String> varied() {
    return batch.varied();
  }

  /** Whether a table is wanted: for several runs, and for all levels of a database with one. */
  boolean isBatch() {
    return batch.combinations().size() > 1 || Names.ALL.equalsIgnoreCase(options.isolation);
  }

  Target target() {
    return target;
  }

  /** Runs all combinations, as long as nobody interrupts them. */
  void each(Then then) throws IOException, ParseException {
    int left = batch.combinations().size();
    for (Map<String, String> parameters : batch.combinations()) {
      Recorded run = kept(parameters);
      left--;
      then.recorded(run);
      if (Interruption.wasAsked()) {
        if (left > 0) {
          say("interrupted: " + Plain.count(left, "run") + " of this batch not begun");
        }
        return;
      }
    }
  }

  /** One run; what becomes of it stands in its folder in any case. */
  private Recorded kept(Map<String, String> parameters) throws IOException, ParseException {
    begun = null;
    try {
      return one(parameters);
    } catch (IOException | ParseException | RuntimeException e) {
      if (begun != null) {
        try {
          begun.become(RunStatus.FAILED, e.getMessage());
        } catch (IOException full) {
          e.addSuppressed(full);
        }
      }
      throw e;
    }
  }

  private Recorded one(Map<String, String> parameters) throws IOException, ParseException {
    Isolation isolation = isolation(parameters.get("isolation"));
    int sessions = Integer.parseInt(parameters.get("sessions"));
    Drivers drivers = new Drivers(Drivers.standardFolder(), this::say);
    Stop stop = new Stop();
    try (Connector connector = Connector.open(target, drivers, sessions)) {
      Interruption interruption = Interruption.stopping(stop);
      try {
        return record(connector, isolation, sessions, parameters, stop);
      } finally {
        interruption.forget();
      }
    }
  }

  private Recorded record(
      Connector connector,
      Isolation isolation,
      int sessions,
      Map<String, String> parameters,
      Stop stop)
      throws IOException, ParseException {
    LiveWorkload workload = workload(parameters);
    RunSpec spec = spec(isolation, sessions);
    RunFiles.Place place = null;
    try (CertificateSource source = source(connector, isolation)) {
      String database = connector.describe();
      place = place(isolation, database, parameters);
      begun = place.folder();
      LiveRun run;
      Duration worked;
      try (Recorder recorder = recorder(place.history(), metadata(database, spec, workload))) {
        run = new LiveRun(connector, spec, workload, recorder, stop);
        run.faults(faults);
        if (source != null) {
          run.certificate(source);
        }
        Samples.tally(run.tally());
        Samples.stage("record");
        RunProgress progress = RunProgress.of(run, spec, database, terminal, quiet);
        try {
          worked = run.run();
        } finally {
          progress.close();
        }
        recorder.metadata("ended", stop.reason());
      }
      RunCounts counts = RunCounts.of(spec, run.tally());
      if (begun != null) {
        begun.update(state -> state.withRun(counts));
      }
      complain(place.history(), run.tally(), worked, stop);
      SavedCertificate certificate =
          source == null ? null : SavedCertificate.beside(place.history(), source, run.recovery());
      return new Recorded(
          place,
          certificate,
          database,
          isolation,
          parameters,
          run.tally(),
          counts,
          run.unread(),
          worked,
          stop);
    } catch (CertificateException e) {
      throw new UsageException(
          "there is no certificate: "
              + e.getMessage()
              + (place == null ? "" : "; what was recorded is in " + place.history()));
    } catch (SQLException e) {
      String message = connector.redaction().redact(e.getMessage());
      throw new UsageException("cannot use " + target.database().title() + ": " + message);
    }
  }

  private static Recorder recorder(Path file, Map<String, String> metadata) {
    try {
      return new Recorder(file, metadata);
    } catch (IOException e) {
      throw new UsageException("cannot write " + file + ": " + OutputFile.reason(e));
    }
  }

  private RunFiles.Place place(Isolation isolation, String database, Map<String, String> parameters)
      throws IOException {
    return options.out == null
        ? RunFiles.next(
            target.database().id() + "-" + isolation.name(),
            options.described(database, parameters))
        : RunFiles.named(options.out, options.force);
  }

  /** A run that recorded nothing, or that could not go on, is not worth a verdict. */
  private static void complain(Path file, Tally tally, Duration worked, Stop stop) {
    if (stop.failure() != null) {
      throw new UsageException(stop.reason() + "; what was recorded until then is in " + file);
    }
    if (tally.count(Outcome.COMMITTED) == 0) {
      throw new UsageException(
          "no transaction committed in "
              + Plain.duration(worked.toMillis())
              + errors(tally)
              + "; what was recorded is in "
              + file);
    }
  }

  /** Null where nobody asked for a certificate. */
  private CertificateSource source(Connector connector, Isolation isolation) {
    return options.whiteBox
        ? RunOptions.whiteBox(target.database()).open(connector, isolation)
        : null;
  }

  private static String errors(Tally tally) {
    String errors = RunProgress.errors(tally.errors());
    return errors.isEmpty() ? "" : " (errors: " + errors + ")";
  }

  private Isolation isolation(String name) {
    return target.database().isolations().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private RunSpec spec(Isolation isolation, int sessions) {
    return new RunSpec(
        isolation,
        sessions,
        options.transactions == null ? Integer.MAX_VALUE : options.transactions,
        duration,
        options.retries,
        options.aborts,
        options.forUpdate,
        upserts && target.database().dialect().hasUpsert(),
        options.seed);
  }

  private LiveWorkload workload(Map<String, String> parameters) {
    String name = parameters.get("workload");
    try {
      WorkloadSpec.Builder spec =
          WorkloadSpec.builder()
              .sessions(number("sessions", parameters))
              .transactionsPerSession(options.transactions == null ? 1 : options.transactions)
              .keys(number("keys", parameters))
              .readRatio(share(parameters.get("reads")))
              .distribution(
                  Names.constant(
                      "distribution",
                      parameters.get("distribution"),
                      Distribution.values(),
                      Distribution::id))
              .writesPerKey(writesPerKey(name))
              .abortRate(options.aborts)
              .seed(options.seed);
      GenerateCommand.addOperations(spec, parameters.get("operations"));
      for (Application application : Application.values()) {
        if (application.id().equals(name)) {
          return application.workload(spec.build().keys());
        }
      }
      if (name.equals(PredicateWorkload.ID)) {
        return new PredicateWorkload(spec.kind(WorkloadKind.REGISTER).build(), shares());
      }
      return new ParametricWorkload(spec.kind(kind(name)).build());
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
  }

  private int writesPerKey(String workload) {
    if (options.writesPerKey != null) {
      return options.writesPerKey;
    }
    return workload.equals(PredicateWorkload.ID) ? WorkloadSpec.UNLIMITED : WRITES_PER_KEY;
  }

  private PredicateShares shares() {
    return options.shares == null
        ? PredicateShares.standard()
        : PredicateShares.parse(options.shares);
  }

  private static WorkloadKind kind(String name) {
    List<String> known = new ArrayList<>();
    for (WorkloadKind kind : WorkloadKind.values()) {
      if (kind.id().equalsIgnoreCase(name)) {
        return kind;
      }
      known.add(kind.id());
    }
    known.add(PredicateWorkload.ID);
    for (Application application : Application.values()) {
      known.add(application.id());
    }
    throw Names.unknown("workload", name, known, "known: " + String.join(", ", known));
  }

  private static int number(String name, Map<String, String> parameters) {
    try {
      return Integer.parseInt(parameters.get(name));
    } catch (NumberFormatException e) {
      throw new UsageException("--" + name + ": '" + parameters.get(name) + "' is not a number");
    }
  }

  private static double share(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new UsageException("--reads: '" + text + "' is not a number between 0 and 1");
    }
  }

  private Map<String, String> metadata(String database, RunSpec spec, LiveWorkload workload) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("assay", Version.text());
    metadata.put("database", database);
    metadata.put("isolation", spec.isolation().name());
    metadata.put("level", spec.isolation().claimed().id());
    metadata.put("workload", workload.describe());
    metadata.put("writes", spec.upserts() ? "upsert" : "update");
    if (spec.forUpdate()) {
      metadata.put("reads", "for update");
    }
    if (!options.serverOptions.isEmpty()) {
      metadata.put("server-options", options.serverOptions.toString());
    }
    metadata.put("seed", Long.toString(spec.seed()));
    metadata.put("clock", "nanoseconds since the recording began, monotonic");
    return metadata;
  }

  private void say(String what) {
    if (!quiet) {
      terminal.err().println("assay: " + what);
    }
  }
}
