package dev.assay.cli.option;

import dev.assay.cli.process.Terminal;
import dev.assay.format.ParseException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** One command of the command line. */
public interface Command {
  /** Says which options and arguments there are. */
  void declare(Options options);

  /** Runs the command after its options were parsed; returns the exit code. */
  int run(Terminal terminal) throws IOException, ParseException;

  /** The parser of this command's arguments. */
  default CommandLine line() {
    // No option is a date, and to find out how each of their classes is parsed takes a while.
    System.setProperty("picocli.converters.excludes", "java[.](sql|time)[.].*");
    CommandSpec spec = CommandSpec.create();
    declare(new Options(spec));
    spec.usageMessage()
        .synopsisHeading("Usage: ")
        .parameterListHeading("%n")
        .optionListHeading("%n")
        .sortOptions(false);
    return new CommandLine(spec);
  }
}
