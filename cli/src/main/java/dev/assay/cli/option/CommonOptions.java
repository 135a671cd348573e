package dev.assay.cli.option;

import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;
import picocli.CommandLine.Option;

/** Options that every command has. */
public final class CommonOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress and no notes.")
  public boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print each step, and a stack trace after a defect.")
  public boolean verbose;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description = "Use colours: auto, always or never (default: auto).")
  String color;

  public boolean useColor(Terminal terminal) {
    return switch (color) {
      case "always" -> true;
      case "never" -> false;
      case "auto" -> terminal.outIsTerminal() && System.getenv("NO_COLOR") == null;
      default -> throw Names.unknown("color", color, "auto", "always", "never");
    };
  }
}
