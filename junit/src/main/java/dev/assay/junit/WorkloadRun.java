package dev.assay.junit;

import dev.assay.collect.client.Target;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.CheckService;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.runs.RecordService;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.render.CheckResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * A workload on a database, recorded and checked:
 *
 * <pre>{@code
 * WorkloadRun.of(dataSource)
 *     .isolation("serializable")
 *     .workload(Workload.listAppend().keys(10))
 *     .sessions(8)
 *     .duration(Duration.ofSeconds(5))
 *     .check()
 *     .assertHolds(Level.SERIALIZABLE);
 * }</pre>
 *
 * <p>Clients take one connection each from the data source, and two more are used now and then, so
 * a pool must have room for these. The run makes its own tables and drops them at the end.
 */
public final class WorkloadRun {
  private DataSource source;
  private Workload workload = Workload.listAppend();
  private RunConfig config = RunConfig.empty(Use.RUN);
  private Path folder;

  WorkloadRun() {}

  /** A run on a database. */
  public static WorkloadRun of(DataSource source) {
    return new WorkloadRun().on(source);
  }

  /** The database to run on. */
  public WorkloadRun on(DataSource newSource) {
    source = newSource;
    return this;
  }

  /** What clients do; by default they read and append to lists. */
  public WorkloadRun workload(Workload newWorkload) {
    workload = newWorkload;
    return this;
  }

  /** The level asked of the database, by its SQL name; by default its strongest one. */
  public WorkloadRun isolation(String name) {
    if (name.isEmpty()) {
      config = config.with(Parameters.ISOLATION, null);
      return this;
    }
    return with(Parameters.ISOLATION, name);
  }

  /** The number of clients. */
  public WorkloadRun sessions(int number) {
    return with(Parameters.SESSIONS, String.valueOf(number));
  }

  /** How long clients begin new transactions. */
  public WorkloadRun duration(Duration time) {
    return duration(time.toMillis() + "ms");
  }

  WorkloadRun duration(String text) {
    return with(Parameters.DURATION, text);
  }

  /** The maximum number of transactions of each client. */
  public WorkloadRun transactions(int number) {
    return with(Parameters.TRANSACTIONS, String.valueOf(number));
  }

  /** The seed of the workload; by default another one in every run, which failures name. */
  public WorkloadRun seed(long seed) {
    return with(Parameters.SEED, String.valueOf(seed));
  }

  private WorkloadRun with(Parameter<?> parameter, String text) {
    Values.require(parameter, text);
    config = config.with(parameter, text);
    return this;
  }

  /**
   * Where the recording and the report page go; by default below {@code target} or {@code build} if
   * there is one, else to a temporary folder.
   */
  public WorkloadRun keepIn(Path newFolder) {
    folder = newFolder;
    return this;
  }

  /**
   * Runs the workload, records it and decides all levels.
   *
   * @throws IllegalStateException if the run is not possible, with the reason
   */
  public CheckedRun check() {
    if (source == null) {
      throw new IllegalStateException("the run has no database: call on(dataSource)");
    }
    if (!config.has(Parameters.SEED)) {
      config = config.with(Parameters.SEED, ThreadLocalRandom.current().nextLong(1_000_000_000));
    }
    try {
      Path kept = Folders.next(folder);
      RunConfig all = workload.addTo(config);
      Target target = Databases.behind(source);
      RecordService service =
          new RecordService(
              target,
              version(),
              (name, asked) ->
                  new RecordService.Place(
                      Files.createDirectories(kept).resolve("history.assay"), null),
              new Quiet(),
              opening -> Connector.over(source, target));
      RecordService.Recorded recorded = service.record(all);
      CheckRequest request = CheckRequest.of(all);
      CheckResult result =
          new CheckService(request, CheckService.SILENT)
              .check(Input.of(recorded.file()), request.budget(), false);
      return new CheckedRun(
          result,
          recorded.database(),
          all.get(Parameters.SEED),
          kept,
          hasCommits(result.report().history()));
    } catch (UsageException | SQLException | ParseException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasCommits(History history) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.COMMITTED) {
        return true;
      }
    }
    return false;
  }

  static String version() {
    String version = WorkloadRun.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Says nothing while the run goes on. */
  private static final class Quiet implements RecordService.Listener {
    @Override
    public void remark(String what) {}

    @Override
    public void connected(Stop stop) {}

    @Override
    public void running(LiveRun run, RunSpec spec, String database, RecordService.Place place) {}

    @Override
    public void done() {}

    @Override
    public void over() {}
  }
}
