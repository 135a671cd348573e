package dev.assay.cli;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.OutputFile;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.BinarySink;
import dev.assay.collect.Generator;
import dev.assay.collect.HistorySink;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.RunRules;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.HistoryFormat;
import dev.assay.format.binary.AssayBinary;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** {@code assay generate}: a synthetic history. */
final class GenerateCommand implements Command {
  private static final String NOTES =
      """
      The same options and seed give the same file byte for byte.

      Examples:
        assay generate -o h.jsonl
        assay generate --store snapshot-isolation --plant lost-update -o h.assay
        assay generate --sessions 32 --transactions 5000 --keys 10000 -o big.txt.gz
        assay generate --workload list-append --transactions 5000 -o run.edn
      """;

  private final CommonOptions common = new CommonOptions();

  private String out;
  private String to;

  private final ParameterOptions parameters =
      new ParameterOptions(Use.GENERATE, parametersOfStores());

  private Long plantEvery;
  private double indeterminate;
  private Boolean times;
  private boolean lossy;

  private static List<Parameter<?>> parametersOfStores() {
    return Parameters.of(Group.WORKLOAD).stream()
        .filter(parameter -> parameter.isFor(Source.SYNTHETIC))
        .toList();
  }

  @Override
  public void declare(Options options) {
    options.command(
        "generate",
        "Generates a synthetic history: a workload run on a simulated store.",
        "[OPTION]... --out FILE",
        NOTES);
    common.declare(options);
    options.required(
        "-o --out",
        "FILE",
        "File to write, compressed if it ends in .gz or .zst; - is standard output.",
        given -> out = given);
    options.text(
        "--to", "F", "Format to write (default: by the extension of FILE).", given -> to = given);
    options.add(parameters);
    options.value(
        "--plant-every",
        Long.class,
        "N",
        "Plant them again after every N transactions.",
        given -> plantEvery = given);
    options.value(
        "--indeterminate",
        Double.class,
        "SHARE",
        "Share of the transactions whose outcome is unknown (default: 0).",
        given -> indeterminate = given);
    options.negatable(
        "--times",
        "Record start and end times (default: if the format has them).",
        given -> times = given);
    options.flag(
        "--lossy", "Write even if the format cannot express everything.", given -> lossy = given);
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

  /** The binary format is written while it is generated, so that a history may exceed memory. */
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
    RunConfig config = parameters.config();
    RunRules.require(config);
    WorkloadSpec spec =
        Workloads.spec(config).indeterminateRate(indeterminate).times(recordTimes).build();
    Generator generator = Workloads.generator(config, spec);
    return plantEvery == null ? generator : generator.plantEvery(plantEvery);
  }
}
