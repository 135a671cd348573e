package dev.assay.cli;

import dev.assay.format.ParseException;
import dev.assay.render.CheckResult;
import dev.assay.render.DotRenderer;
import dev.assay.render.JUnitRenderer;
import dev.assay.render.JsonRenderer;
import dev.assay.render.PictureRenderer;
import dev.assay.render.TextRenderer;
import dev.assay.render.TikzRenderer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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
  private final List<Picture> pictures = new ArrayList<>();
  private int results;
  private int code = ExitCode.OK;

  /** A drawing of all witnesses, and the file it goes to. */
  private record Picture(String file, StringBuilder content, PictureRenderer renderer) {}

  private CheckOutput(CheckCommand command, Terminal terminal) throws IOException {
    this.kind = kind(command.judging.output);
    this.terminal = terminal;
    this.color = command.common.useColor(terminal);
    int witnesses = command.judging.maxWitnesses == null ? 1 : command.judging.maxWitnesses;
    this.text =
        new TextRenderer(
            new TextRenderer.Options(color, witnesses, !command.common.quiet, command.expand),
            terminal.out());
    this.json = kind == Kind.JSON ? new JsonRenderer(Version.text(), terminal.out()) : null;
    this.junit = kind == Kind.JUNIT ? new JUnitRenderer() : null;
    if (command.judging.dot != null) {
      StringBuilder content = new StringBuilder();
      pictures.add(new Picture(command.judging.dot, content, new DotRenderer(content)));
    }
    if (command.judging.tikz != null) {
      StringBuilder content = new StringBuilder();
      pictures.add(new Picture(command.judging.tikz, content, new TikzRenderer(content)));
    }
  }

  private static Kind kind(String output) {
    return switch (output) {
      case "text" -> Kind.TEXT;
      case "json" -> Kind.JSON;
      case "junit" -> Kind.JUNIT;
      default -> throw Names.unknown("output", output, "text", "json", "junit");
    };
  }

  /** Complains about a kind of output that does not exist. */
  static void validate(String output) {
    kind(output);
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
    for (Picture picture : pictures) {
      picture.renderer.add(result);
    }
  }

  /** Writes what can only be written once all results are in. */
  void finish() throws IOException {
    if (junit != null) {
      junit.finish(terminal.out());
    }
    for (Picture picture : pictures) {
      picture.renderer.finish();
      byte[] bytes = picture.content.toString().getBytes(StandardCharsets.UTF_8);
      OutputFile.write(picture.file, terminal, out -> out.write(bytes));
    }
  }

  int exitCode() {
    return code;
  }

  @Override
  public void close() {
    terminal.out().flush();
  }
}
