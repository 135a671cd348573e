package dev.assay.cli.check;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.DeclaredOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.ShellWord;
import dev.assay.cli.process.Skipped;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.Checkers;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.render.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code assay check}: which levels do these histories satisfy? */
public final class CheckCommand implements Command {
  private static final String NOTES =
      """
      Examples:
        assay check run.edn                       all levels, judge serializable
        assay check --level causal,rc run.txt     decide just these two
        assay check --expect read-committed h/    every history in a folder
        assay check --summary h/                  verdicts and anomalies, counted
        assay check --on 'local[*]' 'h/*.jsonl'   on Apache Spark
        assay check --forbid write-skew run.edn   judge by an anomaly, not by a level
        assay check --output json run.edn | jq .  for programs
        assay check --report x.html run.edn       an HTML report on what was found
        assay check x.html                        check the history in that page again
        assay check --proof p.json run.jsonl      a proof for java tools/Verify.java
        zcat big.txt.gz | assay check -           from standard input

      Exit codes: 0 every judged level holds, 1 a judged level is violated or an
      anomaly of --forbid was found, 2 none is violated but some are unknown, 254 bad
      arguments or an unreadable history, 255 a defect in Assay. With several files
      the worst code wins.
      """;

  final CommonOptions common = new CommonOptions();
  final JudgingOptions judging = new JudgingOptions();
  private final DeclaredOptions declared = new DeclaredOptions();

  private CommandSpec spec;
  private List<String> files;
  private String format = "auto";
  private boolean incomplete;
  private boolean expand;
  private String memory;
  private String proof;
  boolean summary;
  private boolean untrusted;
  private String versionOrder;
  private String checker = Checkers.ALL;
  private String on;
  private String plugins;

  @Override
  public void declare(Options options) {
    spec = options.spec();
    options.command(
        "check",
        "Checks recorded histories against isolation levels.",
        "[OPTION]... FILE...",
        NOTES);
    common.declare(options);
    declared.declare(options);
    options.arguments(
        "1..*", "FILE", "History files or folders; - is standard input.", given -> files = given);
    judging.declare(options);
    options.text(
        "--format",
        "F",
        "Format of the files (default: auto, by content).",
        given -> format = given);
    options.flag(
        "--incomplete",
        "The recording lacks some clients: values that no recorded transaction wrote count as "
            + "written by unrecorded ones.",
        given -> incomplete = given);
    options.flag(
        "--expand",
        "In text, expand inferred steps down to the reads they rest on.",
        given -> expand = given);
    options.text(
        "--memory",
        "SIZE",
        "Check block by block, sorted on disk where needed, and keep at most this much of a "
            + "history in memory, such as 512m or 4g (default: if it does not fit).",
        given -> memory = given);
    options.text(
        "--proof",
        "X.json",
        "Also write what proves each verdict, for tools/Verify.java or a verifier of your own.",
        given -> proof = given);
    options.flag(
        "--summary",
        "Print only what all histories add up to: verdicts by level and anomalies, as text or "
            + "json.",
        given -> summary = given);
    options.flag(
        "--untrusted",
        "Do not trust the files: refuse any that unpacks to more than 256 MB and more than 100 "
            + "times its size.",
        given -> untrusted = given);
    options.text(
        "--version-order",
        "FILE",
        "Version orders recovered from the database, as JSON lines.",
        given -> versionOrder = given);
    declareCheckers(options);
  }

  private void declareCheckers(Options options) {
    options.text(
        "--checker",
        "NAME",
        "Checker to use (default: assay, all methods in turn): weak-levels, known-orders or "
            + "strong-levels for one method after the checks of single reads, without- and one of "
            + "these for all others, or the name of a checker in the plug-in folder.",
        given -> checker = given);
    options.text(
        "--on",
        "MASTER",
        "Check on Apache Spark: local[*], spark://HOST:PORT, yarn or k8s://... Files may then be "
            + "patterns and addresses of Hadoop file systems.",
        given -> on = given);
    options.text(
        "--plugins",
        "DIR",
        "Plug-in folder: jars with checkers, and commands (default: none).",
        given -> plugins = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    CheckRequest request = request();
    if (on != null) {
      return onCluster(request, terminal);
    }
    Inputs inputs = Inputs.of(files, terminal.in());
    Pictures pictures = new Pictures(judging);
    if (proof != null) {
      requireProvable(inputs.found().size() + inputs.unreadable().size());
      pictures.proving(proof);
    }
    try (CheckOutput output = output(summary ? new Summary() : null, pictures, terminal)) {
      for (ParseException e : inputs.unreadable()) {
        output.add(e);
      }
      check(inputs.found(), request, output, terminal);
      output.finish();
      pictures.finish(terminal);
      Skipped.report(inputs.skipped(), terminal, common.quiet);
      return output.exitCode();
    }
  }

  private CheckOutput output(Summary all, Pictures pictures, Terminal terminal) {
    CheckOutput output = new CheckOutput(judging, common, expand, pictures, terminal);
    if (all != null) {
      output.summarize(all);
    }
    return output;
  }

  private void check(
      List<Input> inputs, CheckRequest request, CheckOutput output, Terminal terminal)
      throws IOException {
    Checks checks = new Checks(request, common, terminal, output);
    checks.within(memory == null ? 0 : Inputs.bytes(memory));
    for (Input input : inputs) {
      checks.check(input, judging.again(input.name(), reading(), versionOrder));
    }
  }

  /** Checks one input; what it adds up to is not printed. */
  int check(Input input, Summary all, Terminal terminal) throws IOException, ParseException {
    common.quiet = true;
    CheckRequest request = request();
    try (CheckOutput output = output(all, new Pictures(judging), terminal)) {
      check(List.of(input), request, output, terminal);
      return output.exitCode();
    }
  }

  private int onCluster(CheckRequest request, Terminal terminal) throws IOException {
    Cluster cluster = Cluster.find();
    if (cluster == null) {
      throw new UsageException(
          "--on needs the jar with Spark: use ./assay in a checkout, or spark-submit with"
              + " assay-spark.jar");
    }
    requireRemote();
    try (CheckOutput output =
        output(summary ? new Summary() : null, new Pictures(judging), terminal)) {
      ClusterJob job =
          new ClusterJob(request, spec.commandLine().getParseResult(), output, common, terminal);
      try {
        cluster.check(on, files, job);
      } finally {
        job.clear();
      }
      output.finish();
      return output.exitCode();
    }
  }

  /** Refuses what a proof cannot be about: it is about one history, as its file has it. */
  private void requireProvable(int histories) {
    String problem =
        histories != 1
            ? "takes one history, not " + histories
            : incomplete
                ? "cannot be used with --incomplete"
                : memory != null ? "cannot be used with --memory" : null;
    if (problem != null) {
      throw new UsageException("--proof " + problem);
    }
  }

  /** Refuses what is about files of this machine, or about all results. */
  private void requireRemote() {
    refuse("--report", judging.report != null);
    refuse("--dot", judging.dot != null);
    refuse("--proof", proof != null);
    refuse("--tikz", judging.tikz != null);
    refuse("--output junit", judging.output.equals("junit"));
    refuse("--version-order", versionOrder != null);
    refuse("--plugins", plugins != null);
    refuse("standard input", files.contains("-"));
  }

  private static void refuse(String what, boolean given) {
    if (given) {
      throw new UsageException(what + " cannot be used with --on");
    }
  }

  private CheckRequest request() {
    Inputs.requireFile("--version-order", versionOrder);
    Path folder = plugins == null ? null : Inputs.path(plugins);
    return judging
        .request()
        .by(Checkers.of(checker, folder))
        .reading(declared.reading(Names.format(format)).incomplete(incomplete), untrusted)
        .with(versionOrder == null ? null : Inputs.path(versionOrder));
  }

  /** How files are read, as options. */
  private List<String> reading() {
    List<String> words = new ArrayList<>();
    if (!format.equals("auto")) {
      words.addAll(List.of("--format", ShellWord.of(format)));
    }
    if (declared.loader != null) {
      words.addAll(List.of("--loader", ShellWord.of(declared.loader)));
    }
    if (incomplete) {
      words.add("--incomplete");
    }
    return words;
  }
}
