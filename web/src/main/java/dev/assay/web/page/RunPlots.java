package dev.assay.web.page;

import dev.assay.collect.runs.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.web.plot.Plot;
import dev.assay.web.plot.StageBars;
import dev.assay.web.plot.Usage;
import dev.assay.web.run.SampleFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plots of one run. */
public final class RunPlots {
  private RunPlots() {}

  /** What there is to show so far. */
  public static List<Plot> of(RunFolder run) {
    List<Plot> plots = new ArrayList<>();
    List<Usage.Sample> samples = SampleFiles.read(run);
    if (samples.size() > 1) {
      plots.add(new Usage("Processor, memory and throughput over the run", samples));
    }
    Map<String, Map<String, Long>> bars = new LinkedHashMap<>();
    Json.object(run.state().get("checkers"))
        .forEach((checker, entry) -> addBar(bars, checker, Json.object(entry).get("timing")));
    if (bars.isEmpty()) {
      Object timing = Json.object(run.state().get("summary")).get("timing");
      addBar(bars, "assay", timing);
    }
    if (!bars.isEmpty()) {
      plots.add(new StageBars("stages", "Checking time by stage", bars));
    }
    return plots;
  }

  private static void addBar(
      Map<String, Map<String, Long>> bars, String checker, Object timingObject) {
    Map<String, Object> timing = Json.object(timingObject);
    if (timing.isEmpty()) {
      return;
    }
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put("read", Json.number(timing.get("parseMillis")));
    stages.put("infer", Json.number(timing.get("inferMillis")));
    Json.object(timing.get("stages"))
        .forEach((stage, millis) -> stages.put(stage, Json.number(millis)));
    bars.put(checker, stages);
  }
}
