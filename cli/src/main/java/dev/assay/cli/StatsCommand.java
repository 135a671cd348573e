package dev.assay.cli;

import dev.assay.check.Budget;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.DeclaredOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Failures;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.Progress;
import dev.assay.cli.process.Skipped;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Version;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.Reading;
import dev.assay.explain.Wording;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Stats;
import dev.assay.render.JsonRenderer;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** {@code assay stats}: what is in these histories? */
final class StatsCommand implements Command {
  private static final String NOTES =
      """
      Examples:
        assay stats run.edn
        assay stats --constraints run.edn
        assay stats --output json histories/ | jq .history.operations
      """;

  private final CommonOptions common = new CommonOptions();
  private final DeclaredOptions declared = new DeclaredOptions();

  private List<String> files;
  private String format = "auto";
  private String output = "text";
  private boolean constraints;
  private String versionOrder;
  private String timeout = "10m";

  private Duration limit;

  @Override
  public void declare(Options options) {
    options.command("stats", "Shows what a history contains.", "[OPTION]... FILE...", NOTES);
    common.declare(options);
    declared.declare(options);
    options.arguments(
        "1..*", "FILE", "History files or folders; - is standard input.", given -> files = given);
    options.text(
        "--format",
        "F",
        "Format of the files (default: auto, by content).",
        given -> format = given);
    options.text(
        "-o --output",
        "KIND",
        "Output format: text or json (default: text).",
        given -> output = given);
    options.flag(
        "--constraints",
        "Also count the constraints of serializability and snapshot isolation: pairs of "
            + "writers of a key whose order is unknown, before and after saturation.",
        given -> constraints = given);
    options.text(
        "--version-order",
        "FILE",
        "With --constraints: version orders recovered from the database.",
        given -> versionOrder = given);
    options.text(
        "--timeout",
        "T",
        "Give up on counting constraints after this long (default: 10m).",
        given -> timeout = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    boolean json =
        switch (output) {
          case "json" -> true;
          case "text" -> false;
          default -> throw Names.unknown("output", output, "text", "json");
        };
    if (versionOrder != null && !constraints) {
      throw new UsageException("--version-order requires --constraints");
    }
    Inputs.requireFile("--version-order", versionOrder);
    limit = Parameters.TIMEOUT.parse(timeout, Use.RUN);
    ReadOptions source = declared.reading(Names.format(format));
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
      Failures.report(terminal, common.useColor(terminal), e);
    }
    return ExitCode.BAD_INPUT;
  }

  private void show(Input input, ReadOptions source, boolean json, Terminal terminal)
      throws IOException, ParseException {
    long start = System.nanoTime();
    History history;
    Stats stats;
    List<OpenConstraints.Count> open = null;
    long millis;
    try (Progress progress = Progress.of(input, terminal, common.quiet)) {
      history = Reading.read(input, source);
      millis = (System.nanoTime() - start) / 1_000_000;
      if (progress != null) {
        progress.stage("counting");
      }
      stats = Stats.of(history);
      if (constraints) {
        open = openConstraints(history);
      }
    }
    if (json) {
      new JsonRenderer(Version.text(), terminal.out())
          .render(input.name(), history, stats, open, millis);
    } else {
      terminal
          .out()
          .println(Wording.oneLine(input.name()) + " (" + history.origin().format() + ")");
      new StatsText(history, stats, open, terminal.out()).print(!common.quiet);
    }
  }

  private List<OpenConstraints.Count> openConstraints(History history) throws ParseException {
    VersionCertificate certificate =
        versionOrder == null
            ? VersionCertificate.NONE
            : VersionCertificates.read(Input.of(Inputs.path(versionOrder)), history);
    return OpenConstraints.count(
        history,
        new Given(Assumption.DEFAULT, certificate),
        OpenConstraints.levels(history),
        Budget.of(limit));
  }
}
