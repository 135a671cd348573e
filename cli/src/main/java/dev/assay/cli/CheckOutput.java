package dev.assay.cli;

import dev.assay.format.ParseException;
import dev.assay.render.CheckResult;
import dev.assay.render.DotRenderer;
import dev.assay.render.JUnitRenderer;
import dev.assay.render.JsonRenderer;
import dev.assay.render.TextRenderer;
import dev.assay.render.TikzRenderer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Where the results of {@code check} go, and the exit code they add up to. */
final class CheckOutput implements AutoCloseable {
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
  private final Picture dot;
  private final Picture tikz;
  private int results;
  private int code = ExitCode.OK;

  private interface Picture {
    void add(CheckResult result) throws IOException;

    void save() throws IOException;
  }

  private CheckOutput(CheckCommand command, Terminal terminal) throws IOException {
    this.kind =
        switch (command.output) {
          case "text" -> Kind.TEXT;
          case "json" -> Kind.JSON;
          case "junit" -> Kind.JUNIT;
          default -> throw Names.unknown("output", command.output, "text", "json", "junit");
        };
    this.terminal = terminal;
    this.color = command.common.useColor(terminal);
    int witnesses = command.maxWitnesses == null ? 1 : command.maxWitnesses;
    this.text =
        new TextRenderer(
            new TextRenderer.Options(color, witnesses, !command.common.quiet), terminal.out());
    this.json = kind == Kind.JSON ? new JsonRenderer(Version.text(), terminal.out()) : null;
    this.junit = kind == Kind.JUNIT ? new JUnitRenderer() : null;
    this.dot = command.dot == null ? null : dotPicture(command.dot);
    this.tikz = command.tikz == null ? null : tikzPicture(command.tikz);
  }

  static CheckOutput of(CheckCommand command, Terminal terminal) throws IOException {
    return new CheckOutput(command, terminal);
  }

  /** Only the JSON report tells how much heap was used. */
  boolean measuresHeap() {
    return kind == Kind.JSON;
  }

  void add(ParseException e) throws IOException {
    code = ExitCode.worse(code, ExitCode.BAD_INPUT);
    switch (kind) {
      case TEXT -> Main.report(terminal, color, e);
      case JSON -> json.render(e);
      case JUNIT -> junit.add(e);
    }
  }

  void add(CheckResult result) throws IOException {
    int own =
        result.violated() ? ExitCode.VIOLATED : result.unknown() ? ExitCode.UNKNOWN : ExitCode.OK;
    code = ExitCode.worse(code, own);
    switch (kind) {
      case TEXT -> {
        if (results++ > 0) {
          terminal.out().println();
        }
        text.render(result);
      }
      case JSON -> json.render(result);
      case JUNIT -> junit.add(result);
    }
    terminal.out().flush();
    if (dot != null) {
      dot.add(result);
    }
    if (tikz != null) {
      tikz.add(result);
    }
  }

  /** Writes what can only be written once all results are in. */
  void finish() throws IOException {
    if (junit != null) {
      junit.finish(terminal.out());
    }
    if (dot != null) {
      dot.save();
    }
    if (tikz != null) {
      tikz.save();
    }
  }

  int exitCode() {
    return code;
  }

  @Override
  public void close() {
    terminal.out().flush();
  }

  private Picture dotPicture(String file) throws IOException {
    StringBuilder content = new StringBuilder();
    DotRenderer renderer = new DotRenderer(content);
    return new Picture() {
      @Override
      public void add(CheckResult result) throws IOException {
        renderer.add(result);
      }

      @Override
      public void save() throws IOException {
        renderer.finish();
        write(file, content);
      }
    };
  }

  private Picture tikzPicture(String file) throws IOException {
    StringBuilder content = new StringBuilder();
    TikzRenderer renderer = new TikzRenderer(content);
    return new Picture() {
      @Override
      public void add(CheckResult result) throws IOException {
        renderer.add(result);
      }

      @Override
      public void save() throws IOException {
        renderer.finish();
        write(file, content);
      }
    };
  }

  private void write(String file, StringBuilder content) throws IOException {
    byte[] bytes = content.toString().getBytes(StandardCharsets.UTF_8);
    OutputFile.write(file, terminal, out -> out.write(bytes));
  }
}
