package dev.assay.cli;

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
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Target;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.runs.RecordService;
import dev.assay.format.ParseException;
import dev.assay.render.Plain;
import java.io.IOException;
import java.util.List;

/** Runs what a configuration asks for and records it, one run after another. */
final class LiveRuns {
  private final RunOptions options;
  private final RunConfig asked;
  private final Terminal terminal;
  private final boolean quiet;
  private final Target target;
  private final Sweep sweep;

  /** What to do with each run. */
  interface Then {
    void recorded(RecordService.Recorded run) throws IOException, ParseException;
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
    RecordService service = new RecordService(target, Version.text(), this::place, new Watching());
    List<RunConfig> runs = sweep.runs();
    int left = runs.size();
    for (RunConfig config : runs) {
      RecordService.Recorded run = service.record(config);
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

  private RecordService.Place place(String name, RunConfig config) throws IOException {
    return options.out == null
        ? RunFiles.next(name, config)
        : RunFiles.named(options.out, options.force);
  }

  /** Shows progress, takes samples, and stops a run at Ctrl-C. */
  private final class Watching implements RecordService.Listener {
    private Interruption interruption;
    private StatusLine progress;

    @Override
    public void remark(String what) {
      say(what);
    }

    @Override
    public void connected(Stop stop) {
      interruption = Interruption.stopping(stop);
    }

    @Override
    public void running(LiveRun run, RunSpec spec, String database) {
      Samples.tally(run.tally());
      Samples.stage("record");
      progress = RunProgress.of(run, spec, database, terminal, quiet);
    }

    @Override
    public void done() {
      if (progress != null) {
        progress.close();
      }
    }

    @Override
    public void over() {
      interruption.forget();
    }
  }

  private void say(String what) {
    if (!quiet) {
      terminal.err().println("assay: " + what);
    }
  }
}
