package dev.assay.cli;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.DeclaredOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.OutputFile;
import dev.assay.cli.process.Progress;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.judge.Reading;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.history.History;
import dev.assay.render.Plain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code assay convert}: from one format to another. */
final class ConvertCommand implements Command {
  private static final String NOTES =
      """
      Nothing is lost silently: if OUT's format cannot express something, Assay names
      it and does not convert without --lossy. OUT appears only when complete.

      Examples:
        assay convert run.edn run.jsonl
        assay convert big.txt big.assay.zst
        assay convert --lossy --to plume-text run.edn -
      """;

  private final CommonOptions common = new CommonOptions();
  private final DeclaredOptions declared = new DeclaredOptions();

  private String in;
  private String out;
  private String to;
  private String format = "auto";
  private boolean lossy;

  @Override
  public void declare(Options options) {
    options.command(
        "convert", "Converts a history to another format.", "[OPTION]... IN OUT", NOTES);
    common.declare(options);
    declared.declare(options);
    options.argument(0, "1", "IN", "A history; - is standard input.", given -> in = given);
    options.argument(
        1,
        "1",
        "OUT",
        "File to write, compressed if it ends in .gz or .zst; - is standard output.",
        given -> out = given);
    options.text(
        "--to", "F", "Format to write (default: by the extension of OUT).", given -> to = given);
    options.text(
        "--format", "F", "Format of IN (default: auto, by content).", given -> format = given);
    options.flag("--lossy", "Convert even if information is lost.", given -> lossy = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    HistoryFormat target = target(to, out);
    ReadOptions source = declared.reading(Names.format(format));
    Input input =
        in.equals("-")
            ? Input.ofStandardInput(terminal.in())
            : Input.of(Inputs.recovered(Inputs.path(in)));
    History history;
    try (Progress progress = Progress.of(input, terminal, common.quiet)) {
      history = Reading.read(input, source);
      if (progress != null) {
        progress.stage("converting");
      }
      write(history, target, out, lossy, terminal);
    }
    if (!out.equals("-")) {
      // After a loss the file holds less than was read; reading it shows how much.
      History written =
          lossy && Files.isRegularFile(Path.of(out))
              ? Reading.read(Input.of(Path.of(out)), ReadOptions.NONE.format(target))
              : history;
      if (!common.quiet) {
        terminal.err().println("wrote " + out + " (" + target.id() + "): " + contents(written));
      }
    }
    return ExitCode.OK;
  }

  static String contents(History history) {
    return Plain.count(history.transactionCount(), "transaction")
        + ", "
        + Plain.count(history.operationCount(), "operation")
        + ", "
        + Plain.count(history.sessionCount(), "session");
  }

  /** The format to write, by its name or by the name of the file. */
  static HistoryFormat target(String name, String file) {
    if (name != null) {
      HistoryFormat format = Names.format(name);
      if (format == null) {
        throw new UsageException("--to needs the name of a format: " + writable());
      }
      if (!format.isWritable()) {
        throw new UsageException(
            format.id() + " can be read but not written; choose one of " + writable());
      }
      return format;
    }
    if (file.equals("-")) {
      throw new UsageException(
          "standard output has no extension; set --to to one of " + writable());
    }
    return Formats.byName(file)
        .orElseThrow(
            () ->
                new UsageException(
                    "the extension of "
                        + file
                        + " is not that of a format; set --to to one of "
                        + writable()));
  }

  private static String writable() {
    List<String> ids = new ArrayList<>();
    for (HistoryFormat format : Formats.all()) {
      if (format.isWritable()) {
        ids.add(format.id());
      }
    }
    return String.join(", ", ids);
  }

  static void write(
      History history, HistoryFormat target, String file, boolean lossy, Terminal terminal)
      throws IOException {
    List<String> losses = target.losses(history);
    if (!losses.isEmpty() && !lossy) {
      throw new UsageException(
          target.id() + " cannot express " + Plain.listed(losses) + "; --lossy converts anyway");
    }
    if (!losses.isEmpty()) {
      terminal.err().println("warning: lost in " + target.id() + ": " + Plain.listed(losses));
    }
    OutputFile.write(file, terminal, stream -> target.write(history, stream));
  }
}
