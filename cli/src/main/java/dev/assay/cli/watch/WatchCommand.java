package dev.assay.cli.watch;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Threads;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.config.ValueType;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.HistoryFormat;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** {@code assay watch}: is this history, which others are writing, still all right? */
public final class WatchCommand implements Command {
  private static final String NOTES =
      """
      The file need not exist yet. A line or block that is still being written is read
      when it is complete. A file that is rotated or truncated is followed.

      Examples:
        assay watch run.jsonl                      until Ctrl-C; judges serializable
        assay watch --until-violated run.jsonl     ends at the first violation, code 1
        assay watch --until-idle 30s store/latest  a Jepsen run, until it is quiet
        my-test | assay watch --expect si -        standard input, until it ends
        assay watch -o json run.assay | jq .       for programs, one event per line

      Exit codes are those of assay check.
      """;

  private final CommonOptions common = new CommonOptions();

  private final ParameterOptions judging =
      new ParameterOptions(
          Use.RUN,
          List.of(Parameters.LEVEL, Parameters.EXPECT, Parameters.FORBID, Parameters.THREADS));

  private String file;
  private String format = "auto";
  private String lateness = "5s";
  private boolean untilViolated;
  private String untilIdle;
  private String state;
  private String output = "text";

  @Override
  public void declare(Options options) {
    options.command(
        "watch",
        "Follows a history while it is written, and reports violations when they are found.",
        "[OPTION]... FILE",
        NOTES);
    common.declare(options);
    options.argument(
        0,
        "1",
        "FILE",
        "History file, or folder that holds it; - is standard input.",
        given -> file = given);
    options.add(judging);
    options.text(
        "--format",
        "F",
        "Format of the file (default: auto, by content).",
        given -> format = given);
    options.text(
        "--lateness",
        "T",
        "How late transactions may arrive, judged by their end times in nanoseconds "
            + "(default: 5s).",
        given -> lateness = given);
    options.flag(
        "--until-violated",
        "End when a judged level is violated, or an anomaly of --forbid is found.",
        given -> untilViolated = given);
    options.text(
        "--until-idle",
        "T",
        "End when nothing new has arrived for this long (default: never).",
        given -> untilIdle = given);
    options.text(
        "--state",
        "FOLDER",
        "Save in this folder what is known of the history, and continue from it when started"
            + " again.",
        given -> state = given);
    options.text(
        "-o --output",
        "KIND",
        "Output format: text or json (default: text).",
        given -> output = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    RunConfig config = judging.config();
    CheckRequest request = CheckRequest.of(config);
    Threads.limit(config.get(Parameters.THREADS));
    HistoryFormat known = Names.format(format);
    Duration idle = untilIdle == null ? null : ValueType.time().parse(untilIdle);
    Duration late = ValueType.time().parse(lateness);
    WatchState saved = state == null ? null : WatchState.of(Inputs.path(state), file);
    WatchOutput events = new WatchOutput(terminal, file, common, output);
    Watch watch = new Watch(file, known, request, late, lateness, events, saved);
    return watch.run(idle, untilViolated, terminal, common.quiet);
  }
}
