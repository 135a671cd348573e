package dev.assay.cli.run;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.cli.check.CheckOutput;
import dev.assay.cli.check.Checks;
import dev.assay.cli.check.JudgingOptions;
import dev.assay.cli.check.Pictures;
import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.ShellWord;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.client.Client;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.CheckService;
import dev.assay.collect.runs.RecordService;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStore;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LevelText;
import dev.assay.render.Plain;
import dev.assay.render.Situation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code assay run}: what isolation does this database really give? */
public final class RunCommand implements Command {
  private static final String NOTES =
      """
      Databases that Assay starts itself: h2 (its driver is built in), hsqldb, derby,
      sqlite, duckdb, rocksdb, rocksdb-optimistic, berkeleydb, postgres, mariadb;
      Maven fetches each on first use. etcd and galera are started if they are
      installed. By URL also mysql, cockroachdb, yugabytedb, tidb and other JDBC
      databases.
      For other stores write a client (--client, --plugins): see docs/clients.md.
      Assay creates tables whose names begin with assay_ and drops them at the end.

      Lists of values, such as --sessions 5,10,20, run every combination, as a table.

      Examples:
        assay run                                 H2, in process, at serializable
        assay run postgres --isolation all        every level that PostgreSQL offers
        assay run postgres@12.3 --workload list-append --keys 3 --writes-per-key 4
        assay run postgres --workload predicates --white-box
        assay run h2 --schedules                  the classic anomalies step by step
        assay run postgres --report x.html        an HTML report on what was found
        assay run mariadb --faults kill,pause --duration 30s
        assay run postgres --until-violated --duration 8h
                                                  stop as soon as a violation is found
        assay run postgres --until-violated --repeat forever --duration 1m
        assay run postgres --duration forever --keep 2GB
        assay run jdbc:postgresql://db/test --user app --password-env DB_PASSWORD
        assay run --node a=jdbc:postgresql://a/db --node b=jdbc:postgresql://b/db
        assay run --client 'python3 toy.py'

      Exit codes: 0 the requested level holds, 1 it is violated, 2 it is unknown,
      254 bad arguments or a database that cannot be used, 255 a defect in Assay.
      """;

  private final CommonOptions common = new CommonOptions();
  private final RunOptions options = new RunOptions();
  private final JudgingOptions judging = new JudgingOptions();

  private final ParameterOptions live =
      new ParameterOptions(Use.RUN, Parameters.of(Parameter.Group.LIVE));

  private boolean schedules;

  private boolean markdown;

  private static final Set<String> OF_SCHEDULES =
      Set.of(
          "--schedules",
          "--markdown",
          "--isolation",
          "--user",
          "--password-env",
          "--driver",
          "--server-option",
          "--quiet",
          "--verbose",
          "--color");

  private CommandSpec spec;
  private int code = ExitCode.OK;
  private LiveRuns runs;

  @Override
  public void declare(Options all) {
    spec = all.spec();
    all.command(
        "run",
        "Runs a workload on a database, records it, and checks what isolation it gave.",
        "[OPTION]... [DATABASE [URL]...]",
        NOTES);
    common.declare(all);
    options.declare(all);
    all.add(live);
    judging.declare(all);
    all.flag(
        "--schedules",
        "Run the classic anomalies step by step instead of a workload.",
        given -> schedules = given);
    all.flag(
        "--markdown",
        "Print the table of --schedules, or of several runs, as Markdown.",
        given -> markdown = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    RunConfig asked =
        options.configured(live, remark -> terminal.err().println("assay: " + remark));
    if (schedules) {
      refuseWhatSchedulesLack();
      return ScheduleRuns.run(asked, markdown, terminal, common.quiet);
    }
    CheckRequest request = judging.request();
    runs = new LiveRuns(options, asked, request, terminal, common);
    Pictures pictures = new Pictures(judging);
    boolean text = judging.output.equals("text");
    RunTable table = text && runs.isBatch() ? new RunTable(runs.varied()) : null;
    if (markdown && table == null) {
      throw new UsageException("--markdown requires --schedules or several runs, as text");
    }
    runs.each(
        (run, live) -> {
          if (runs.isHunt() && !runs.isLast(run)) {
            if (!isViolated(run, live, request)) {
              forget(run);
              return;
            }
            // The run was over before its violation was found.
            runs.endAfterThis();
          }
          if (!common.quiet && !(text && table == null)) {
            report(run, terminal.err());
          }
          Terminal to = table == null ? terminal : silent(terminal);
          CheckResult result = check(run, live, request, pictures, to);
          if (table != null && result != null) {
            table.add(run, result);
          } else if (text && result != null) {
            boolean help = run.certificate() == null && !common.quiet;
            String workload = run.config().text(Parameters.WORKLOAD);
            if (help && mayHelp(result, workload, runs.target().client())) {
              terminal
                  .out()
                  .println("note: --white-box reads the database's log, which may decide more");
            }
          }
        });
    pictures.finish(terminal);
    if (table != null) {
      table.print(markdown, terminal.out());
    }
    return code;
  }

  /** Judges an attempt that is shown only if it is violated. */
  private boolean isViolated(RecordService.Recorded run, LiveJudging live, CheckRequest request)
      throws ParseException {
    Optional<CheckResult> found = live == null ? Optional.empty() : live.result(false);
    CheckResult result =
        found.isPresent()
            ? found.get()
            : new CheckService(request.with(orders(run)), new CheckService.Listener() {})
                .check(Input.of(run.file()), request.budget(), false);
    code = ExitCode.worse(code, ExitCode.of(result));
    return result.violated();
  }

  private static void forget(RecordService.Recorded run) throws IOException {
    if (run.place().folder() != null) {
      RunStore.delete(run.place().folder().path());
    }
  }

  private static Path orders(RecordService.Recorded run) {
    return run.certificate() == null ? null : run.certificate().file();
  }

  /** An option that would be ignored is a mistake. */
  private void refuseWhatSchedulesLack() {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!OF_SCHEDULES.contains(option.longestName())) {
        throw new UsageException(
            option.longestName() + " requires a workload and cannot be used with --schedules");
      }
    }
  }

  private static void report(RecordService.Recorded run, PrintStream to) {
    String when = run.stop().reason().equals("interrupted") ? " (interrupted)" : "";
    to.println("requested: " + run.isolation().name() + " from " + run.database());
    to.println(
        "ran:       "
            + Plain.duration(run.worked().toMillis())
            + when
            + ": "
            + RunProgress.outcomes(run.tally()::count));
    RunProgress.mishaps(run.counts()).forEach(line -> to.println(" ".repeat(11) + line));
    to.println(
        "recorded:  "
            + run.file()
            + (run.dropped() == 0
                ? ""
                : ", without the first " + Plain.count(run.dropped(), "transaction")));
    if (run.certificate() != null) {
      to.println(" ".repeat(11) + run.certificate().describe());
    }
    to.println();
    to.flush();
  }

  /**
   * The same as {@code assay check FILE}, which can be repeated later; null without a result. What
   * was judged while the run went on is not judged again.
   */
  private CheckResult check(
      RecordService.Recorded run,
      LiveJudging live,
      CheckRequest request,
      Pictures pictures,
      Terminal terminal)
      throws IOException {
    Path orders = orders(run);
    String file = run.file().toString();
    String again = judging.again(file, List.of(), orders == null ? null : orders.toString());
    CheckResult result;
    int own;
    try (CheckOutput output = new CheckOutput(judging, common, false, pictures, terminal)) {
      Checks checks = new Checks(request.with(orders), common, terminal, output);
      result =
          checks.check(
              file,
              again,
              budget -> {
                Optional<CheckResult> found =
                    live == null ? Optional.empty() : live.result(output.measuresHeap());
                if (found.isPresent()) {
                  return found.get();
                }
                if (live != null && !common.quiet) {
                  terminal.err().println("assay: checking the whole recording: " + live.whyWhole());
                }
                CheckResult whole = checks.checked(Input.of(run.file()), budget);
                return live == null ? whole : whole.with(live.facts());
              },
              found -> situation(run, live, found, again));
      output.finish();
      own = output.exitCode();
    }
    code = ExitCode.worse(code, own);
    RunFolder folder = run.place().folder();
    if (folder != null) {
      String certificate = orders == null ? null : orders.getFileName().toString();
      String inFolder = judging.again(RunFolder.HISTORY, List.of(), certificate);
      KeptRun.judged(folder, result, own, inFolder);
    }
    return result;
  }

  private static Terminal silent(Terminal terminal) {
    PrintStream nowhere = new PrintStream(java.io.OutputStream.nullOutputStream());
    return new Terminal(terminal.in(), nowhere, terminal.err(), false, terminal.errIsTerminal());
  }

  /** What the text says around the result of a run. */
  private Situation situation(
      RecordService.Recorded run, LiveJudging live, CheckResult result, String again) {
    List<Situation.File> files = new ArrayList<>();
    files.add(new Situation.File("history", run.file().toString()));
    RunFolder folder = run.place().folder();
    if (folder != null) {
      files.add(new Situation.File("report", folder.path().resolve(RunFolder.REPORT).toString()));
    }
    if (live != null) {
      live.kept().forEach(file -> files.add(new Situation.File("kept", file.toString())));
    }
    List<String> remarks = new ArrayList<>();
    if (runs.isHunt()) {
      remarks.add(runs.attempts(result.violated()));
    }
    if (run.dropped() > 0) {
      String dropped = Plain.count(run.dropped(), "transaction");
      remarks.add("The history lacks the first " + dropped + ", which --keep dropped.");
    }
    if (run.certificate() != null) {
      remarks.add(run.certificate().describe());
    }
    remarks.addAll(RunProgress.mishaps(run.counts()));
    String sentence =
        LevelText.promised(
            run.database(), run.isolation().name(), run.isolation().claimed(), result);
    return new Situation(
        sentence,
        again,
        "assay shrink --sql " + ShellWord.of(run.file().toString()),
        common.quiet ? List.of() : files,
        common.quiet ? List.of() : remarks,
        effort(run));
  }

  private static String effort(RecordService.Recorded run) {
    boolean interrupted = run.stop().reason().equals("interrupted");
    return RunProgress.outcomes(run.tally()::count)
        + " in "
        + Plain.duration(run.worked().toMillis())
        + (interrupted ? " (interrupted)" : "");
  }

  /** Whether a judged level is open that versions from the database's log may decide. */
  static boolean mayHelp(CheckResult result, String workload, Client database) {
    return workload.equals(PredicateWorkload.ID)
        && WhiteBox.of(database).isPresent()
        && result.judged().stream().anyMatch(level -> isOpen(result.report().verdict(level)));
  }

  /** The strongest levels that hold, or what is known of them. */
  static String found(CheckResult result) {
    Report report = result.report();
    List<Level> strongest = report.strongest();
    String none =
        result.survey() ? "no level that is known to hold" : "none of the levels of --level";
    String known = strongest.isEmpty() ? none : Plain.listed(strongest);
    long open = report.verdicts().values().stream().filter(RunCommand::isOpen).count();
    return open == 0 ? known : known + " (at least: " + Plain.count(open, "level") + " unknown)";
  }

  /** Whether a level may hold after all; without times that cannot be decided. */
  private static boolean isOpen(Verdict verdict) {
    return verdict instanceof Verdict.Unknown unknown
        && unknown.reason() != Verdict.Reason.NO_REALTIME;
  }

  /** The anomaly with the smallest witness. */
  static String smallest(CheckResult result) {
    Anomaly smallest = null;
    int size = Integer.MAX_VALUE;
    for (Anomaly anomaly : result.report().anomalies()) {
      int own = anomaly.witnesses().get(0).edges().size();
      if (own < size) {
        smallest = anomaly;
        size = own;
      }
    }
    return smallest == null ? "none" : smallest.type().id();
  }
}
