package dev.assay.cli.run;

import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.Interruption;
import dev.assay.cli.process.Samples;
import dev.assay.cli.process.StatusLine;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Version;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.Target;
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
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.runs.RecordService;
import dev.assay.format.ParseException;
import dev.assay.render.Plain;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Runs what a configuration asks for and records it, one run after another. */
final class LiveRuns {
  private final RunOptions options;
  private final RunConfig asked;
  private final CheckRequest request;
  private final Terminal terminal;
  private final CommonOptions common;
  private final Target target;
  private final Sweep sweep;
  private final int repetitions;

  /** How many runs are still to come. */
  private long left;

  private boolean ended;
  private final Watching watching = new Watching();

  /** What to do with each run. */
  interface Then {
    /**
     * A run is over.
     *
     * @param judging what judged it while it went on, or null
     */
    void recorded(RecordService.Recorded run, LiveJudging judging)
        throws IOException, ParseException;
  }

  /**
   * Checks all values, so that mistakes show before anything is started.
   *
   * @param asked what to run; values may be lists
   * @param request what to judge while runs go on, or null
   */
  LiveRuns(
      RunOptions options,
      RunConfig asked,
      CheckRequest request,
      Terminal terminal,
      CommonOptions common) {
    this.options = options;
    this.asked = asked;
    this.request = request;
    this.terminal = terminal;
    this.common = common;
    this.target = RunOptions.target(asked);
    this.sweep = sweep(asked, target.client());
    sweep.runs().forEach(this::require);
    this.repetitions = asked.get(Parameters.REPEAT);
    int kept = isHunt() ? 1 : Math.max(repetitions, sweep.runs().size());
    RunFiles.check(options.out, options.force, kept);
  }

  /** How long a run of a given number of transactions may take. */
  static final Duration LONGEST_COUNTED = Duration.ofHours(24);

  private static Sweep sweep(RunConfig asked, Client database) {
    RunConfig common = asked.with(Parameters.REPEAT, null);
    for (Parameter<?> parameter : Parameters.of(Group.WORKLOAD)) {
      common = common.with(parameter, null);
    }
    common = common.with(Parameters.WRITES, common.text(Parameters.WRITES));
    // A number of transactions is not cut short by a duration that was not asked for.
    boolean counted = asked.has(Parameters.TRANSACTIONS) && !asked.has(Parameters.DURATION);
    common =
        common.with(
            Parameters.DURATION,
            counted ? LONGEST_COUNTED.toHours() + "h" : common.text(Parameters.DURATION));
    if (common.has(Parameters.FAULTS)) {
      common = common.with(Parameters.FAULTS_EVERY, common.text(Parameters.FAULTS_EVERY));
      common = common.with(Parameters.FAULTS_FOR, common.text(Parameters.FAULTS_FOR));
    }
    Sweep sweep = new Sweep(common);
    for (Parameter<?> parameter : Parameters.of(Group.WORKLOAD)) {
      if (parameter.isFor(Source.DATABASE) && parameter != Parameters.MIX) {
        List<String> values =
            asked.has(parameter)
                ? Names.values(parameter.id(), asked.given(parameter))
                : asked.items(parameter);
        boolean isolation = parameter == Parameters.ISOLATION;
        if (isolation && asked.has(Parameters.MIX)) {
          values = List.of(RunRules.mixed(values, asked.given(Parameters.MIX)));
        }
        sweep.add(parameter, isolation ? RunRules.isolations(database, values) : values);
      }
    }
    return sweep;
  }

  private void require(RunConfig config) {
    RunRules.require(judged(config));
    try {
      Workloads.live(config);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
  }

  /** A configuration with what its history is judged by, as far as that matters to the run. */
  private RunConfig judged(RunConfig config) {
    return request == null
        ? config
        : config.with(Parameters.INFER, request.config().given(Parameters.INFER));
  }

  List<Parameter<?>> varied() {
    List<Parameter<?>> varied = sweep.varied();
    if (repetitions > 1 && !varied.contains(Parameters.SEED)) {
      varied.add(Parameters.SEED);
    }
    return varied;
  }

  /** Whether one run is repeated until it shows a violation, so that only the last one counts. */
  boolean isHunt() {
    return repetitions > 1 && sweep.size() == 1 && asked.isSet(Parameters.UNTIL_VIOLATED);
  }

  /** Whether a table is wanted: for several runs, and for all levels of a database with one. */
  boolean isBatch() {
    return !isHunt()
        && (sweep.size() > 1
            || repetitions > 1
            || Names.ALL.equalsIgnoreCase(asked.given(Parameters.ISOLATION)));
  }

  Target target() {
    return target;
  }

  /** Runs all combinations, as often as asked for, until an interruption or a violation. */
  void each(Then then) throws IOException, ParseException {
    try (RecordService service = new RecordService(target, Version.text(), this::place, watching)) {
      if (isHunt() && keepsStore()) {
        service.keepStore();
      }
      each(service, then);
    } finally {
      watching.close();
    }
  }

  /** Whether what one attempt did to a store cannot matter to the next. */
  private boolean keepsStore() {
    return !asked.isSet(Parameters.WHITE_BOX)
        && !asked.has(Parameters.FAULTS)
        && !asked.has(Parameters.FAULT_PLAN)
        && !asked.has(Parameters.FAULT_COMMAND);
  }

  private void each(RecordService service, Then then) throws IOException, ParseException {
    List<RunConfig> runs = sweep.runs();
    left = (long) runs.size() * repetitions;
    for (int repetition = 0; repetition < repetitions; repetition++) {
      for (RunConfig config : runs) {
        boolean violated;
        try {
          watching.config = config;
          watching.attempt = repetition + 1;
          RecordService.Recorded run = service.record(repeated(config, repetition));
          left--;
          if (isLast(run)) {
            watching.close();
          }
          then.recorded(run, watching.judging);
          violated = run.stop().reason().equals(LiveJudging.FOUND);
        } finally {
          watching.endJudging();
        }
        if (Interruption.wasAsked()) {
          if (left > 0 && repetitions < Integer.MAX_VALUE) {
            say(
                "interrupted: "
                    + Plain.count(left, "run")
                    + " of this batch "
                    + (left == 1 ? "was" : "were")
                    + " not started");
          }
          return;
        }
        if ((violated || ended) && repetitions > 1) {
          return;
        }
      }
    }
  }

  /** No further run is begun. */
  void endAfterThis() {
    ended = true;
    watching.close();
  }

  /** The number of attempts and their time, for runs that are repeated until one is violated. */
  String attempts(boolean violated) {
    String count = HuntProgress.count(watching.attempt, repetitions);
    return (violated ? "found in attempt " + count : "not found in " + count + " attempts")
        + ", after "
        + Plain.duration(watching.elapsed());
  }

  /** Whether no run follows this one. */
  boolean isLast(RecordService.Recorded run) {
    return left == 0 || run.stop().reason().equals(LiveJudging.FOUND) || Interruption.wasAsked();
  }

  /** Another seed each time: what the same one shows depends on timing alone. */
  private static RunConfig repeated(RunConfig config, int repetition) {
    return repetition == 0
        ? config
        : config.with(Parameters.SEED, config.get(Parameters.SEED) + repetition);
  }

  private RecordService.Place place(String name, RunConfig config) throws IOException {
    return options.out == null
        ? RunFiles.next(name, config)
        : RunFiles.named(options.out, options.force || isHunt());
  }

  /** Shows progress, takes samples, judges, and stops a run at Ctrl-C. */
  private final class Watching implements RecordService.Listener {
    private RunConfig config;
    private volatile long attempt;
    private long begun;
    private final HuntProgress hunt = new HuntProgress(repetitions);
    private Interruption interruption;
    private Stop stop;
    private volatile StatusLine progress;
    private LiveJudging judging;
    private LiveFile live;

    @Override
    public void remark(String what) {
      say(what);
    }

    @Override
    public void connected(Stop newStop) {
      stop = newStop;
      interruption = Interruption.stopping(stop);
    }

    @Override
    public void running(LiveRun run, RunSpec spec, String database, RecordService.Place place)
        throws IOException {
      Samples.tally(run.tally());
      Samples.stage("record");
      if (request != null && RunRules.notWhileItRuns(judged(config)) == null) {
        judging = judging(run, place);
        live =
            LiveFile.of(place.folder(), judging, run, database, repetitions > 1 ? attempt : null);
      }
      if (begun == 0) {
        begun = System.nanoTime();
      }
      if (common.quiet) {
        return;
      }
      LiveJudging own = judging;
      Supplier<String> verdict = () -> own == null ? "" : own.soFar();
      if (!isHunt()) {
        progress = RunProgress.of(run, spec, database, verdict, terminal);
        return;
      }
      // One line for all attempts, of which there may be many a second.
      hunt.begin(attempt, run.tally()::count, verdict);
      if (progress == null) {
        say(RunProgress.begun(spec, database) + ", repeated until violated (Ctrl-C ends it)");
        Supplier<String> line = () -> hunt.text(elapsed());
        progress = new StatusLine(terminal, line, line, true);
      }
    }

    /** The milliseconds since the first run began. */
    private long elapsed() {
      return (System.nanoTime() - begun) / 1_000_000;
    }

    private LiveJudging judging(LiveRun run, RecordService.Place place) {
      return new LiveJudging(
          request,
          run,
          place.history(),
          Workloads.kept(config),
          stop,
          common.quiet ? null : this::announce,
          isBatch(),
          asked.isSet(Parameters.UNTIL_VIOLATED));
    }

    private void announce(String text) {
      StatusLine line = progress;
      if (line == null) {
        terminal.err().print(text);
      } else {
        line.say(text);
      }
    }

    @Override
    public void done() {
      if (!isHunt()) {
        close();
      }
    }

    private void close() {
      if (progress != null) {
        progress.close();
        progress = null;
      }
    }

    @Override
    public void over() {
      interruption.forget();
    }

    private void endJudging() {
      if (live != null) {
        live.close();
        live = null;
      }
      if (judging != null) {
        judging.close();
        judging = null;
      }
    }
  }

  private void say(String what) {
    if (!common.quiet) {
      terminal.err().println("assay: " + what);
    }
  }
}
