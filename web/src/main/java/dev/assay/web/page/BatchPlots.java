package dev.assay.web.page;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.plot.Plot;
import dev.assay.web.plot.Family;
import dev.assay.web.plot.StageBars;
import dev.assay.web.plot.Usage;
import dev.assay.web.run.RunPlan;
import dev.assay.web.run.SampleFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** The plots of a batch: measurements over what varies, a curve for each checker. */
public final class BatchPlots {
  private static final double MEGABYTE = 1 << 20;

  private final List<RunFolder> runs;
  private final Family family;

  /**
   * @param runs the runs of the batch, in the order they were asked for
   */
  public BatchPlots(List<RunFolder> runs) {
    this.runs = runs;
    this.family = new Family(varied(runs), runs.stream().map(RunFolder::config).toList());
  }

  /** The parameters that vary within a batch. */
  static List<Parameter<?>> varied(List<RunFolder> runs) {
    List<Parameter<?>> varied = new ArrayList<>();
    RunConfig first = runs.get(0).config();
    if (first.has(Parameters.VARIED)) {
      first.get(Parameters.VARIED).forEach(id -> Parameters.find(id).ifPresent(varied::add));
    }
    return varied;
  }

  public List<Plot> plots() {
    List<Plot> plots = new ArrayList<>();
    add(plots, "check-time", "Check time", "ms", BatchPlots::checkMillis, true);
    add(plots, "memory", "Peak heap of the check", "MB", BatchPlots::heap, true);
    add(plots, "throughput", "Throughput of the run", "txn/s", (r, c) -> throughput(r), false);
    add(plots, "anomalies", "Anomalies found", "kinds", (r, c) -> anomalies(r), false);
    Map<String, Map<String, Long>> bars = meanStages();
    if (!bars.isEmpty()) {
      plots.add(new StageBars("stages", "Mean time of each stage", bars));
    }
    return plots;
  }

  /** The mean time of each stage over all runs that are done, for each checker. */
  private Map<String, Map<String, Long>> meanStages() {
    Map<String, Map<String, Long>> sums = new LinkedHashMap<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (RunFolder run : runs) {
      RunPlots.bars(run)
          .forEach(
              (checker, stages) -> {
                counts.merge(checker, 1L, Long::sum);
                Map<String, Long> sum = sums.computeIfAbsent(checker, key -> new LinkedHashMap<>());
                stages.forEach((stage, millis) -> sum.merge(stage, millis, Long::sum));
              });
    }
    sums.forEach((checker, sum) -> sum.replaceAll((stage, millis) -> millis / counts.get(checker)));
    return sums;
  }

  /** Why the numbers of a run are to be taken with care, or null. */
  private static String doubt(RunFolder run, String checker) {
    RunState.CheckerResult result = run.state().byChecker().get(checker);
    if (new Shown(run).isCutShort()) {
      return "cut short: fewer transactions than asked for";
    }
    boolean unknown = result != null && result.status() == RunStatus.UNKNOWN;
    return unknown ? "not decided: the verdict is unknown" : null;
  }

  private void add(
      List<Plot> plots,
      String name,
      String title,
      String unit,
      ToDoubleBiFunction<RunFolder, String> measure,
      boolean byChecker) {
    List<Family.Point> points = new ArrayList<>();
    for (RunFolder run : runs) {
      List<String> checkers = RunPlan.checkers(run.config());
      for (String checker : byChecker ? checkers : checkers.subList(0, 1)) {
        double value = run.status().isOver() ? measure.applyAsDouble(run, checker) : Double.NaN;
        String subject = byChecker ? checker : "";
        points.add(new Family.Point(run.config(), subject, value, doubt(run, checker)));
      }
    }
    family.curves(name, title, unit, points).ifPresent(plots::add);
  }

  /** How long a checker took and what it used, or null. */
  private static RunResult.Timing timing(RunFolder run, String checker) {
    RunState.CheckerResult result = run.state().byChecker().get(checker);
    return result == null ? null : result.timing();
  }

  private static double checkMillis(RunFolder run, String checker) {
    RunResult.Timing timing = timing(run, checker);
    return timing == null ? Double.NaN : timing.decideMillis();
  }

  private static double heap(RunFolder run, String checker) {
    RunResult.Timing timing = timing(run, checker);
    return timing == null || timing.peakHeapBytes() == null
        ? Double.NaN
        : timing.peakHeapBytes() / MEGABYTE;
  }

  /** Transactions committed a second while clients were at work; NaN where none was recorded. */
  static double throughput(RunFolder run) {
    Usage.Sample first = null;
    Usage.Sample last = null;
    for (Usage.Sample sample : SampleFiles.read(run)) {
      if (sample.stage().equals("record")) {
        first = first == null ? sample : first;
        last = sample;
      }
    }
    boolean measured = last != null && last.committed() > 0 && last.millis() > first.millis();
    return measured
        ? 1000.0 * (last.committed() - first.committed()) / (last.millis() - first.millis())
        : Double.NaN;
  }

  private static double anomalies(RunFolder run) {
    RunResult summary = run.state().summary();
    return summary == null ? Double.NaN : summary.anomalies().size();
  }
}
