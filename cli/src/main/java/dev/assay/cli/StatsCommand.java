package dev.assay.cli;

import dev.assay.explain.Wording;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.infer.Stats;
import dev.assay.render.JsonRenderer;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code assay stats}: what is in these histories? */
@CommandLine.Command(
    name = "assay stats",
    header = "Counts what is in a history.",
    synopsisHeading = "Usage: ",
    customSynopsis = "assay stats [OPTION]... FILE...",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  assay stats run.edn",
      "  assay stats --output json histories/ | jq .history.operations"
    })
final class StatsCommand implements Command {
  @Mixin CommonOptions common = new CommonOptions();

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
      names = {"-o", "--output"},
      paramLabel = "KIND",
      description = "text or json (default: text).")
  String output = "text";

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    boolean json =
        switch (output) {
          case "json" -> true;
          case "text" -> false;
          default -> throw Names.unknown("output", output, "text", "json");
        };
    HistoryFormat source = Names.format(format);
    Inputs inputs = Inputs.of(files, terminal.in());
    int code = ExitCode.OK;
    for (ParseException e : inputs.unreadable()) {
      code = fail(e, json, terminal);
    }
    int shown = 0;
    for (Input input : inputs.found()) {
      try {
        if (!json && shown++ > 0) {
          terminal.out().println();
        }
        show(input, source, json, terminal);
      } catch (ParseException e) {
        code = fail(e, json, terminal);
      }
    }
    Skipped.report(inputs.skipped(), terminal, common.quiet);
    return code;
  }

  private int fail(ParseException e, boolean json, Terminal terminal) throws IOException {
    if (json) {
      new JsonRenderer(Version.text(), terminal.out()).render(e);
    } else {
      Main.report(terminal, common.useColor(terminal), e);
    }
    return ExitCode.BAD_INPUT;
  }

  private void show(Input input, HistoryFormat source, boolean json, Terminal terminal)
      throws IOException, ParseException {
    long start = System.nanoTime();
    History history;
    Stats stats;
    long millis;
    try (Progress progress = Progress.of(input, terminal, common.quiet)) {
      history = Reading.read(input, source);
      millis = (System.nanoTime() - start) / 1_000_000;
      if (progress != null) {
        progress.stage("counting");
      }
      stats = Stats.of(history);
    }
    if (json) {
      new JsonRenderer(Version.text(), terminal.out()).render(input.name(), history, stats, millis);
    } else {
      terminal
          .out()
          .println(Wording.oneLine(input.name()) + " (" + history.origin().format() + ")");
      new StatsText(history, stats, terminal.out()).print(!common.quiet);
    }
  }
}
