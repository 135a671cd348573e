package dev.assay.collect.runs;

import dev.assay.collect.certificate.CertificateException;
import dev.assay.collect.certificate.CertificateSource;
import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Opening;
import dev.assay.collect.client.Target;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Redaction;
import dev.assay.collect.record.CommandFaults;
import dev.assay.collect.record.FaultPlan;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.OpenStore;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunCounts;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.record.Tally;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.format.ParseException;
import dev.assay.render.Plain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the workload of a configuration on a database and records it. */
public final class RecordService implements AutoCloseable {
  private final Target target;
  private final String version;
  private final Places places;
  private final Listener listener;
  private final Opener opener;

  /** The folder of the run that is being recorded, or null. */
  private RunFolder begun;

  private boolean keepsStore;

  /** The store that the next run uses again, or null. */
  private OpenStore kept;

  /**
   * Where a recording goes.
   *
   * @param history the file
   * @param folder the folder of the run store that it is in, or null
   */
  public record Place(Path history, RunFolder folder) {}

  /** Chooses where a recording goes. */
  public interface Places {
    /**
     * Makes the place.
     *
     * @param name what the run is about
     * @param config what is kept of its configuration, without secrets
     */
    Place next(String name, RunConfig config) throws IOException;
  }

  /** Starts or reaches the store. */
  public interface Opener {
    Cluster open(Opening opening) throws IOException;
  }

  /** Follows a run. */
  public interface Listener {
    /** Something takes a while. */
    void remark(String what);

    /** The database is up; from here on the run can be stopped. */
    void connected(Stop stop);

    /** Clients begin, and what they do goes to this place. */
    void running(LiveRun run, RunSpec spec, String database, Place place) throws IOException;

    /** Clients are done. */
    void done();

    /** The run is over and cannot be stopped any more. */
    void over();
  }

  /**
   * A run that is over and on disk.
   *
   * @param certificate its version certificate, or null
   * @param database the product and its version
   * @param unread why not everything could be read at the end, or null
   * @param worked how long clients were at work
   * @param dropped the number of transactions that were recorded first and are not kept
   */
  public record Recorded(
      Place place,
      SavedCertificate certificate,
      String database,
      Isolation isolation,
      RunConfig config,
      Tally tally,
      RunCounts counts,
      String unread,
      Duration worked,
      long dropped,
      Stop stop) {
    public Path file() {
      return place.history();
    }
  }

  /**
   * @param target the database
   * @param version the version of Assay, for the metadata of histories
   */
  public RecordService(Target target, String version, Places places, Listener listener) {
    this(target, version, places, listener, target.client()::open);
  }

  /** The same for a store that is opened in another way. */
  public RecordService(
      Target target, String version, Places places, Listener listener, Opener opener) {
    this.target = target;
    this.version = version;
    this.places = places;
    this.listener = listener;
    this.opener = opener;
  }

  /**
   * Lets the runs that follow use one store, its connections and its tables, emptied in between:
   * all that may take far longer than a run. All of them must have the same number of sessions.
   */
  public void keepStore() {
    keepsStore = true;
  }

  /** Ends the store that was kept. */
  @Override
  public void close() {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  /** Records one run; its folder says what became of it in any case. */
  public Recorded record(RunConfig config) throws IOException, ParseException {
    begun = null;
    try {
      return connected(config);
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

  /** Where drivers come from: the jar that a configuration names, or else Maven. */
  public static Drivers drivers(RunConfig config, Consumer<String> remark) {
    List<Path> jars = new ArrayList<>();
    if (config.has(Parameters.DRIVER)) {
      Path jar = Path.of(config.given(Parameters.DRIVER));
      if (!Files.isRegularFile(jar)) {
        throw new UsageException("--driver: there is no file " + jar);
      }
      jars.add(jar);
    }
    return new Drivers(Drivers.standardFolder(), remark, jars);
  }

  private Recorded connected(RunConfig config) throws IOException, ParseException {
    RunSpec spec = Workloads.run(config, target.client());
    Drivers drivers = drivers(config, listener::remark);
    Stop stop = new Stop();
    if (kept == null) {
      kept = new OpenStore(opener.open(drivers.opening(target, spec.sessions())), keepsStore);
    }
    boolean recorded = false;
    try {
      listener.connected(stop);
      try {
        Recorded run = record(kept, spec, config, stop);
        recorded = true;
        return run;
      } finally {
        listener.over();
      }
    } finally {
      if (!keepsStore || !recorded) {
        close();
      }
    }
  }

  private Recorded record(OpenStore store, RunSpec spec, RunConfig config, Stop stop)
      throws IOException, ParseException {
    Cluster cluster = store.cluster();
    LiveWorkload workload = Workloads.live(config);
    Place place = null;
    try (CertificateSource source = source(cluster, spec, config)) {
      String database = store.describe();
      String name = target.client().id() + "-" + spec.isolation().name().replace(':', '-');
      place = places.next(name, withoutSecrets(config).with(Parameters.PRODUCT, database));
      begun = place.folder();
      Map<String, String> metadata = metadata(database, spec, workload, config);
      LiveRun run;
      Duration worked;
      long dropped;
      try (Recorder recorder = recorder(place.history(), metadata, config)) {
        run = new LiveRun(store, spec, workload, recorder, stop);
        addFaults(run, config);
        if (source != null) {
          run.certificate(source);
        }
        listener.running(run, spec, database, place);
        try {
          worked = run.run();
        } finally {
          listener.done();
        }
        recorder.metadata("ended", stop.reason());
        dropped = recorder.dropped();
      }
      RunCounts counts = RunCounts.of(spec, run.tally());
      if (begun != null) {
        begun.update(state -> state.withRun(counts));
      }
      requireWork(place.history(), counts, run.tally().lastError(), worked, stop);
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
          dropped,
          stop);
    } catch (CertificateException e) {
      throw new UsageException(
          "there is no certificate: "
              + e.getMessage()
              + (place == null ? "" : "; what was recorded is in " + place.history()));
    } catch (ClientException e) {
      String message = cluster.redact(e.getMessage());
      throw new UsageException("cannot use " + target.client().title() + ": " + message);
    }
  }

  private static Recorder recorder(Path file, Map<String, String> metadata, RunConfig config)
      throws IOException {
    Long keep = Workloads.kept(config);
    // The other half is for judging it.
    return keep == null ? new Recorder(file, metadata) : Recorder.keeping(keep / 2, file, metadata);
  }

  private static void addFaults(LiveRun run, RunConfig config) {
    FaultPlan plan = Workloads.faults(config);
    if (config.has(Parameters.FAULT_COMMAND)) {
      List<String> commands = config.get(Parameters.FAULT_COMMAND);
      run.faults(plan, new CommandFaults(commands.get(0), commands.get(1)));
    } else {
      run.faults(plan);
    }
  }

  /** A URL may hold a password, so no more of it is kept than its address. */
  private RunConfig withoutSecrets(RunConfig config) {
    List<String> urls = target.urls();
    String addresses =
        String.join(
            " ",
            target.nodes().stream()
                .map(node -> new Node(node.role(), Redaction.address(node.url())).text())
                .toList());
    boolean more = urls.stream().anyMatch(Redaction::isShortened);
    return config
        .with(Parameters.URL, addresses)
        .with(Parameters.URL_PARAMETERS, more ? RunConfig.NOT_STORED : null);
  }

  /** A run that recorded nothing, or that could not go on, is not worth a verdict. */
  private static void requireWork(
      Path file, RunCounts counts, String lastError, Duration worked, Stop stop) {
    if (stop.failure() != null) {
      throw new UsageException(stop.reason() + "; what was recorded until then is in " + file);
    }
    if (counts.committed() == 0) {
      String errors = counts.describeErrors();
      throw new UsageException(
          "no transaction committed in "
              + Plain.duration(worked.toMillis())
              + (errors.isEmpty() ? "" : " (errors: " + errors + "; the last: " + lastError + ")")
              + "; what was recorded is in "
              + file);
    }
  }

  /** Null if no certificate is wanted. */
  private CertificateSource source(Cluster cluster, RunSpec spec, RunConfig config) {
    return config.isSet(Parameters.WHITE_BOX)
        ? WhiteBox.of(target.client())
            .orElseThrow()
            .open((Connector) cluster, (JdbcIsolation) spec.isolation())
        : null;
  }

  private Map<String, String> metadata(
      String database, RunSpec spec, LiveWorkload workload, RunConfig config) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("assay", version);
    metadata.put("database", database);
    metadata.put("isolation", spec.isolation().name());
    metadata.put("level", spec.isolation().claimed().id());
    metadata.put("workload", workload.describe());
    metadata.put("writes", spec.upserts() ? "upsert" : "update");
    if (spec.forUpdate()) {
      metadata.put("reads", "for update");
    }
    if (config.has(Parameters.SERVER_OPTIONS)) {
      metadata.put("server-options", config.get(Parameters.SERVER_OPTIONS).toString());
    }
    metadata.put("seed", Long.toString(spec.seed()));
    metadata.put("clock", "nanoseconds since the recording began, monotonic");
    return metadata;
  }
}
