package dev.assay.web.page;

import dev.assay.collect.runs.RunResult.LevelVerdict;
import dev.assay.render.Plain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Levels by checkers, over one history or several; where two checkers disagree, it is marked. */
public final class LevelMatrix {
  /** For each history what each checker decided on each level. */
  private final List<Map<String, Map<String, LevelVerdict>>> histories = new ArrayList<>();

  private final Set<String> checkers = new LinkedHashSet<>();
  private final Set<String> levels = new LinkedHashSet<>();

  /**
   * Adds a history.
   *
   * @param verdicts by checker and level
   */
  public void add(Map<String, Map<String, LevelVerdict>> verdicts) {
    histories.add(verdicts);
    checkers.addAll(verdicts.keySet());
    verdicts.values().forEach(own -> levels.addAll(own.keySet()));
  }

  /** Whether there is anything to compare. */
  public boolean compares() {
    return checkers.size() > 1 && !levels.isEmpty();
  }

  void write(Html html) {
    long disputed = levels.stream().filter(level -> disputes(level) > 0).count();
    html.open("details", "class", "matrix", "open", disputed > 0 ? "" : null);
    String title =
        disputed == 0
            ? "Levels by checker: no two checkers disagree"
            : "Levels by checker: they disagree on " + Plain.count(disputed, "level");
    html.element("summary", title).open("div", "class", "scroll").open("table");
    List<String> heads = new ArrayList<>(List.of("Level"));
    heads.addAll(checkers);
    html.heads(heads).open("tbody");
    levels.forEach(level -> row(html, level));
    html.close(4);
  }

  private void row(Html html, String level) {
    long disputes = disputes(level);
    html.open("tr", "class", disputes > 0 ? "disputed" : null);
    String where =
        disputes > 0 && histories.size() > 1
            ? " (on " + disputes + " of " + histories.size() + " histories)"
            : "";
    html.element("th", (disputes > 0 ? "⚠ " : "") + level + where, "scope", "row");
    for (String checker : checkers) {
      cell(html, level, checker);
    }
    html.close();
  }

  /** One verdict, or how often there was each. */
  private void cell(Html html, String level, String checker) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    String why = null;
    for (Map<String, Map<String, LevelVerdict>> history : histories) {
      LevelVerdict verdict = history.getOrDefault(checker, Map.of()).get(level);
      counts.merge(verdict == null ? "not asked" : verdict.verdict(), 1, Integer::sum);
      why = verdict == null ? why : verdict.why();
    }
    List<String> words = new ArrayList<>();
    counts.forEach(
        (word, count) ->
            words.add(sign(word) + " " + word + (histories.size() > 1 ? " × " + count : "")));
    String kind = counts.size() == 1 ? "v-" + counts.keySet().iterator().next() : null;
    String title = histories.size() == 1 ? why : null;
    html.element("td", String.join(", ", words), "class", kind, "title", title);
  }

  private static String sign(String verdict) {
    return switch (verdict) {
      case "holds" -> "✓";
      case "violated" -> "✗";
      case "unknown" -> "?";
      default -> "·";
    };
  }

  /** On how many histories one checker says that a level holds, and another that it is violated. */
  private long disputes(String level) {
    long disputes = 0;
    for (Map<String, Map<String, LevelVerdict>> history : histories) {
      boolean holds = false;
      boolean violated = false;
      for (Map<String, LevelVerdict> own : history.values()) {
        LevelVerdict verdict = own.get(level);
        holds |= verdict != null && "holds".equals(verdict.verdict());
        violated |= verdict != null && "violated".equals(verdict.verdict());
      }
      disputes += holds && violated ? 1 : 0;
    }
    return disputes;
  }
}
