package dev.assay.web.page;

import dev.assay.collect.runs.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.web.plot.Curves;
import dev.assay.web.plot.Plot;
import dev.assay.web.plot.Usage;
import dev.assay.web.run.RunPlan;
import dev.assay.web.run.SampleFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;

/**
 * The plots of a batch: measurements over the parameter that varies, one curve for each checker and
 * for each combination of what else varies.
 */
public final class BatchPlots {
  private static final double MEGABYTE = 1 << 20;

  private final List<RunFolder> runs;
  private final String parameter;
  private final List<String> others;
  private final List<String> values;

  /**
   * @param runs the runs of the batch, in the order they were asked for
   */
  public BatchPlots(List<RunFolder> runs) {
    this.runs = runs;
    List<String> varied = new ArrayList<>();
    for (Object name : Json.list(runs.get(0).config().get("varied"))) {
      varied.add(Json.text(name));
    }
    this.parameter = principal(varied);
    this.others = varied.stream().filter(name -> !name.equals(parameter)).toList();
    Set<String> found = new LinkedHashSet<>();
    runs.forEach(run -> found.add(Json.text(run.config().get(parameter))));
    this.values = new ArrayList<>(found);
  }

  /** A parameter with numbers makes curves; a name makes a family of them. */
  private String principal(List<String> varied) {
    for (String name : varied) {
      boolean numbers =
          runs.stream().allMatch(run -> Json.text(run.config().get(name)).matches("[0-9.]+"));
      if (numbers) {
        return name;
      }
    }
    return varied.isEmpty() ? "" : varied.get(0);
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
    Map<String, double[]> series = new LinkedHashMap<>();
    boolean any = false;
    for (RunFolder run : runs) {
      List<String> checkers = RunPlan.checkers(run.config());
      for (String checker : byChecker ? checkers : checkers.subList(0, 1)) {
        double[] numbers =
            series.computeIfAbsent(
                label(run, byChecker ? checker : ""),
                key -> {
                  double[] empty = new double[values.size()];
                  Arrays.fill(empty, Double.NaN);
                  return empty;
                });
        double number = run.status().isOver() ? measure.applyAsDouble(run, checker) : Double.NaN;
        numbers[values.indexOf(Json.text(run.config().get(parameter)))] = number;
        any |= !Double.isNaN(number);
      }
    }
    if (any) {
      List<Curves.Series> curves = new ArrayList<>();
      series.forEach((label, numbers) -> curves.add(new Curves.Series(label, numbers)));
      String over = title + " over " + parameter.replace('-', ' ');
      plots.add(new Curves(name, over, parameter, values, unit, curves));
    }
  }

  private String label(RunFolder run, String checker) {
    List<String> parts = new ArrayList<>();
    if (!checker.isEmpty()) {
      parts.add(checker);
    }
    for (String other : others) {
      parts.add(other + " " + Json.text(run.config().get(other)));
    }
    return parts.isEmpty() ? "all runs" : String.join(", ", parts);
  }

  private static Map<String, Object> timing(RunFolder run, String checker) {
    Map<String, Object> checkers = Json.object(run.state().get("checkers"));
    return Json.object(Json.object(checkers.get(checker)).get("timing"));
  }

  private static double checkMillis(RunFolder run, String checker) {
    Map<String, Object> timing = timing(run, checker);
    return timing.isEmpty()
        ? Double.NaN
        : Json.number(timing.get("inferMillis")) + Json.number(timing.get("checkMillis"));
  }

  private static double heap(RunFolder run, String checker) {
    Map<String, Object> timing = timing(run, checker);
    return timing.get("peakHeapBytes") == null
        ? Double.NaN
        : Json.number(timing.get("peakHeapBytes")) / MEGABYTE;
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
    Object summary = run.state().get("summary");
    return summary == null ? Double.NaN : Json.list(Json.object(summary).get("anomalies")).size();
  }
}
