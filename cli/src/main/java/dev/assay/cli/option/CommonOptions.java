package dev.assay.cli.option;

import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;

/** Options that every command has. */
public final class CommonOptions {
  public boolean quiet;
  public boolean verbose;
  private String color = "auto";

  public void declare(Options options) {
    options.help();
    options.flag("-q --quiet", "Print no progress and no notes.", given -> quiet = given);
    options.flag(
        "-v --verbose",
        "Print each step, and a stack trace after a defect.",
        given -> verbose = given);
    options.text(
        "--color",
        "WHEN",
        "Use colours: auto, always or never (default: auto).",
        given -> color = given);
  }

  public boolean useColor(Terminal terminal) {
    return switch (color) {
      case "always" -> true;
      case "never" -> false;
      case "auto" -> terminal.outIsTerminal() && System.getenv("NO_COLOR") == null;
      default -> throw Names.unknown("color", color, "auto", "always", "never");
    };
  }
}
