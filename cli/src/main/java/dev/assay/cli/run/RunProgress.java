package dev.assay.cli.run;

import dev.assay.cli.process.StatusLine;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.ValueType;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.RunCounts;
import dev.assay.collect.record.RunSpec;
import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Shows the progress of a run: a line at its start, then a bar or a line now and then. */
final class RunProgress {
  private static final int BAR_WIDTH = 20;

  private final LiveRun run;
  private final Duration duration;
  private final Supplier<String> verdict;

  private RunProgress(LiveRun run, Duration duration, Supplier<String> verdict) {
    this.run = run;
    this.duration = duration;
    this.verdict = verdict;
  }

  /**
   * Watches a run.
   *
   * @param verdict the verdict so far, empty if there is none
   */
  static StatusLine of(
      LiveRun run, RunSpec spec, String database, Supplier<String> verdict, Terminal terminal) {
    terminal
        .err()
        .println(
            "assay: " + begun(spec, database) + " (Ctrl-C ends it early and checks what there is)");
    RunProgress progress = new RunProgress(run, spec.duration(), verdict);
    Supplier<String> bar = isTimed(spec) ? progress::bar : progress::text;
    boolean endless = spec.duration().equals(ValueType.WITHOUT_END);
    return new StatusLine(terminal, bar, progress::text, endless);
  }

  /** What is run where. */
  static String begun(RunSpec spec, String database) {
    return "running on "
        + database
        + " at "
        + spec.isolation().name()
        + ": "
        + Plain.count(spec.sessions(), "session")
        + ", "
        + end(spec);
  }

  /** What ends the run. */
  private static String end(RunSpec spec) {
    if (isTimed(spec)) {
      return Plain.duration(spec.duration().toMillis());
    }
    return spec.transactions() == Integer.MAX_VALUE
        ? "forever"
        : Plain.count(spec.transactions(), "transaction") + " each";
  }

  /** Whether the duration ends the run, as far as is known before. */
  private static boolean isTimed(RunSpec spec) {
    return !spec.duration().equals(ValueType.WITHOUT_END)
        && spec.duration().compareTo(LiveRuns.LONGEST_COUNTED) < 0;
  }

  private String bar() {
    double share = (double) run.elapsed().toMillis() / duration.toMillis();
    return StatusLine.bar(BAR_WIDTH, share) + " " + text();
  }

  private String text() {
    String doing =
        switch (run.phase()) {
          case WORK -> outcomes(run.tally()::count);
          case FINAL_READS -> "reading the final value of every key";
          case LOG -> "reading the database's log";
        };
    String soFar = verdict.get();
    return Plain.duration(run.elapsed().toMillis())
        + ": "
        + doing
        + (soFar.isEmpty() ? "" : "; " + soFar);
  }

  /** What became of the transactions, from the number that ended in each way. */
  static String outcomes(ToLongFunction<Outcome> count) {
    long unknown = count.applyAsLong(Outcome.INDETERMINATE);
    return Plain.number(count.applyAsLong(Outcome.COMMITTED))
        + " committed, "
        + Plain.number(count.applyAsLong(Outcome.ABORTED))
        + " aborted"
        + (unknown == 0 ? "" : ", " + Plain.number(unknown) + " of unknown outcome");
  }

  /** What went wrong for the clients of a run, a line for each kind. */
  static List<String> mishaps(RunCounts run) {
    List<String> lines = new ArrayList<>();
    if (run.missing() != null) {
      lines.add(run.missing());
    }
    List<String> counts = new ArrayList<>();
    if (run.refused() > 0) {
      counts.add(Plain.number(run.refused()) + " refused by the database");
    }
    if (run.retries() > 0) {
      counts.add(Plain.number(run.retries()) + " retried");
    }
    String errors = run.errors().isEmpty() ? "" : "errors: " + run.describeErrors();
    if (!counts.isEmpty()) {
      lines.add(String.join(", ", counts) + (errors.isEmpty() ? "" : "; " + errors));
    } else if (!errors.isEmpty()) {
      lines.add(errors);
    }
    return lines;
  }
}
