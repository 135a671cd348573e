package dev.assay.cli;

import dev.assay.collect.BinarySink;
import dev.assay.collect.Generator;
import dev.assay.collect.HistorySink;
import dev.assay.collect.Planted;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.HistoryFormat;
import dev.assay.format.binary.AssayBinary;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code assay generate}: a synthetic history. */
@CommandLine.Command(
    name = "assay generate",
    header = "Makes a synthetic history: a workload run on a simulated store.",
    synopsisHeading = "Usage: ",
    customSynopsis = "assay generate [OPTION]... --out FILE",
    optionListHeading = "%n",
    sortOptions = false,
    footer = {
      "",
      "The same options and seed give the same file byte for byte.",
      "",
      "Examples:",
      "  assay generate -o h.jsonl",
      "  assay generate --store snapshot-isolation --plant lost-update -o h.assay",
      "  assay generate --sessions 32 --transactions 5000 --keys 10000 -o big.txt.gz",
      "  assay generate --workload list-append --transactions 5000 -o run.edn"
    })
final class GenerateCommand implements Command {
  @Mixin CommonOptions common = new CommonOptions();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write, packed if it ends in .gz or .zst; - is standard output.")
  String out;

  @Option(
      names = "--to",
      paramLabel = "F",
      description = "The format to write (default: by the ending of FILE).")
  String to;

  @Option(names = "--sessions", paramLabel = "N", description = "Clients (default: 10).")
  int sessions = 10;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = "Transactions of each client (default: 100).")
  int transactions = 100;

  @Option(
      names = "--operations",
      paramLabel = "N[-M]",
      description = "Accesses of each transaction (default: 1-5).")
  String operations = "1-5";

  @Option(names = "--keys", paramLabel = "N", description = "Keys in use at a time (default: 100).")
  int keys = 100;

  @Option(
      names = "--writes-per-key",
      paramLabel = "N",
      description =
          "Writes after which a key is retired and a new one takes its place"
              + " (default: 100 for lists, no limit for registers).")
  Integer writesPerKey;

  @Option(
      names = "--reads",
      paramLabel = "SHARE",
      description = "Share of the accesses that only read (default: 0.5).")
  double reads = 0.5;

  @Option(
      names = "--distribution",
      paramLabel = "D",
      description = "Of accesses over keys: uniform, zipf or hotspot (default: uniform).")
  String distribution = "uniform";

  @Option(
      names = "--workload",
      paramLabel = "W",
      description = "register, list-append or read-modify-write (default: register).")
  String workload = "register";

  @Option(
      names = "--store",
      paramLabel = "LEVEL",
      description =
          "What the simulated store gives: serializable, snapshot-isolation, causal,"
              + " read-atomic, read-committed or none (default: serializable).")
  String store = "serializable";

  @Option(
      names = "--plant",
      paramLabel = "ID[,ID...]",
      description = "Anomalies to add, halfway through the run.")
  String plant;

  @Option(
      names = "--plant-every",
      paramLabel = "N",
      description = "Plant again and again, after every N transactions.")
  Long plantEvery;

  @Option(
      names = "--aborts",
      paramLabel = "SHARE",
      description = "Share of the transactions that their client aborts (default: 0).")
  double aborts;

  @Option(
      names = "--indeterminate",
      paramLabel = "SHARE",
      description = "Share of the transactions of unknown outcome (default: 0).")
  double indeterminate;

  @Option(
      names = "--times",
      negatable = true,
      description = "Record start and end times, or not (default: where the format has them).")
  Boolean times;

  @Option(names = "--seed", paramLabel = "N", description = "Names the history (default: 0).")
  long seed;

  @Option(names = "--lossy", description = "Write even what the format can express only in part.")
  boolean lossy;

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public int run(Terminal terminal) throws IOException {
    HistoryFormat target = ConvertCommand.target(to, out);
    String contents;
    try {
      contents = target instanceof AssayBinary ? stream(terminal) : writeWhole(target, terminal);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (!common.quiet && !out.equals("-")) {
      terminal.err().println("wrote " + out + " (" + target.id() + "): " + contents);
    }
    return ExitCode.OK;
  }

  /** Our own binary format is written as it is made, so that a history may exceed memory. */
  private String stream(Terminal terminal) throws IOException {
    Generator generator = generator(times == null || times);
    String[] contents = new String[1];
    OutputFile.write(
        out,
        terminal,
        stream -> {
          try (BinarySink sink = new BinarySink(stream, generator.metadata())) {
            generator.generate(sink);
            contents[0] =
                Plain.count(sink.transactions(), "transaction")
                    + ", "
                    + Plain.count(sink.operations(), "operation");
          }
        });
    return contents[0];
  }

  private String writeWhole(HistoryFormat target, Terminal terminal) throws IOException {
    History history = history(target);
    ConvertCommand.write(history, target, out, lossy, terminal);
    return ConvertCommand.contents(history);
  }

  /** Times, unless asked for, and metadata are left out where the format has no place for them. */
  private History history(HistoryFormat target) {
    HistoryBuilder timed = probe();
    timed.start(0, 1);
    timed.end(0, 2);
    HistoryBuilder described = probe();
    described.metadata("seed", "0");
    boolean recordTimes = times == null ? canExpress(target, timed) : times;
    Generator generator = generator(recordTimes);
    HistoryBuilder builder = new HistoryBuilder();
    if (canExpress(target, described)) {
      generator.metadata().forEach(builder::metadata);
    }
    generator.generate(new HistorySink(builder));
    return builder.build();
  }

  /** The smallest history, to ask a format about. */
  private static HistoryBuilder probe() {
    HistoryBuilder probe = new HistoryBuilder();
    probe.zeroIsInitial(true);
    probe.begin(probe.session(1), Outcome.COMMITTED);
    probe.write(1, 1);
    return probe;
  }

  private static boolean canExpress(HistoryFormat format, HistoryBuilder probe) {
    return format.losses(probe.build()).isEmpty();
  }

  private Generator generator(boolean recordTimes) {
    WorkloadSpec.Builder spec =
        WorkloadSpec.builder()
            .sessions(sessions)
            .transactionsPerSession(transactions)
            .keys(keys)
            .readRatio(reads)
            .distribution(
                Names.constant(
                    "distribution", distribution, Distribution.values(), Distribution::id))
            .kind(Names.constant("workload", workload, WorkloadKind.simulated(), WorkloadKind::id))
            .abortRate(aborts)
            .indeterminateRate(indeterminate)
            .times(recordTimes)
            .seed(seed);
    addOperations(spec, operations);
    if (writesPerKey != null) {
      spec.writesPerKey(writesPerKey);
    }
    StoreLevel level = Names.constant("store", store, StoreLevel.values(), StoreLevel::id);
    Generator generator = new Generator(spec.build(), level);
    for (String id : Names.items(plant == null ? "" : plant)) {
      generator.plant(plantable(id));
    }
    return plantEvery == null ? generator : generator.plantEvery(plantEvery);
  }

  /** Adds a number of accesses, or a range. */
  static void addOperations(WorkloadSpec.Builder spec, String operations) {
    String[] bounds = operations.split("-", 2);
    try {
      int fewest = Integer.parseInt(bounds[0]);
      spec.operations(fewest, bounds.length == 1 ? fewest : Integer.parseInt(bounds[1]));
    } catch (NumberFormatException e) {
      throw new UsageException("'" + operations + "' is not a number or a range such as 2-8");
    }
  }

  private static String plantable(String id) {
    List<String> known = new ArrayList<>(Planted.ids());
    for (String one : known) {
      if (one.equalsIgnoreCase(id)) {
        return one;
      }
    }
    String all = "these can be planted: " + String.join(", ", known);
    throw Names.unknown("anomaly to plant", id, known, all);
  }
}
