package dev.assay.cli.check;

import dev.assay.check.Budget;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Failures;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Version;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.UsageException;
import dev.assay.format.ParseException;
import dev.assay.render.CheckResult;
import dev.assay.render.JUnitRenderer;
import dev.assay.render.JsonRenderer;
import dev.assay.render.Situation;
import dev.assay.render.Summary;
import dev.assay.render.TextRenderer;
import java.io.IOException;

/** Where the results of {@code check} go, and the exit code they add up to. */
public final class CheckOutput implements AutoCloseable {
  private enum Kind {
    TEXT,
    JSON,
    JUNIT
  }

  private final Kind kind;
  private final Terminal terminal;
  private final boolean color;
  private final TextRenderer text;
  private final JsonRenderer json;
  private final JUnitRenderer junit;
  private final Pictures pictures;
  private int results;

  /** What all results add up to, if that is shown instead of each; null if not. */
  private Summary summary;

  /** Whether the report has the result of the input that was added last. */
  private boolean shown;

  private int code = ExitCode.OK;

  /**
   * Where results go.
   *
   * @param expand whether texts show everything that inferred steps rest on
   * @param pictures the files beside the output, which may be shared
   */
  public CheckOutput(
      JudgingOptions options,
      CommonOptions common,
      boolean expand,
      Pictures pictures,
      Terminal terminal) {
    this.kind = kind(options.output);
    this.terminal = terminal;
    this.color = common.useColor(terminal);
    this.text = new TextRenderer(options.look(color, !common.quiet, expand), terminal.out());
    this.json = kind == Kind.JSON ? new JsonRenderer(Version.text(), terminal.out()) : null;
    this.junit = kind == Kind.JUNIT ? new JUnitRenderer() : null;
    this.pictures = pictures;
  }

  private static Kind kind(String output) {
    return switch (output) {
      case "text" -> Kind.TEXT;
      case "json" -> Kind.JSON;
      case "junit" -> Kind.JUNIT;
      default -> throw Names.unknown("output", output, "text", "json", "junit");
    };
  }

  /** Throws for an unknown kind of output. */
  static void validate(String output) {
    kind(output);
  }

  /** Shows what all results add up to instead of each. */
  void summarize(Summary all) {
    if (kind == Kind.JUNIT) {
      throw new UsageException("--summary is printed as text or json, not as junit");
    }
    summary = all;
  }

  /** Adds what was found on another machine. */
  void add(RemoteCheck.Answer answer) {
    code = ExitCode.worse(code, answer.code);
    if (summary != null && answer.summary != null) {
      summary.add(answer.summary);
    }
    if (kind == Kind.TEXT && !answer.out.isEmpty() && results++ > 0) {
      terminal.out().println();
    }
    terminal.out().print(answer.out);
    terminal.out().flush();
    terminal.err().print(answer.err);
    terminal.err().flush();
  }

  /** Only the JSON report says how much heap was used. */
  public boolean measuresHeap() {
    return kind == Kind.JSON;
  }

  void add(ParseException e) throws IOException {
    code = ExitCode.worse(code, ExitCode.BAD_INPUT);
    if (summary != null) {
      summary.addUnreadable();
      Failures.report(terminal, color, e);
      return;
    }
    switch (kind) {
      case TEXT -> Failures.report(terminal, color, e);
      case JSON -> json.render(e);
      case JUNIT -> junit.add(e);
    }
  }

  /** Adds an input that a defect kept from being checked, or from being shown. */
  void add(String file, Throwable defect, boolean verbose) throws IOException {
    code = ExitCode.worse(code, Failures.report(terminal, defect, file, verbose));
    boolean missing = !shown && kind != Kind.TEXT && summary == null;
    if (!shown && summary != null) {
      summary.addUnreadable();
    }
    shown = false;
    if (missing) {
      String found = "could not be checked: " + defect;
      ParseException e = ParseException.ofFile(file, found, null, "see standard error");
      if (kind == Kind.JSON) {
        json.render(e);
      } else {
        junit.add(e);
      }
    }
  }

  /**
   * Adds a result.
   *
   * @param situation what texts say around it
   * @param command what to type to get it again
   * @param budget what is left of the time for it
   */
  void add(CheckResult result, Situation situation, String command, Budget budget)
      throws IOException {
    code = ExitCode.worse(code, ExitCode.of(result));
    shown = false;
    if (summary == null) {
      show(result, situation);
    } else {
      summary.add(result);
    }
    shown = true;
    terminal.out().flush();
    pictures.add(result, command, budget);
    shown = false;
  }

  private void show(CheckResult result, Situation situation) throws IOException {
    switch (kind) {
      case TEXT -> {
        if (results++ > 0) {
          terminal.out().println();
        }
        text.render(result, situation);
      }
      case JSON -> json.render(result);
      case JUNIT -> junit.add(result);
    }
  }

  /** Writes what can only be written once all results are in. */
  public void finish() throws IOException {
    if (summary != null && kind == Kind.TEXT) {
      summary.text(terminal.out());
    } else if (summary != null) {
      summary.json(Version.text(), terminal.out());
    }
    if (junit != null) {
      junit.finish(terminal.out());
    }
  }

  public int exitCode() {
    return code;
  }

  @Override
  public void close() {
    terminal.out().flush();
  }
}
