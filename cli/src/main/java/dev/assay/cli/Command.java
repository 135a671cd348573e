package dev.assay.cli;

import dev.assay.format.ParseException;
import java.io.IOException;

/** One command of the command line. */
interface Command {
  /** Options that every command has. */
  CommonOptions common();

  /** Runs the command after its options were parsed; returns the exit code. */
  int run(Terminal terminal) throws IOException, ParseException;
}
