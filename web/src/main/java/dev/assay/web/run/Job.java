package dev.assay.web.run;

import dev.assay.collect.runs.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A run while it is worked on: one child process after another. */
final class Job {
  private static final long LARGEST_VERDICT = 64L << 20;
  private static final long POLITE_SECONDS = 5;

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

  /** Works through all steps; the run then has its final state, unless somebody stopped it. */
  void work() throws IOException, InterruptedException {
    run.become(RunStatus.RUNNING, null);
    run.update(
        state -> {
          state.remove("summary");
          state.put("checkers", new LinkedHashMap<String, Object>());
        });
    Files.deleteIfExists(run.file(RunFolder.LOG));
    RunStatus status = RunStatus.HEALTHY;
    boolean first = true;
    for (RunPlan.Step step : RunPlan.steps(run, plugins)) {
      run.update(state -> state.put("step", step.name()));
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
      Map<String, Object> verdict = verdict(step);
      keep(step, code, verdict, first);
      if (first) {
        first = false;
        status = RunSummary.status(code);
        if (status == RunStatus.FAILED) {
          run.become(status, error(verdict, reason(step, code)));
          return;
        }
      }
    }
    run.become(status, null);
  }

  private void keep(RunPlan.Step step, int code, Map<String, Object> verdict, boolean first)
      throws IOException {
    run.update(
        state -> {
          Map<String, Object> checkers = new LinkedHashMap<>(Json.object(state.get("checkers")));
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("status", RunSummary.status(code).id());
          entry.put("levels", Json.object(verdict.get("levels")));
          entry.put("timing", Json.object(verdict.get("timing")));
          checkers.put(step.checker(), entry);
          state.put("checkers", checkers);
          if (first && code <= 2) {
            state.put("summary", RunSummary.of(verdict));
          }
        });
  }

  private Map<String, Object> verdict(RunPlan.Step step) throws IOException {
    Path file = run.file(step.output());
    if (!Files.exists(file) || Files.size(file) > LARGEST_VERDICT) {
      return Map.of();
    }
    try {
      return Json.readObject(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      // A process that was ended in the middle of its answer gave none.
      return Map.of();
    }
  }

  private static String error(Map<String, Object> verdict, String otherwise) {
    Map<String, Object> error = Json.object(verdict.get("error"));
    if (error.isEmpty()) {
      return otherwise;
    }
    Object line = error.get("line");
    return (line == null ? "" : "line " + line + ": ") + Json.text(error.get("message"));
  }

  private int execute(RunPlan.Step step) throws IOException, InterruptedException {
    synchronized (this) {
      if (stopped) {
        return -1;
      }
      String memory = RunPlan.memory(run.config());
      process = launcher.start(step, run.path(), run.file(RunFolder.LOG), memory, password);
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

  /** Asks first, so that a database server of the child is shut down by it; then insists. */
  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> below = process.descendants().toList();
    process.destroy();
    if (!process.waitFor(POLITE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    below.forEach(ProcessHandle::destroyForcibly);
  }
}
