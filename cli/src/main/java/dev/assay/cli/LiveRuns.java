package dev.assay.cli;

import dev.assay.collect.certificate.CertificateException;
import dev.assay.collect.certificate.CertificateSource;
import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.RunRules;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Sweep;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.Isolation;
import dev.assay.collect.db.Redaction;
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
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.format.ParseException;
import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs what a configuration asks for and records it, one run after another. */
final class LiveRuns {
  private final RunOptions options;
  private final RunConfig asked;
  private final Terminal terminal;
  private final boolean quiet;
  private final Target target;
  private final Sweep sweep;

  /** The folder of the run that is being recorded, or null. */
  private RunFolder begun;

  /** A run that is over and on disk, with a certificate or null. */
  record Recorded(
      RunFiles.Place place,
      SavedCertificate certificate,
      String database,
      Isolation isolation,
      RunConfig config,
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

  /**
   * Checks all values, so that mistakes show before anything is started.
   *
   * @param asked what to run; values may be lists
   */
  LiveRuns(RunOptions options, RunConfig asked, Terminal terminal, boolean quiet) {
    this.options = options;
    this.asked = asked;
    this.terminal = terminal;
    this.quiet = quiet;
    this.target = RunOptions.target(asked);
    this.sweep = sweep(asked, target.database());
    sweep.runs().forEach(LiveRuns::require);
    RunFiles.check(options.out, options.force, sweep.runs().size());
  }

  private static Sweep sweep(RunConfig asked, Database database) {
    RunConfig common = asked;
    for (Parameter<?> parameter : Parameters.of(Group.WORKLOAD)) {
      common = common.with(parameter, null);
    }
    for (Parameter<?> parameter : List.of(Parameters.DURATION, Parameters.WRITES)) {
      common = common.with(parameter, common.text(parameter));
    }
    if (common.has(Parameters.FAULTS)) {
      common = common.with(Parameters.FAULTS_EVERY, common.text(Parameters.FAULTS_EVERY));
    }
    Sweep sweep = new Sweep(common);
    for (Parameter<?> parameter : Parameters.of(Group.WORKLOAD)) {
      if (parameter.isFor(Source.DATABASE)) {
        List<String> values =
            asked.has(parameter)
                ? Names.values(parameter.id(), asked.given(parameter))
                : asked.items(parameter);
        boolean isolation = parameter == Parameters.ISOLATION;
        sweep.add(parameter, isolation ? RunRules.isolations(database, values) : values);
      }
    }
    return sweep;
  }

  private static void require(RunConfig config) {
    RunRules.require(config);
    try {
      Workloads.live(config);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
  }

  List<Parameter<?>> varied() {
    return sweep.varied();
  }

  /** Whether a table is wanted: for several runs, and for all levels of a database with one. */
  boolean isBatch() {
    return sweep.size() > 1 || Names.ALL.equalsIgnoreCase(asked.given(Parameters.ISOLATION));
  }

  Target target() {
    return target;
  }

  /** Runs all combinations, until an interruption. */
  void each(Then then) throws IOException, ParseException {
    List<RunConfig> runs = sweep.runs();
    int left = runs.size();
    for (RunConfig config : runs) {
      Recorded run = kept(config);
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

  /** One run; its folder says what became of it in any case. */
  private Recorded kept(RunConfig config) throws IOException, ParseException {
    begun = null;
    try {
      return one(config);
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

  private Recorded one(RunConfig config) throws IOException, ParseException {
    RunSpec spec = Workloads.run(config, target.database());
    Drivers drivers = new Drivers(Drivers.standardFolder(), this::say);
    Stop stop = new Stop();
    try (Connector connector = Connector.open(target, drivers, spec.sessions())) {
      Interruption interruption = Interruption.stopping(stop);
      try {
        return record(connector, spec, config, stop);
      } finally {
        interruption.forget();
      }
    }
  }

  private Recorded record(Connector connector, RunSpec spec, RunConfig config, Stop stop)
      throws IOException, ParseException {
    LiveWorkload workload = Workloads.live(config);
    RunFiles.Place place = null;
    try (CertificateSource source = source(connector, spec.isolation())) {
      String database = connector.describe();
      place = place(spec.isolation(), config.with(Parameters.PRODUCT, database));
      begun = place.folder();
      LiveRun run;
      Duration worked;
      try (Recorder recorder = recorder(place.history(), metadata(database, spec, workload))) {
        run = new LiveRun(connector, spec, workload, recorder, stop);
        run.faults(faults());
        if (source != null) {
          run.certificate(source);
        }
        Samples.tally(run.tally());
        Samples.stage("record");
        StatusLine progress = RunProgress.of(run, spec, database, terminal, quiet);
        try {
          worked = run.run();
        } finally {
          if (progress != null) {
            progress.close();
          }
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
          spec.isolation(),
          config,
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

  private FaultPlan faults() {
    List<FaultPlan.Kind> kinds = asked.get(Parameters.FAULTS);
    return kinds == null
        ? FaultPlan.NONE
        : new FaultPlan(kinds, asked.get(Parameters.FAULTS_EVERY));
  }

  private RunFiles.Place place(Isolation isolation, RunConfig config) throws IOException {
    return options.out == null
        ? RunFiles.next(target.database().id() + "-" + isolation.name(), withoutSecrets(config))
        : RunFiles.named(options.out, options.force);
  }

  /** A URL may hold a password, so no more of it is kept than where it leads. */
  private RunConfig withoutSecrets(RunConfig config) {
    List<String> urls = target.urls();
    String addresses = String.join(" ", urls.stream().map(Redaction::address).toList());
    boolean more = urls.stream().anyMatch(Redaction::isShortened);
    return config
        .with(Parameters.URL, addresses)
        .with(Parameters.URL_PARAMETERS, more ? RunConfig.NOT_STORED : null);
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

  /** Null if no certificate is wanted. */
  private CertificateSource source(Connector connector, Isolation isolation) {
    return asked.isSet(Parameters.WHITE_BOX)
        ? WhiteBox.of(target.database()).orElseThrow().open(connector, isolation)
        : null;
  }

  private static String errors(Tally tally) {
    String errors = RunProgress.errors(tally.errors());
    return errors.isEmpty() ? "" : " (errors: " + errors + ")";
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
    if (asked.has(Parameters.SERVER_OPTIONS)) {
      metadata.put("server-options", asked.get(Parameters.SERVER_OPTIONS).toString());
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
