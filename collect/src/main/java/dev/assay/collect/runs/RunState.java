package dev.assay.collect.runs;

import dev.assay.collect.record.RunCounts;
import dev.assay.collect.runs.RunResult.LevelVerdict;
import dev.assay.collect.runs.RunResult.Timing;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of a run so far. Components are the fields of {@code state.json}; those that say
 * nothing yet are null.
 *
 * @param machine what the run was made on and with, see {@link Machine}
 * @param process the id of the process that works on the run, if that is not the web interface
 * @param message why the run failed, or another remark
 * @param step what a running run does
 * @param run what happened to the clients
 * @param summary what was found, by the first checker if there are several
 * @param checkers what each checker of a run of the web interface found, see {@link #byChecker}
 */
public record RunState(
    RunStatus status,
    Instant created,
    String machine,
    Long process,
    Instant started,
    Instant ended,
    String message,
    String step,
    RunCounts run,
    RunResult summary,
    Map<String, CheckerResult> checkers) {
  /** What one checker found. */
  public record CheckerResult(RunStatus status, Map<String, LevelVerdict> levels, Timing timing) {
    public CheckerResult {
      status = status == null ? RunStatus.FAILED : status;
      levels = levels == null ? Map.of() : levels;
    }
  }

  public RunState {
    status = status == null ? RunStatus.FAILED : status;
  }

  static RunState begin() {
    return new RunState(
        RunStatus.PENDING, Instant.now(), null, null, null, null, null, null, null, null, null);
  }

  static RunState unreadable(String message) {
    return new RunState(
        RunStatus.FAILED, null, null, null, null, null, message, null, null, null, null);
  }

  /** What was found; nothing before the run is over. */
  public RunResult found() {
    return summary == null ? RunResult.NONE : summary;
  }

  /** What each checker found, for runs of the web interface. */
  public Map<String, CheckerResult> byChecker() {
    return checkers == null ? Map.of() : checkers;
  }

  /** The state with another status and its time. */
  RunState become(RunStatus next, String why) {
    Instant begin =
        switch (next) {
          case PENDING -> null;
          case RUNNING -> Instant.now();
          default -> started;
        };
    Instant end = next.isOver() ? Instant.now() : null;
    String on = next == RunStatus.RUNNING ? Machine.described() : machine;
    return new RunState(next, created, on, process, begin, end, why, step, run, summary, checkers);
  }

  /** The state of a run that this process works on. */
  public RunState ofThisProcess() {
    long pid = ProcessHandle.current().pid();
    return new RunState(
        status, created, machine, pid, started, ended, message, step, run, summary, checkers);
  }

  /** The state without results, before the first step. */
  public RunState withoutResults() {
    return new RunState(
        status, created, machine, process, started, ended, message, null, null, null, null);
  }

  public RunState withStep(String name) {
    return new RunState(
        status, created, machine, process, started, ended, message, name, run, summary, checkers);
  }

  public RunState withRun(RunCounts counts) {
    return new RunState(
        status, created, machine, process, started, ended, message, step, counts, summary,
        checkers);
  }

  public RunState withSummary(RunResult result) {
    return new RunState(
        status,
        created,
        machine,
        process,
        started,
        ended,
        message,
        step,
        run,
        result.summary(),
        checkers);
  }

  /** The state with what one more checker found. */
  public RunState with(String checker, RunStatus judged, RunResult result) {
    Map<String, CheckerResult> more = new LinkedHashMap<>(byChecker());
    more.put(checker, new CheckerResult(judged, result.levels(), result.timing()));
    return new RunState(
        status, created, machine, process, started, ended, message, step, run, summary, more);
  }
}
