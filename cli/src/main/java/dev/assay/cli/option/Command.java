package dev.assay.cli.option;

import dev.assay.cli.process.Terminal;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;

/** One command of the command line. */
public interface Command {
  /** Options that are parameters of a run. */
  default List<ParameterOptions> parameters() {
    return List.of();
  }

  /** Runs the command after its options were parsed; returns the exit code. */
  int run(Terminal terminal) throws IOException, ParseException;

  /** The parser of this command's arguments. */
  default CommandLine line() {
    CommandLine line = new CommandLine(this);
    parameters().forEach(options -> options.addTo(line.getCommandSpec()));
    line.getCommandSpec()
        .usageMessage()
        .synopsisHeading("Usage: ")
        .parameterListHeading("%n")
        .optionListHeading("%n")
        .sortOptions(false);
    return line;
  }
}
