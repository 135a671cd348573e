package dev.assay.cli.run;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.runs.RunStatus;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.util.List;

/** {@code assay record}: a workload on a database, recorded and not judged. */
public final class RecordCommand implements Command {
  private static final String NOTES =
      """
      Lists of values, such as --sessions 5,10,20, record one history per combination.

      Examples:
        assay record --out h2.assay
        assay record postgres --isolation read-committed --duration 1m
        assay record postgres --workload predicates --white-box --out pg.assay
        assay record jdbc:postgresql://db/test --user app --password-env DB_PASSWORD
      """;

  private final CommonOptions common = new CommonOptions();
  private final RunOptions options = new RunOptions();

  @Override
  public void declare(Options all) {
    all.command(
        "record",
        "Runs a workload on a database and records what every client saw.",
        "[OPTION]... [DATABASE [URL]...]",
        NOTES);
    common.declare(all);
    options.declare(all);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    ParameterOptions none = new ParameterOptions(Use.RUN, List.of());
    RunConfig asked =
        options.configured(none, remark -> terminal.err().println("assay: " + remark));
    LiveRuns runs = new LiveRuns(options, asked, null, terminal, common);
    runs.each(
        (run, unjudged) -> {
          if (run.place().folder() != null) {
            run.place().folder().become(RunStatus.UNKNOWN, "recorded and not checked");
          }
          terminal
              .out()
              .println(
                  "wrote "
                      + run.file()
                      + ": "
                      + run.database()
                      + " at "
                      + run.isolation().name()
                      + ", "
                      + RunProgress.outcomes(run.tally()::count));
          RunProgress.mishaps(run.counts()).forEach(line -> terminal.out().println("  " + line));
          if (run.unread() != null) {
            terminal.out().println("note: " + run.unread());
          }
          if (run.certificate() != null) {
            terminal.out().println("wrote " + run.certificate().describe());
          }
        });
    return ExitCode.OK;
  }
}
