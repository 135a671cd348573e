package dev.assay.cli.process;

import dev.assay.collect.config.UsageException;
import dev.assay.explain.Wording;
import dev.assay.format.ParseException;
import dev.assay.render.TextRenderer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;

/** Says on standard error what went wrong, and which exit code that is. */
public final class Failures {
  private Failures() {}

  /**
   * Says on standard error what happened.
   *
   * @param file the one input it happened with, or null
   */
  public static int report(Terminal terminal, Throwable e, String file, boolean verbose) {
    if (e instanceof UsageException usage) {
      return complain(terminal, usage.getMessage());
    }
    if (e instanceof ParseException unreadable) {
      return unreadable(terminal, unreadable);
    }
    if (e instanceof IOException failure) {
      return complain(terminal, explained(failure));
    }
    String with = file == null ? "" : Wording.oneLine(file) + ": ";
    if (e instanceof OutOfMemoryError) {
      return complain(terminal, with + "out of memory; give more with ASSAY_JAVA_OPTS=-Xmx16g");
    }
    return defect(terminal, e, with, verbose);
  }

  private static int complain(Terminal terminal, String message) {
    terminal.out().flush();
    terminal.err().println("assay: " + message);
    return ExitCode.BAD_INPUT;
  }

  /** Whether this process is on its way out, and its exit code is settled. */
  public static boolean isEnding() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return !Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static int unreadable(Terminal terminal, ParseException e) {
    terminal.out().flush();
    report(terminal, false, e);
    return ExitCode.BAD_INPUT;
  }

  /** Says on standard error what is wrong with an input. */
  public static void report(Terminal terminal, boolean color, ParseException e) {
    try {
      new TextRenderer(TextRenderer.Options.brief(color, true), terminal.err()).render(e);
    } catch (IOException impossible) {
      throw new AssertionError("a PrintStream throws nothing", impossible);
    }
  }

  private static String explained(IOException e) {
    if (e instanceof FileSystemException file && file.getFile() != null) {
      return file.getFile() + ": " + OutputFile.reason(e);
    }
    return OutputFile.reason(e);
  }

  private static int defect(Terminal terminal, Throwable e, String with, boolean verbose) {
    terminal.out().flush();
    PrintStream err = terminal.err();
    err.println("assay: " + with + "this is a defect in Assay: " + e);
    if (verbose) {
      e.printStackTrace(err);
    } else {
      err.println("assay: run it again with --verbose for a stack trace to report");
    }
    return ExitCode.DEFECT;
  }
}
