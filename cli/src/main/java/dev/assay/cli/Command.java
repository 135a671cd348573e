package dev.assay.cli;

import dev.assay.format.ParseException;
import java.io.IOException;
import java.util.List;

/** One command of the command line. */
interface Command {
  /** Options that are parameters of a run. */
  default List<ParameterOptions> parameters() {
    return List.of();
  }

  /** Runs the command after its options were parsed; returns the exit code. */
  int run(Terminal terminal) throws IOException, ParseException;
}
