package dev.assay.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What is left to do after a long run: checking its recording at all levels, and the smallest part
 * that violates, once with a budget and once interrupted.
 */
final class LongRun {
  /** The budget of shrink, and when it is interrupted without one. */
  private static final int SECONDS_TO_SHRINK = 100;

  private static final int SECONDS_TO_INTERRUPT = 30;

  private final Path folder;
  private final String assay;
  private final String database;
  private final int seconds;
  private Run recording;

  LongRun(Path folder, String assay, String database, int seconds) {
    this.folder = folder;
    this.assay = assay;
    this.database = database;
    this.seconds = seconds;
  }

  void print() throws Exception {
    Files.createDirectories(folder);
    Path history = folder.resolve("long-" + database + ".assay");
    Path part = folder.resolve("long-" + database + "-part.jsonl");
    try {
      Main.header("step", "wall s", "CPU s", "of the run", "RSS MB", "exit", "what it said");
      recording =
          run(
              "record",
              assay,
              "record",
              database,
              "--duration",
              seconds + "s",
              "--out",
              "" + history,
              "--force");
      if (recording.exit() > 2) {
        throw new IllegalStateException(recording.output());
      }
      run("check", assay, "check", "" + history, "--level", "all");
      String budget = SECONDS_TO_SHRINK + "s";
      run("shrink", assay, "shrink", "--timeout", budget, "" + history, "--out", "" + part);
      Files.deleteIfExists(part);
      run(
          "shrink, Ctrl-C after " + SECONDS_TO_INTERRUPT + " s",
          "timeout",
          "-s",
          "INT",
          "" + SECONDS_TO_INTERRUPT,
          assay,
          "shrink",
          "" + history,
          "--out",
          "" + part);
    } finally {
      Files.deleteIfExists(history);
      Files.deleteIfExists(part);
    }
  }

  private Run run(String step, String... command) throws Exception {
    Run run = Run.of(List.of(command));
    Run whole = recording == null ? run : recording;
    Main.row(
        step,
        "%.1f".formatted(run.wallSeconds()),
        "%.1f".formatted(run.cpuSeconds()),
        "%.0f %%".formatted(100 * run.wallSeconds() / whole.wallSeconds()),
        "%.0f".formatted(run.peakMegabytes()),
        "" + run.exit(),
        said(run.output()));
    return run;
  }

  /** The lines that say how much there was, and what came of it. */
  private static String said(String output) {
    return output
        .lines()
        .map(String::strip)
        .filter(line -> line.toLowerCase(Locale.ROOT).contains("transactions"))
        .reduce((a, b) -> b)
        .orElse("");
  }
}
