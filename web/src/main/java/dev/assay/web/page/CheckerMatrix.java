package dev.assay.web.page;

import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState.CheckerResult;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Several checkers of one history side by side, with what each decided. */
final class CheckerMatrix {
  private final Map<String, CheckerResult> checkers;

  CheckerMatrix(Map<String, CheckerResult> checkers) {
    this.checkers = checkers;
  }

  void write(Html html) {
    html.open("section").element("h2", "Checkers side by side");
    html.open("div", "class", "scroll").open("table");
    html.heads(List.of("Checker", "Verdict", "Reading*", "Check*", "Explaining*", "Peak heap*"));
    html.open("tbody");
    checkers.forEach((name, result) -> row(html, name, result));
    html.close(3);
    LevelMatrix levels = new LevelMatrix();
    levels.add(verdicts(checkers));
    levels.write(html);
    html.close();
  }

  /** The verdicts of each checker on each level. */
  static Map<String, Map<String, RunResult.LevelVerdict>> verdicts(
      Map<String, CheckerResult> checkers) {
    Map<String, Map<String, RunResult.LevelVerdict>> verdicts = new LinkedHashMap<>();
    checkers.forEach((name, result) -> verdicts.put(name, result.levels()));
    return verdicts;
  }

  private static void row(Html html, String name, CheckerResult result) {
    html.open("tr").open("td").element("code", name).close().open("td");
    RunStatus status = result.status();
    html.element("span", status.title(), "class", "pill " + status.id()).close();
    RunResult.Timing timing = result.timing();
    RunsPage.number(html, timing == null ? "" : Plain.duration(timing.readMillis()), "reading");
    RunsPage.number(html, timing == null ? "" : Plain.duration(timing.decideMillis()), "check");
    RunsPage.number(
        html, timing == null ? "" : Plain.duration(timing.explainMillis()), "explaining");
    boolean measured = timing != null && timing.peakHeapBytes() != null;
    RunsPage.number(html, measured ? Plain.bytes(timing.peakHeapBytes()) : "", "heap");
    html.close();
  }
}
