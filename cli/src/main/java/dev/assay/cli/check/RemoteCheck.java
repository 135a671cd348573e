package dev.assay.cli.check;

import dev.assay.cli.process.Failures;
import dev.assay.cli.process.Terminal;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.render.Summary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One history of a {@code check}, in a process that has no terminal. */
public final class RemoteCheck {
  private RemoteCheck() {}

  /** What a check printed, and what it found. */
  public static final class Answer implements Serializable {
    private static final long serialVersionUID = 1;

    final int code;
    final String out;
    final String err;
    final Summary summary;

    Answer(int code, String out, String err, Summary summary) {
      this.code = code;
      this.out = out;
      this.err = err;
      this.summary = summary;
    }

    /** The exit code. */
    public int code() {
      return code;
    }

    /** What goes to standard output. */
    public String out() {
      return out;
    }
  }

  /**
   * Checks a history.
   *
   * @param options those of {@code check}, without files
   */
  public static Answer check(List<String> options, Input input) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), stream(out), stream(err), false, false);
    CheckCommand command = new CheckCommand();
    int code;
    Summary summary = null;
    try {
      command.line().parseArgs(withFile(options, input.name()));
      summary = command.summary ? new Summary() : null;
      code = command.check(input, summary, terminal);
    } catch (IOException | ParseException | RuntimeException | Error e) {
      code = Failures.report(terminal, e, input.name(), command.common.verbose);
    }
    terminal.out().flush();
    return new Answer(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), summary);
  }

  private static String[] withFile(List<String> options, String file) {
    String[] args = options.toArray(new String[options.size() + 2]);
    args[options.size()] = "--";
    args[options.size() + 1] = file;
    return args;
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
