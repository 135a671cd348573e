package dev.assay.web.page;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState;
import dev.assay.web.plot.Family;
import dev.assay.web.plot.Plot;
import dev.assay.web.plot.Usage;
import dev.assay.web.run.RunPlan;
import dev.assay.web.run.SampleFiles;
import java.util.ArrayList;
import java.util.List;
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
    add(plots, "check-time", "Checking time", "ms", BatchPlots::checkMillis, true);
    add(plots, "memory", "Peak heap of the check", "MB", BatchPlots::heap, true);
    add(plots, "throughput", "Throughput of the run", "txn/s", (r, c) -> throughput(r), false);
    add(plots, "anomalies", "Anomalies found", "kinds", (r, c) -> anomalies(r), false);
    return plots;
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
        points.add(new Family.Point(run.config(), byChecker ? checker : "", value));
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
