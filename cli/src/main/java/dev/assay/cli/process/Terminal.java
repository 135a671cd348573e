package dev.assay.cli.process;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * Where a command reads from and writes to.
 *
 * @param in standard input
 * @param out results
 * @param err progress, warnings and errors
 * @param outIsTerminal whether a person watches {@code out}
 * @param errIsTerminal whether a person watches {@code err}
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean outIsTerminal,
    boolean errIsTerminal) {
  /** The process's own streams; the start script knows best what they are connected to. */
  public static Terminal ofProcess(InputStream in, PrintStream out, PrintStream err) {
    return new Terminal(in, out, err, isTerminal("stdout"), isTerminal("stderr"));
  }

  private static boolean isTerminal(String stream) {
    String setting = System.getProperty("assay.terminal." + stream);
    return setting == null ? System.console() != null : setting.equals("true");
  }
}
