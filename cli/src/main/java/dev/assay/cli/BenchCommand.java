package dev.assay.cli;

import dev.assay.CheckOptions;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.Sweep;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.format.ParseException;
import dev.assay.level.Level;
import dev.assay.web.sweep.CheckerSweep;
import dev.assay.web.sweep.SweepPresets;
import dev.assay.web.sweep.SweepReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code assay bench}: how long do checks take, over parameters of the workload? */
@CommandLine.Command(
    name = "assay bench",
    header = "Measures checkers over sweeps of workload parameters.",
    synopsisHeading = "Usage: ",
    customSynopsis = "assay bench [OPTION]...",
    optionListHeading = "%n",
    sortOptions = false,
    footer = {
      "",
      "Every combination of the lists is a history; every level is decided by itself.",
      "Presets have the shape of the figures in the papers, around 20 sessions of 100",
      "transactions of 15 operations on 10,000 keys, and one parameter that varies:",
      "  sessions, transactions, operations, reads, keys, distribution,",
      "  read-heavy (95 %% reads), balanced, write-heavy (70 %% writes),",
      "  tpcc, rubis, twitter (on H2, in this process).",
      "Options given beside a preset replace its values.",
      "",
      "Examples:",
      "  assay bench --preset sessions",
      "  assay bench --sessions 5,10,20 --level causal,serializable --html bench.html",
      "  assay bench --preset reads --checker assay,strong-levels --csv reads.csv"
    })
final class BenchCommand implements Command {
  @Mixin CommonOptions common = new CommonOptions();

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = "A sweep that is known; see below.")
  String preset;

  @Option(names = "--sessions", paramLabel = "N[,...]", description = "Clients (default: 20).")
  String sessions;

  @Option(
      names = "--transactions",
      paramLabel = "N[,...]",
      description = "Transactions of each client (default: 100).")
  String transactions;

  @Option(
      names = "--operations",
      paramLabel = "N[-M][,...]",
      description = "Accesses of each transaction (default: 15).")
  String operations;

  @Option(names = "--keys", paramLabel = "N[,...]", description = "Keys (default: 10000).")
  String keys;

  @Option(
      names = "--reads",
      paramLabel = "SHARE[,...]",
      description = "Share of the accesses that only read (default: 0.5).")
  String reads;

  @Option(
      names = "--distribution",
      paramLabel = "D[,...]",
      description = "uniform, zipf or hotspot (default: zipf).")
  String distribution;

  @Option(
      names = {"-w", "--workload"},
      paramLabel = "W[,...]",
      description =
          "register, list-append, read-modify-write, tpcc, rubis or twitter (default: register).")
  String workload;

  @Option(
      names = "--store",
      paramLabel = "LEVEL[,...]",
      description = "What the simulated store gives (default: serializable).")
  String store;

  @Option(names = "--seed", paramLabel = "N", description = "Names the histories (default: 0).")
  long seed;

  @Option(
      names = {"-l", "--level"},
      paramLabel = "L[,L...]",
      description =
          "The levels to decide, each by itself (default: causal,"
              + " strong-session-snapshot-isolation, strong-session-serializable).")
  String level = "causal,strong-session-snapshot-isolation,strong-session-serializable";

  @Option(
      names = "--checker",
      paramLabel = "NAME[,...]",
      description = "Who decides; see assay check --help (default: assay).")
  String checker = Checkers.ALL;

  @Option(names = "--plugins", paramLabel = "DIR", description = "The plug-in folder.")
  String plugins;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Measure each check so often; the median counts (default: 3).")
  int repeat = 3;

  @Option(
      names = "--timeout",
      paramLabel = "T",
      description = "Give up on a check after this long (default: 1m).")
  String timeout = "1m";

  @Option(names = "--csv", paramLabel = "X.csv", description = "Also write all numbers.")
  String csv;

  @Option(names = "--html", paramLabel = "X.html", description = "Also write a page with plots.")
  String page;

  @Override
  public CommonOptions common() {
    return common;
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
            tell(row, plan, terminal);
          });
    } catch (SQLException e) {
      throw new UsageException("cannot use the database: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      // What was measured until then is worth having.
      terminal.err().println("assay: out of memory; give more with ASSAY_JAVA_OPTS=-Xmx8g");
    }
    RunTable.print(report.table(), terminal.out());
    write(csv, report.csv(), terminal);
    String title = preset == null ? "Sweep" : "Sweep: " + preset;
    write(page, report.html(title, commandLine(plan)), terminal);
    return ExitCode.OK;
  }

  private static void write(String file, String text, Terminal terminal) throws IOException {
    if (file != null) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      OutputFile.write(file, terminal, out -> out.write(bytes));
    }
  }

  private void tell(CheckerSweep.Row row, CheckerSweep.Plan plan, Terminal terminal) {
    if (!common.quiet) {
      List<String> varied = new ArrayList<>();
      plan.sweep().varied().forEach(name -> varied.add(name + " " + row.parameters().get(name)));
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
    Map<String, UnaryOperator<CheckOptions>> checkers = new LinkedHashMap<>();
    for (String name : Names.items(checker)) {
      checkers.put(name, Checkers.of(name, plugins));
    }
    CheckerSweep.Plan plan =
        new CheckerSweep.Plan(
            sweep(), Names.levels(level), checkers, repeat, Durations.parse(timeout));
    Set<String> applications = new HashSet<>();
    for (Application application : Application.values()) {
      applications.add(application.id());
    }
    try {
      CheckerSweep.validate(plan, applications);
    } catch (NumberFormatException e) {
      throw new UsageException("a parameter is not a number: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
    return plan;
  }

  private Sweep sweep() {
    Map<String, String> values = SweepPresets.find(preset == null ? "sessions" : preset);
    if (values == null) {
      List<String> known = new ArrayList<>();
      SweepPresets.names().forEach(known::add);
      throw Names.unknown("preset", preset, known, "known: " + String.join(", ", known));
    }
    if (preset == null) {
      values.put("sessions", "20");
    }
    Map<String, String> given = new LinkedHashMap<>();
    given.put("sessions", sessions);
    given.put("transactions", transactions);
    given.put("operations", operations);
    given.put("keys", keys);
    given.put("reads", reads);
    given.put("distribution", distribution);
    given.put("workload", workload);
    given.put("store", store);
    given.put("seed", Long.toString(seed));
    Sweep sweep = new Sweep();
    values.put("seed", "0");
    values.forEach(
        (name, standard) -> {
          List<String> items =
              Names.values(name, given.get(name) == null ? standard : given.get(name));
          items.forEach(item -> known(name, item));
          sweep.parameter(name, items);
        });
    return sweep;
  }

  /** Names are looked up here, where a wrong one is answered with the closest. */
  private static void known(String name, String item) {
    switch (name) {
      case "distribution" ->
          Names.constant("distribution", item, Distribution.values(), Distribution::id);
      case "store" -> Names.constant("store", item, StoreLevel.values(), StoreLevel::id);
      case "workload" -> {
        List<String> known = new ArrayList<>();
        for (WorkloadKind kind : WorkloadKind.simulated()) {
          known.add(kind.id());
        }
        for (Application application : Application.values()) {
          known.add(application.id());
        }
        if (!known.contains(item)) {
          throw Names.unknown("workload", item, known, "known: " + String.join(", ", known));
        }
      }
      default -> {}
    }
  }

  /** The command that makes the page again, with everything that it leaves to defaults. */
  private String commandLine(CheckerSweep.Plan plan) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (Map<String, String> one : plan.sweep().combinations()) {
      one.forEach(
          (name, value) -> {
            List<String> own = values.computeIfAbsent(name, key -> new ArrayList<>());
            if (!own.contains(value)) {
              own.add(value);
            }
          });
    }
    StringBuilder line = new StringBuilder("assay bench");
    values.forEach(
        (name, own) -> line.append(" --").append(name).append(' ').append(String.join(",", own)));
    List<String> levels = new ArrayList<>();
    for (Level one : plan.levels()) {
      levels.add(one.id());
    }
    line.append(" --level ").append(String.join(",", levels));
    return line.append(" --checker ").append(String.join(",", plan.checkers().keySet())).toString();
  }
}
