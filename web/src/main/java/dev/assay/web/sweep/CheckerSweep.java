package dev.assay.web.sweep;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Sweep;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Runs a sweep: every combination, every level by itself, every checker, a few times each. */
public final class CheckerSweep {
  /**
   * What is measured.
   *
   * @param sweep the workloads
   * @param levels each is decided by itself
   * @param checkers the methods behind each name
   * @param repeats how often each is measured; the median counts
   * @param timeout how long one check may take
   */
  public record Plan(
      Sweep sweep,
      List<Level> levels,
      Map<String, UnaryOperator<CheckOptions>> checkers,
      int repeats,
      Duration timeout) {}

  /**
   * A measurement.
   *
   * @param config the workload
   * @param medianMillis of the repeats
   * @param bestMillis of the repeats
   * @param peakBytes the most heap in use during a check, garbage included
   * @param stageMillis how long each stage of the last check took, in order
   */
  public record Row(
      RunConfig config,
      Level level,
      String checker,
      int transactions,
      int operations,
      String verdict,
      double medianMillis,
      double bestMillis,
      long peakBytes,
      Map<String, Long> stageMillis) {
    /** The stages that took a millisecond or more: {@code resolve 2, decide 31}. */
    String stages() {
      return stageMillis.entrySet().stream()
          .filter(stage -> stage.getValue() > 0)
          .map(stage -> stage.getKey() + " " + stage.getValue())
          .collect(Collectors.joining(", "));
    }
  }

  private CheckerSweep() {}

  /**
   * Measures.
   *
   * @param rows takes every measurement as it is made
   */
  public static void run(Plan plan, Consumer<Row> rows)
      throws IOException, ClientException, ParseException {
    plan.sweep().runs().forEach(SweepHistory::requireVersions);
    boolean warm = false;
    for (RunConfig config : plan.sweep().runs()) {
      History history = SweepHistory.of(config);
      Given given = SweepHistory.given(history, config);
      for (Level level : plan.levels()) {
        for (Map.Entry<String, UnaryOperator<CheckOptions>> checker : plan.checkers().entrySet()) {
          if (!warm) {
            // The first measurement would count the loading and compiling of classes.
            measure(history, given, config, level, checker, plan);
            warm = true;
          }
          rows.accept(measure(history, given, config, level, checker, plan));
        }
      }
    }
  }

  private static Row measure(
      History history,
      Given given,
      RunConfig config,
      Level level,
      Map.Entry<String, UnaryOperator<CheckOptions>> checker,
      Plan plan) {
    double[] millis = new double[plan.repeats()];
    long peak = 0;
    String verdict = "";
    Map<String, Long> stages = Map.of();
    for (int i = 0; i < plan.repeats(); i++) {
      resetPeaks();
      long start = System.nanoTime();
      CheckOptions all =
          CheckOptions.of(Set.of(level)).given(given).within(Budget.of(plan.timeout()));
      Report report = Assay.check(history, checker.getValue().apply(all));
      millis[i] = (System.nanoTime() - start) / 1e6;
      peak = Math.max(peak, peaks());
      verdict = report.verdict(level).id();
      stages = report.stageMillis();
    }
    Arrays.sort(millis);
    return new Row(
        config,
        level,
        checker.getKey(),
        history.transactionCount(),
        history.operationCount(),
        verdict,
        millis[millis.length / 2],
        millis[0],
        peak,
        stages);
  }

  private static void resetPeaks() {
    System.gc();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      pool.resetPeakUsage();
    }
  }

  private static long peaks() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        bytes += pool.getPeakUsage().getUsed();
      }
    }
    return bytes;
  }
}
