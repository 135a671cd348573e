package dev.assay.cli;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.format.jsonl.HtmlReport;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Assumption;
import dev.assay.infer.Given;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import dev.assay.render.Plain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code assay check}: which levels do these histories satisfy? */
@CommandLine.Command(
    name = "assay check",
    header = "Checks recorded histories against isolation levels.",
    synopsisHeading = "Usage: ",
    customSynopsis = "assay check [OPTION]... FILE...",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  assay check run.edn                       all levels, judge serializable",
      "  assay check --level causal,rc run.txt     decide just these two",
      "  assay check --expect read-committed h/    every history in a folder",
      "  assay check --forbid write-skew run.edn   judge by an anomaly, not by a level",
      "  assay check --output json run.edn | jq .  for programs",
      "  assay check --report x.html run.edn       a page that explains what was found",
      "  assay check x.html                        check again the history in that page",
      "  zcat big.txt.gz | assay check -           from standard input",
      "",
      "Exit codes: 0 every judged level holds, 1 some judged level is violated or an",
      "anomaly of --forbid was found,",
      "2 none violated but some unknown, 254 bad arguments or an unreadable history,",
      "255 a defect in Assay. With several files the worst wins."
    })
final class CheckCommand implements Command {
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin JudgingOptions judging = new JudgingOptions();
  @Mixin DeclaredOptions declared = new DeclaredOptions();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "History files or folders; - is standard input.")
  List<String> files;

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "The format of the files (default: auto, by content).")
  String format = "auto";

  @Option(
      names = "--incomplete",
      description =
          "Clients are missing from the recording: values that no recorded transaction wrote"
              + " count as written by someone unknown.")
  boolean incomplete;

  @Option(
      names = "--expand",
      description = "In text, show everything that inferred steps rest on, down to what was read.")
  boolean expand;

  @Option(
      names = "--untrusted",
      description =
          "The files come from others: refuse those that unpack to more than 100 times their"
              + " size, once that is more than 256 MB.")
  boolean untrusted;

  @Option(
      names = "--version-order",
      paramLabel = "FILE",
      description = "Orders of versions recovered from the database, as JSON lines.")
  String versionOrder;

  @Option(
      names = "--checker",
      paramLabel = "NAME",
      description = {
        "Who decides (default: assay, all methods in turn): weak-levels, known-orders or",
        "strong-levels for one of them after the checks of single reads, or the name of a",
        "checker in the plug-in folder."
      })
  String checker = Checkers.ALL;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "The plug-in folder: jars with checkers, and commands (default: none).")
  String plugins;

  /** Told of every result besides those who read it; {@code run} sums up by it. */
  Consumer<CheckResult> listener = result -> {};

  /** How long the certificate of the history at hand took to read. */
  private long certificateMillis;

  /** Where pictures go that are about more than this check; null for pictures of its own. */
  Pictures pictures;

  @Override
  public CommonOptions common() {
    return common;
  }

  /** Options after looking up every name, so that mistakes show before any work is done. */
  private record Plan(
      List<Level> levels,
      boolean survey,
      Optional<Level> expected,
      ReadOptions reading,
      Duration timeout,
      Set<AnomalyType> shown,
      Set<AnomalyType> forbidden,
      Set<Assumption> assumptions) {}

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    Plan plan = plan();
    Threads.limit(judging.threads);
    Inputs inputs = Inputs.of(files, terminal.in());
    try (CheckOutput reports = CheckOutput.of(this, terminal)) {
      for (ParseException e : inputs.unreadable()) {
        reports.add(e);
      }
      for (Input input : inputs.found()) {
        checkOne(input, plan, terminal, reports);
      }
      reports.finish();
      Skipped.report(inputs.skipped(), terminal, common.quiet);
      return reports.exitCode();
    }
  }

  /** Complains about options that name nothing, for those who check only later. */
  void validate() {
    plan();
    Threads.limit(judging.threads);
    CheckOutput.validate(judging.output);
  }

  private Plan plan() {
    boolean survey = Names.isSurvey(judging.level);
    if (!survey && judging.expect != null) {
      throw new UsageException(
          "--expect goes with --level all; levels named with --level are judged themselves");
    }
    if (judging.maxWitnesses != null && judging.maxWitnesses < 1) {
      throw new UsageException("--max-witnesses must be at least 1");
    }
    Checkers.of(checker, plugins);
    Inputs.requireFile("--version-order", versionOrder);
    return new Plan(
        Names.levels(judging.level),
        survey,
        Optional.ofNullable(judging.expect).map(Names::level),
        declared.reading(Names.format(format)).incomplete(incomplete),
        Durations.parse(judging.timeout),
        judging.anomaly == null ? Set.of() : Names.anomalies(judging.anomaly),
        judging.forbid == null
            ? Set.of()
            : Names.anomalies(String.join(",", Names.values("forbid", judging.forbid))),
        Names.assumptions(judging.infer));
  }

  private void checkOne(Input input, Plan plan, Terminal terminal, CheckOutput reports)
      throws IOException {
    Budget budget = Budget.of(plan.timeout());
    try {
      CheckResult result = result(input, plan, budget, terminal, reports);
      listener.accept(result);
      reports.add(result, again(input.name(), versionOrder), budget);
    } catch (ParseException e) {
      reports.add(e);
    } catch (UsageException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (Main.isEnding()) {
        throw e;
      }
      // The other files may be fine, and whoever asked wants to know.
      reports.add(input.name(), e, common.verbose);
    }
  }

  /** The command that gives the same verdict again, of files under these names. */
  String again(String file, String certificate) {
    List<String> words = new ArrayList<>(List.of("assay", "check"));
    addOption(words, "--level", Names.isSurvey(judging.level) ? null : judging.level);
    addOption(words, "--expect", judging.expect);
    addOption(words, "--forbid", judging.forbid);
    addOption(words, "--format", format.equals("auto") ? null : format);
    addOption(words, "--loader", declared.loader);
    words.addAll(incomplete ? List.of("--incomplete") : List.of());
    addOption(words, "--infer", judging.infer.isEmpty() ? null : judging.infer);
    addOption(words, "--version-order", certificate);
    words.add(ShellWord.of(file));
    return String.join(" ", words);
  }

  private static void addOption(List<String> words, String name, String value) {
    if (value != null) {
      words.add(name);
      words.add(ShellWord.of(value));
    }
  }

  private CheckResult result(
      Input input, Plan plan, Budget budget, Terminal terminal, CheckOutput reports)
      throws ParseException {
    long start = System.nanoTime();
    try (Progress progress = Progress.of(input, terminal, common.quiet)) {
      bind(input, budget);
      Samples.stage("read");
      History history;
      try {
        history = Reading.read(input, plan.reading());
      } catch (Input.GivenUp e) {
        history = unread(input);
      }
      long parseMillis = (System.nanoTime() - start) / 1_000_000;
      if (progress != null) {
        progress.stage("checking");
      }
      explainPlan(history, plan, terminal);
      long read = System.nanoTime();
      Given given;
      try {
        given = given(input, history, plan, budget);
      } catch (Input.GivenUp e) {
        history = unread(input);
        given = new Given(plan.assumptions(), VersionCertificate.NONE);
      }
      certificateMillis = (System.nanoTime() - read) / 1_000_000;
      return check(input.name(), history, given, plan, budget, parseMillis, reports)
          .locatedIn(input);
    }
  }

  private void bind(Input input, Budget budget) {
    input.giveUpWhen(budget::expired);
    if (untrusted) {
      input.limitUnpacking();
    }
  }

  /** What the user gives, and what a page has beside its history. */
  private Given given(Input input, History history, Plan plan, Budget budget)
      throws ParseException {
    Set<Assumption> assumptions = EnumSet.noneOf(Assumption.class);
    assumptions.addAll(plan.assumptions());
    VersionCertificate certificate = VersionCertificate.NONE;
    // A history given up while it was read has no transactions to look names up in.
    if (history.transactionCount() > 0) {
      boolean page = history.origin().format().equals(HtmlReport.ID);
      if (page) {
        assumptions.addAll(Names.assumptions(HtmlReport.assumptions(input)));
      }
      if (versionOrder != null) {
        Input orders = Input.of(Inputs.path(versionOrder));
        bind(orders, budget);
        certificate = VersionCertificates.read(orders, history);
      } else if (page) {
        certificate = HtmlReport.certificate(input, history);
      }
    }
    return new Given(assumptions, certificate);
  }

  /** What stands for a history that could not be read in time: nothing, of this name. */
  private static History unread(Input input) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), "unread", Origin.Unit.NONE, List.of()));
    builder.metadata(CheckResult.UNREAD, "the time given ran out while the history was being read");
    return builder.build();
  }

  private void explainPlan(History history, Plan plan, Terminal terminal) {
    if (common.verbose) {
      terminal
          .err()
          .println(
              "assay: "
                  + history.origin().name()
                  + ": read as "
                  + history.origin().format()
                  + ", deciding "
                  + Plain.count(plan.levels().size(), "level")
                  + ", judging "
                  + Plain.listed(judged(history, plan)));
    }
  }

  private CheckResult check(
      String name,
      History history,
      Given given,
      Plan plan,
      Budget budget,
      long parseMillis,
      CheckOutput reports) {
    List<Level> judged = judged(history, plan);
    List<Level> levels = new ArrayList<>(plan.levels());
    Set<Level> more = new LinkedHashSet<>(judged);
    // An anomaly is looked for where a level that forbids it is.
    plan.forbidden().forEach(type -> more.addAll(Level.minimal(type.forbiddenBy())));
    more.removeAll(levels);
    levels.addAll(more);
    Report report;
    try {
      Budget watched = witnesses(budget).watchedBy(Samples::stage);
      CheckOptions all = CheckOptions.of(levels).given(given).within(watched);
      report = Assay.check(history, Checkers.of(checker, plugins).apply(all));
      Samples.stage("explain");
    } catch (OutOfMemoryError e) {
      report = outOfMemory(history, levels);
    }
    return new CheckResult(
            name,
            filtered(timed(report), plan),
            judged,
            plan.survey(),
            parseMillis,
            reports.measuresHeap() ? Heap.peakBytes() : -1)
        .with(given)
        .forbidding(plan.forbidden());
  }

  /** The same with the time that its certificate took. */
  private Report timed(Report report) {
    if (versionOrder == null) {
      return report;
    }
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put(JsonRenderer.CERTIFICATE, certificateMillis);
    stages.putAll(report.stageMillis());
    return report.withStages(stages);
  }

  private Budget witnesses(Budget budget) {
    return judging.maxWitnesses == null ? budget : budget.withWitnesses(judging.maxWitnesses);
  }

  private static List<Level> judged(History history, Plan plan) {
    if (!plan.survey()) {
      return plan.levels();
    }
    if (!plan.forbidden().isEmpty() && plan.expected().isEmpty()) {
      return List.of();
    }
    return List.of(plan.expected().orElseGet(() -> recorded(history)));
  }

  /** The level that a history says it was recorded at, else the one people expect. */
  static Level recorded(History history) {
    return Optional.ofNullable(history.metadata().get("level"))
        .flatMap(Level::find)
        .orElse(Level.SERIALIZABLE);
  }

  /** Memory is a budget like time: when it ends, the answer is unknown. */
  private static Report outOfMemory(History history, List<Level> levels) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    String why = "out of memory; give more with ASSAY_JAVA_OPTS=-Xmx8g";
    for (Level level : levels) {
      verdicts.put(level, new Verdict.Unknown(Verdict.Reason.MEMORY, why));
    }
    return new Report(history, verdicts, List.of(), List.of(), Map.of());
  }

  private static Report filtered(Report report, Plan plan) {
    if (plan.shown().isEmpty()) {
      return report;
    }
    Set<AnomalyType> shown = EnumSet.copyOf(plan.shown());
    shown.addAll(plan.forbidden());
    List<Anomaly> anomalies = new ArrayList<>();
    for (Anomaly anomaly : report.anomalies()) {
      if (shown.contains(anomaly.type())) {
        anomalies.add(anomaly);
      }
    }
    return new Report(
        report.history(),
        report.verdicts(),
        anomalies,
        report.notes(),
        report.stageMillis(),
        report.inferred());
  }
}
