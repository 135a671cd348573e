package dev.assay.cli;

import dev.assay.CheckOptions;
import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.OutputFile;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.run.TextTable;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.RunRules;
import dev.assay.collect.config.Sweep;
import dev.assay.collect.config.SweepParameters;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.Checkers;
import dev.assay.format.ParseException;
import dev.assay.level.Level;
import dev.assay.web.run.CommandLines;
import dev.assay.web.sweep.CheckerSweep;
import dev.assay.web.sweep.SweepPresets;
import dev.assay.web.sweep.SweepReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** {@code assay bench}: how long do checks take, over parameters of the workload? */
final class BenchCommand implements Command {
  private static final String NOTES =
      """
      Every combination of the lists is a history; every level is decided by itself.
      Presets follow the figures in the papers. PolySI's: 20 sessions of 100
      transactions of 15 operations on 10,000 keys, with one parameter varied:
        sessions, transactions, operations, reads, keys, distribution,
        read-heavy (95 %% reads), balanced, write-heavy (70 %% writes),
        tpcc, rubis, twitter (on H2, in this process).
      Others', with their levels (docs/papers.md):
        plume-fig8a to plume-fig8d, plume-fig9a to plume-fig9c, plume-fig12,
        c4-fig8a, c4-fig8b, c4-fig8c, c4-fig8d, c4-fig8e, c4-fig8f, elle-fig4,
        kingcobra, kingcobra-rmw, kingcobra-mix (shares of the version order),
        isovista, emme-items (only the sizes are the paper's).
      Other options override the values of a preset.

      Examples:
        assay bench --preset sessions
        assay bench --sessions 5,10,20 --level causal,serializable --html bench.html
        assay bench --preset reads --checker assay,strong-levels --csv reads.csv
        assay bench --preset sessions --checker assay,without-known-orders
        assay bench --preset c4-fig8a --plugins docs/checkers --checker assay,plume
      """;

  /** The parameters of the workloads. */
  private static final List<Parameter<?>> SWEPT =
      List.of(
          Parameters.STORE,
          Parameters.WORKLOAD,
          Parameters.SESSIONS,
          Parameters.TRANSACTIONS,
          Parameters.OPERATIONS,
          Parameters.KEYS,
          Parameters.READS,
          Parameters.DISTRIBUTION,
          Parameters.SEED,
          SweepParameters.KNOWN_VERSIONS);

  private final CommonOptions common = new CommonOptions();

  private String preset;

  private final ParameterOptions parameters = new ParameterOptions(Use.BENCH, SWEPT);

  private static final String LEVELS =
      "causal,strong-session-snapshot-isolation,strong-session-serializable";

  private String level;
  private String checker = Checkers.ALL;
  private String plugins;
  private int repeat = 3;
  private String timeout = "1m";
  private String csv;
  private String page;

  @Override
  public void declare(Options options) {
    options.command(
        "bench", "Measures checkers over sweeps of workload parameters.", "[OPTION]...", NOTES);
    common.declare(options);
    options.text("--preset", "NAME", "A predefined sweep; see below.", given -> preset = given);
    options.add(parameters);
    options.text(
        "-l --level",
        "L[,L...]",
        "Levels to decide, each by itself (default: causal,"
            + " strong-session-snapshot-isolation, strong-session-serializable, or those of the"
            + " preset).",
        given -> level = given);
    options.text(
        "--checker",
        "NAME[,...]",
        "Checkers to use; see assay check --help (default: assay).",
        given -> checker = given);
    options.text("--plugins", "DIR", "Plug-in folder.", given -> plugins = given);
    options.value(
        "--repeat",
        Integer.class,
        "N",
        "Measurements per check; the median is reported (default: 3).",
        given -> repeat = given);
    options.text(
        "--timeout",
        "T",
        "Give up on a check after this long (default: 1m).",
        given -> timeout = given);
    options.text("--csv", "X.csv", "Also write all numbers.", given -> csv = given);
    options.text("--html", "X.html", "Also write a page with plots.", given -> page = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    CheckerSweep.Plan plan = plan();
    SweepReport report = new SweepReport(plan);
    try {
      CheckerSweep.run(
          plan,
          row -> {
            report.add(row);
            report(row, plan, terminal);
          });
    } catch (ClientException e) {
      throw new UsageException("cannot use the database: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      // What was measured until then is worth having.
      terminal.err().println("assay: out of memory; give more with ASSAY_JAVA_OPTS=-Xmx16g");
    }
    TextTable.markdown(report.table(), terminal.out());
    write(csv, report.csv(), terminal);
    String title = preset == null ? "Benchmark" : "Benchmark: " + preset;
    write(page, report.html(title, commandLine(plan)), terminal);
    return ExitCode.OK;
  }

  private static void write(String file, String text, Terminal terminal) throws IOException {
    if (file != null) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      OutputFile.write(file, terminal, out -> out.write(bytes));
    }
  }

  private void report(CheckerSweep.Row row, CheckerSweep.Plan plan, Terminal terminal) {
    if (!common.quiet) {
      List<String> varied = new ArrayList<>();
      plan.sweep().varied().forEach(one -> varied.add(one + " " + row.config().given(one)));
      terminal
          .err()
          .println(
              "assay: "
                  + String.join(", ", varied)
                  + (varied.isEmpty() ? "" : ", ")
                  + row.level()
                  + " by "
                  + row.checker()
                  + ": "
                  + row.verdict()
                  + " in %.1f ms".formatted(row.medianMillis()));
    }
  }

  private CheckerSweep.Plan plan() {
    if (repeat < 1 || repeat > 1000) {
      throw new UsageException("--repeat must be between 1 and 1000");
    }
    Path folder = plugins == null ? null : Inputs.path(plugins);
    Map<String, UnaryOperator<CheckOptions>> checkers = new LinkedHashMap<>();
    for (String name : Names.items(checker)) {
      checkers.put(name, Checkers.of(name, folder));
    }
    Duration limit = Parameters.TIMEOUT.parse(timeout, Use.BENCH);
    return new CheckerSweep.Plan(sweep(), Names.levels(levels()), checkers, repeat, limit);
  }

  private String levels() {
    String ofPreset = preset == null ? null : SweepPresets.levels(preset);
    return level != null ? level : ofPreset != null ? ofPreset : LEVELS;
  }

  private Sweep sweep() {
    List<String> known = SweepPresets.names();
    Map<Parameter<?>, String> values =
        preset == null ? Map.of() : SweepPresets.of(Names.known("preset", preset, known));
    RunConfig given = parameters.config();
    Sweep sweep = new Sweep(RunConfig.empty(Use.BENCH));
    for (Parameter<?> parameter : SWEPT) {
      String standard = values.getOrDefault(parameter, parameter.standard(Use.BENCH));
      String list = given.has(parameter) ? given.given(parameter) : standard;
      sweep.add(parameter, Names.values(parameter.id(), list));
    }
    sweep.runs().forEach(RunRules::require);
    return sweep;
  }

  /** The command that makes the page again, with everything that it leaves to defaults. */
  private String commandLine(CheckerSweep.Plan plan) {
    RunConfig lists = plan.sweep().asLists();
    List<String> words = new ArrayList<>(List.of("bench"));
    for (Parameter<?> parameter : SWEPT) {
      words.add("--" + parameter + "=" + lists.given(parameter));
    }
    List<String> levels = new ArrayList<>();
    for (Level one : plan.levels()) {
      levels.add(one.id());
    }
    words.add("--level=" + String.join(",", levels));
    words.add("--checker=" + String.join(",", plan.checkers().keySet()));
    words.add("--repeat=" + repeat);
    words.add("--timeout=" + timeout);
    return CommandLines.folded("assay", words);
  }
}
