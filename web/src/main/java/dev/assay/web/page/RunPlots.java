package dev.assay.web.page;

import dev.assay.collect.runs.LiveState;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.render.plot.Plot;
import dev.assay.web.plot.StageBars;
import dev.assay.web.plot.Usage;
import dev.assay.web.run.SampleFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The plots of one run. */
public final class RunPlots {
  private static final String END = "after the run";

  private RunPlots() {}

  /** What there is to show so far. */
  public static List<Plot> of(RunFolder run) {
    List<Plot> plots = new ArrayList<>();
    List<Usage.Sample> samples = SampleFiles.read(run);
    if (samples.size() > 1) {
      plots.add(new Usage("Processor, memory and clients over the run", samples, marks(run)));
    }
    Map<String, Map<String, Long>> bars = bars(run);
    if (!bars.isEmpty()) {
      plots.add(new StageBars("stages", "Time of each stage", bars));
    }
    return plots;
  }

  /** The time of each stage, for each checker. */
  static Map<String, Map<String, Long>> bars(RunFolder run) {
    Map<String, Map<String, Long>> bars = new LinkedHashMap<>();
    run.state().byChecker().forEach((checker, result) -> addBar(bars, checker, result.timing()));
    if (bars.isEmpty()) {
      addBar(bars, "assay", run.state().found().timing());
    }
    return bars;
  }

  /** The moments of violations. */
  private static List<Usage.Mark> marks(RunFolder run) {
    List<Usage.Mark> marks = new ArrayList<>();
    LiveState live = run.live();
    if (live != null) {
      for (LiveState.Moment moment : live.violations()) {
        if (moment.millis() != null) {
          marks.add(new Usage.Mark(moment.millis(), described(moment)));
        }
      }
    }
    return marks;
  }

  /** What was violated, and when. */
  static String described(LiveState.Moment moment) {
    List<String> anomalies = moment.anomalies().stream().map(Shown::named).toList();
    List<String> what = moment.levels().isEmpty() ? anomalies : moment.levels();
    String when = moment.seconds() == null ? "" : " after " + moment.seconds() + " s";
    String by =
        moment.levels().isEmpty() || moment.anomalies().isEmpty()
            ? ""
            : ": " + String.join(", ", anomalies);
    return String.join(", ", what) + (moment.levels().isEmpty() ? "" : " violated") + when + by;
  }

  private static void addBar(
      Map<String, Map<String, Long>> bars, String checker, RunResult.Timing timing) {
    if (timing == null) {
      return;
    }
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put("read", timing.parseMillis());
    stages.put("infer", timing.inferMillis());
    if (timing.stages() != null) {
      // What was left to check when the run had ended.
      timing.stages().forEach((id, millis) -> stages.put(id.equals("finish") ? END : id, millis));
    }
    stages.values().removeIf(Objects::isNull);
    bars.put(checker, stages);
  }
}
