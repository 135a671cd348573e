package dev.assay.cli;

import dev.assay.cli.check.CheckCommand;
import dev.assay.cli.option.Command;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Failures;
import dev.assay.cli.process.Samples;
import dev.assay.cli.process.StandardOutput;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Version;
import dev.assay.cli.run.RecordCommand;
import dev.assay.cli.run.RunCommand;
import dev.assay.cli.watch.WatchCommand;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.UsageException;
import dev.assay.format.ParseException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The way in: finds the command, runs it and turns whatever happens into an exit code. Only the
 * command that was asked for is loaded, which keeps the start short.
 */
public final class Main {
  static final List<String> COMMANDS =
      List.of(
          "run",
          "record",
          "check",
          "watch",
          "shrink",
          "stats",
          "convert",
          "generate",
          "explain",
          "serve",
          "bench",
          "elle",
          "completion");

  private static final String VERSION = "--version";

  private static final String HELP =
      """
      Assay checks which isolation levels a database really provides.

      Usage: assay COMMAND [OPTION]... [ARGUMENT]...

        run [DATABASE]     run a workload on a database, record it, check it
        record [DATABASE]  run a workload and record it, without checking
        check FILE...      check recorded histories, or all histories in a folder
        watch FILE         follow a history while it is written, report violations
        shrink FILE        reduce a history to a minimal part that violates a level
        stats FILE...      show what a history contains
        convert IN OUT     convert a history to another format
        generate           generate a synthetic history
        explain [ID]       explain a level or an anomaly, with an example
        serve              start the web interface, on this machine only
        bench              measure checkers over sweeps of workload parameters
        elle FILE...       check with the options and output of elle-cli
        completion         print a completion script for bash and zsh

      assay COMMAND --help shows the options of a command, --version the version.

      Exit codes: 0 every judged level holds, 1 a judged level is violated,
      2 none is violated but some are unknown, 254 bad arguments or an unreadable
      history, 255 a defect in Assay.
      ASSAY_JAVA_OPTS sets Java VM options, such as -Xmx16g.
      """;

  private Main() {}

  public static void main(String[] args) {
    StandardOutput standard = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    // UTF-8 whatever the locale says: reports hold names in any script.
    PrintStream out =
        new PrintStream(new BufferedOutputStream(standard, 1 << 14), false, StandardCharsets.UTF_8);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    int code = run(args, new FileInputStream(FileDescriptor.in), out, err);
    out.flush();
    if (standard.failure() != null) {
      err.println("assay: cannot write to standard output: " + standard.failure());
      code = ExitCode.worse(code, ExitCode.BAD_INPUT);
    }
    System.exit(code);
  }

  /** Runs a command line and returns its exit code. */
  public static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
    Terminal terminal = Terminal.ofProcess(in, out, err);
    boolean verbose = List.of(args).contains("--verbose") || List.of(args).contains("-v");
    try {
      Samples.begin();
      int code = dispatch(args, terminal);
      Samples.end();
      out.flush();
      return code;
    } catch (IOException | ParseException | RuntimeException | Error e) {
      // Ctrl-C takes files and servers away from work in progress; that is not worth a message.
      return Failures.isEnding() ? ExitCode.BAD_INPUT : Failures.report(terminal, e, null, verbose);
    }
  }

  private static int dispatch(String[] args, Terminal terminal) throws IOException, ParseException {
    String name = args.length == 0 ? "" : args[0];
    switch (name) {
      case "" -> {
        terminal.err().print(HELP);
        return ExitCode.BAD_INPUT;
      }
      case "-h", "--help", "help" -> {
        if (name.equals("help") && args.length > 1) {
          return dispatch(new String[] {args[1], "--help"}, terminal);
        }
        terminal.out().print(HELP);
        return ExitCode.OK;
      }
      case "-V", VERSION, "version" -> {
        terminal.out().println("assay " + Version.text());
        return ExitCode.OK;
      }
      default -> {
        return execute(name, Arrays.copyOfRange(args, 1, args.length), terminal);
      }
    }
  }

  static Command command(String name) {
    return switch (name) {
      case "run" -> new RunCommand();
      case "record" -> new RecordCommand();
      case "check" -> new CheckCommand();
      case "watch" -> new WatchCommand();
      case "shrink" -> new ShrinkCommand();
      case "stats" -> new StatsCommand();
      case "convert" -> new ConvertCommand();
      case "generate" -> new GenerateCommand();
      case "explain" -> new ExplainCommand();
      case "serve" -> new ServeCommand();
      case "bench" -> new BenchCommand();
      case "elle" -> new ElleCommand();
      case "completion" -> new CompletionCommand();
      default -> throw Names.unknown("command", name, COMMANDS, "assay --help lists the commands");
    };
  }

  private static int execute(String name, String[] args, Terminal terminal)
      throws IOException, ParseException {
    Command command = command(name);
    if (args.length > 0 && args[0].equals(VERSION)) {
      return dispatch(new String[] {VERSION}, terminal);
    }
    CommandLine line = command.line();
    // A history may be in a file whose name begins with @.
    line.setExpandAtFiles(false);
    line.setUsageHelpLongOptionsMaxWidth(26);
    try {
      line.parseArgs(args);
    } catch (ParameterException e) {
      String message =
          e.getMessage().replaceFirst("is not an? (int|long)$", "is not a whole number");
      throw new UsageException(lowerCaseFirst(message) + suggestion(e, line, name));
    }
    if (line.isUsageHelpRequested()) {
      line.usage(terminal.out(), Ansi.OFF);
      return ExitCode.OK;
    }
    return command.run(terminal);
  }

  private static String suggestion(ParameterException e, CommandLine line, String name) {
    if (e instanceof UnmatchedArgumentException unmatched
        && unmatched.getUnmatched().get(0).startsWith("-")) {
      String option = unmatched.getUnmatched().get(0).split("=")[0];
      List<String> known = new ArrayList<>(line.getCommandSpec().optionsMap().keySet());
      String close = Names.closest(option, known);
      if (close != null) {
        return "; did you mean " + close + "?";
      }
    }
    return "; see assay " + name + " --help";
  }

  private static String lowerCaseFirst(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
