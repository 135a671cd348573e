package dev.assay.web.page;

import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState.CheckerResult;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Several checkers of one history side by side; where they disagree, that is marked. */
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
    Set<String> levels = new LinkedHashSet<>();
    checkers.values().forEach(result -> levels.addAll(result.levels().keySet()));
    long disputed = levels.stream().filter(this::isDisputed).count();
    html.open("details", "class", "matrix", "open", disputed > 0 ? "" : null);
    String title =
        disputed == 0
            ? "Levels by checker: no two checkers disagree"
            : "Levels by checker: they disagree on " + Plain.count(disputed, "level");
    html.element("summary", title).open("div", "class", "scroll").open("table");
    List<String> heads = new ArrayList<>(List.of("Level"));
    heads.addAll(checkers.keySet());
    html.heads(heads).open("tbody");
    levels.forEach(level -> level(html, level));
    html.close(5);
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

  private void level(Html html, String level) {
    boolean disputed = isDisputed(level);
    html.open("tr", "class", disputed ? "disputed" : null);
    html.element("th", (disputed ? "⚠ " : "") + level, "scope", "row");
    for (CheckerResult result : checkers.values()) {
      RunResult.LevelVerdict verdict = result.levels().get(level);
      String word = verdict == null ? "not asked" : verdict.verdict();
      String why = verdict == null ? null : verdict.why();
      html.element("td", sign(word) + " " + word, "class", "v-" + word, "title", why);
    }
    html.close();
  }

  private static String sign(String verdict) {
    return switch (verdict) {
      case "holds" -> "✓";
      case "violated" -> "✗";
      case "unknown" -> "?";
      default -> "·";
    };
  }

  /** Whether one checker says that a level holds, and another that it is violated. */
  private boolean isDisputed(String level) {
    boolean holds = false;
    boolean violated = false;
    for (CheckerResult result : checkers.values()) {
      RunResult.LevelVerdict verdict = result.levels().get(level);
      holds |= verdict != null && "holds".equals(verdict.verdict());
      violated |= verdict != null && "violated".equals(verdict.verdict());
    }
    return holds && violated;
  }
}
