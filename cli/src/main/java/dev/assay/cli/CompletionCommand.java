package dev.assay.cli;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** {@code assay completion}: a completion script for bash and zsh. */
@CommandLine.Command(
    name = "assay completion",
    header = "Prints a completion script for bash and zsh.",
    synopsisHeading = "Usage: ",
    customSynopsis = "assay completion",
    optionListHeading = "%n",
    sortOptions = false,
    footer = {"", "Example:", "  source <(assay completion)"})
final class CompletionCommand implements Command {
  @Mixin CommonOptions common = new CommonOptions();

  @CommandLine.Command(name = "assay")
  private static final class Root {}

  @Override
  public int run(Terminal terminal) {
    CommandLine root = new CommandLine(new Root());
    for (String name : Main.COMMANDS) {
      root.addSubcommand(name, Main.command(name).line());
    }
    terminal.out().print(AutoComplete.bash("assay", root));
    return ExitCode.OK;
  }
}
