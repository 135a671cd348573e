package dev.assay.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process run to its end and what it cost.
 *
 * @param wallSeconds from start to end
 * @param cpuSeconds user and system time of the process and its children
 * @param peakMegabytes the most memory any of its processes held at once
 * @param exit its exit code
 * @param output what it printed
 */
record Run(double wallSeconds, double cpuSeconds, double peakMegabytes, int exit, String output) {
  /** Bash measures user and system time of everything it waited for. */
  private static final String TIMED =
      "TIMEFORMAT='%R %U %S'; time \"$@\" > \"$ASSAY_BENCH_OUT\" 2> \"$ASSAY_BENCH_OUT.err\"";

  static Run of(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("assay-bench", ".out");
    out.toFile().deleteOnExit();
    Path.of(out + ".err").toFile().deleteOnExit();
    List<String> timed = new ArrayList<>(List.of("bash", "-c", TIMED, "bench"));
    timed.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(timed);
    builder.environment().put("ASSAY_BENCH_OUT", out.toString());
    builder.redirectErrorStream(true);
    Process process = builder.start();
    long peak = 0;
    while (process.isAlive()) {
      peak = Math.max(peak, peakKilobytes(process));
      Thread.sleep(20);
    }
    String times = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] fields = times.strip().split("\\s+");
    String output = Files.readString(out) + Files.readString(Path.of(out + ".err"));
    Files.delete(out);
    Files.delete(Path.of(out + ".err"));
    return new Run(
        Double.parseDouble(fields[0]),
        Double.parseDouble(fields[1]) + Double.parseDouble(fields[2]),
        peak / 1024.0,
        process.exitValue(),
        output);
  }

  /** The best of several runs by wall time, which on a noisy machine is the least disturbed. */
  static Run best(int times, List<String> command) throws IOException, InterruptedException {
    return inTurns(times, List.of(command)).get(0);
  }

  /** The best run of each command, where one runs after the other and they begin again. */
  static List<Run> inTurns(int times, List<List<String>> commands)
      throws IOException, InterruptedException {
    Run[] best = new Run[commands.size()];
    for (int i = 0; i < times; i++) {
      for (int j = 0; j < best.length; j++) {
        Run run = of(commands.get(j));
        if (best[j] == null || run.wallSeconds < best[j].wallSeconds) {
          best[j] = run;
        }
      }
    }
    return List.of(best);
  }

  private static long peakKilobytes(Process process) {
    return process
        .descendants()
        .mapToLong(descendant -> highWaterMark(descendant.pid()))
        .max()
        .orElse(0);
  }

  private static long highWaterMark(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    } catch (IOException e) {
      // The process has just ended; what was seen of it before is kept.
      return 0;
    }
    return 0;
  }
}
