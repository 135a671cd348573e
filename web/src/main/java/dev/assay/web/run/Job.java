package dev.assay.web.run;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState;
import dev.assay.collect.runs.RunStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A run while it is worked on: one child process after another. */
final class Job {
  private static final long LARGEST_VERDICT = 64L << 20;
  private static final long POLITE_SECONDS = 5;
  private static final int TIMES_TO_ASK = 2;

  private final RunFolder run;
  private final Launcher launcher;
  private final String plugins;
  private final String password;
  private Process process;
  private boolean stopped;

  Job(RunFolder run, Launcher launcher, String plugins, String password) {
    this.run = run;
    this.launcher = launcher;
    this.plugins = plugins;
    this.password = password;
  }

  /** Works through all steps; the run then has its final state, unless it was stopped. */
  void work() throws IOException, InterruptedException {
    run.become(RunStatus.RUNNING, null);
    run.update(RunState::withoutResults);
    Files.deleteIfExists(run.file(RunFolder.LOG));
    RunStatus status = RunStatus.HEALTHY;
    boolean first = true;
    for (RunPlan.Step step : RunPlan.steps(run, plugins)) {
      run.update(state -> state.withStep(step.name()));
      int code = execute(step);
      if (isStopped()) {
        return;
      }
      if (!step.isCheck()) {
        if (code != 0) {
          run.become(RunStatus.FAILED, reason(step, code));
          return;
        }
        continue;
      }
      RunResult result = result(step);
      RunStatus judged = RunStatus.ofExitCode(code);
      run.update(state -> state.with(step.checker(), judged, result));
      if (first) {
        first = false;
        status = judged;
        if (status == RunStatus.FAILED) {
          boolean unread = result.error() != null;
          run.become(status, unread ? result.error().describe() : reason(step, code));
          return;
        }
        run.update(state -> state.withSummary(result));
      }
    }
    run.become(status, null);
  }

  private RunResult result(RunPlan.Step step) throws IOException {
    Path file = run.file(step.output());
    if (!Files.exists(file) || Files.size(file) > LARGEST_VERDICT) {
      return RunResult.NONE;
    }
    try {
      return Json.read(Files.readString(file, StandardCharsets.UTF_8), RunResult.class);
    } catch (IOException e) {
      // A process that was ended in the middle of its answer gave none.
      return RunResult.NONE;
    }
  }

  private int execute(RunPlan.Step step) throws IOException, InterruptedException {
    synchronized (this) {
      if (stopped) {
        return -1;
      }
      String memory = run.config().get(Parameters.MEMORY);
      String label = run.config().given(Parameters.LABEL);
      process =
          launcher.start(
              step,
              run.path(),
              run.file(RunFolder.LOG),
              memory,
              password,
              label.isEmpty() ? null : label);
    }
    if (!process.waitFor(step.limit().toMillis(), TimeUnit.MILLISECONDS)) {
      end(process);
      Files.writeString(
          run.file(RunFolder.LOG),
          "assay: " + step.name() + " was ended after " + step.limit().toSeconds() + " s\n",
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND);
    }
    return process.waitFor();
  }

  /** The last thing that a process said is mostly why it ended. */
  private String reason(RunPlan.Step step, int code) throws IOException {
    Path log = run.file(RunFolder.LOG);
    String last = "";
    if (Files.exists(log) && Files.size(log) < LARGEST_VERDICT) {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      for (String line : lines) {
        last = line.isBlank() ? last : line;
      }
    }
    last = last.startsWith("assay: ") ? last.substring("assay: ".length()) : last;
    return last.isEmpty() ? step.name() + " ended with code " + code : last;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /** Ends the work and whatever it started; returns when it is gone. */
  void stop() {
    Process current;
    synchronized (this) {
      stopped = true;
      current = process;
    }
    if (current != null) {
      try {
        end(current);
      } catch (InterruptedException e) {
        current.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Asks first, so that a run ends as by Ctrl-C, and then once more, so that a database server of
   * the child is shut down by it in any case; then insists.
   */
  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> below = process.descendants().toList();
    boolean ended = false;
    for (int asked = 0; asked < TIMES_TO_ASK && !ended; asked++) {
      process.destroy();
      ended = process.waitFor(POLITE_SECONDS, TimeUnit.SECONDS);
    }
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    below.forEach(ProcessHandle::destroyForcibly);
  }
}
