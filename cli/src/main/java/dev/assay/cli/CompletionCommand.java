package dev.assay.cli;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code assay completion}: a completion script for bash and zsh. */
final class CompletionCommand implements Command {
  private static final String NOTES =
      """
      Example:
        source <(assay completion)
      """;

  private final CommonOptions common = new CommonOptions();

  @Override
  public void declare(Options options) {
    options.command("completion", "Prints a completion script for bash and zsh.", "", NOTES);
    common.declare(options);
  }

  @Override
  public int run(Terminal terminal) {
    CommandLine root = new CommandLine(CommandSpec.create().name("assay"));
    for (String name : Main.COMMANDS) {
      root.addSubcommand(name, Main.command(name).line());
    }
    terminal.out().print(AutoComplete.bash("assay", root));
    return ExitCode.OK;
  }
}
