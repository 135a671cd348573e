package dev.assay.render.html;

import dev.assay.check.Edge;
import dev.assay.explain.Cause;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.explain.Story;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.render.CheckResult;
import java.util.ArrayList;
import java.util.List;

/** What happened in plain words, before any theory. */
final class StoryPart {
  private static final int MAX_STEPS = 6;

  private final History history;
  private final Wording wording;

  StoryPart(CheckResult result, Explainer explainer) {
    this.history = result.history();
    this.wording = explainer.wording();
  }

  void write(Markup html, Cause cause) {
    Story story = cause.story();
    html.open("div", "class", "story").line();
    html.open("p", "class", "headline").leaf("b", sentence(story.name())).text(": ");
    html.text(Wording.oneLine(story.what()) + ".").close("p").line();
    rows(html, story);
    steps(html, story.steps());
    html.open("p", "class", "conclusion").leaf("span", story.conclusion());
    if (!story.likeness().isEmpty()) {
      html.text(" ").leaf("em", story.likeness());
    }
    html.close("p").close("div").line();
  }

  private static String sentence(String name) {
    return name.isEmpty() ? name : Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private void rows(Markup html, Story story) {
    if (story.transactions().isEmpty()) {
      return;
    }
    html.open("table", "class", "told").open("tbody").line();
    for (int txn : story.transactions()) {
      html.open("tr")
          .leaf("th", wording.name(txn) + wording.onNode(txn), "scope", "row")
          .open("td");
      String separator = "";
      for (int op : story.operations()) {
        if (history.transactionOf(op) == txn) {
          html.text(separator).leaf("code", Wording.oneLine(wording.did(op)));
          separator = ", then ";
        }
      }
      html.close("td").close("tr").line();
    }
    html.close("tbody").close("table").line();
  }

  private void steps(Markup html, List<Explanation.Step> steps) {
    if (steps.isEmpty()) {
      return;
    }
    int shown = steps.size() <= MAX_STEPS ? steps.size() : MAX_STEPS - 1;
    List<String> sentences = new ArrayList<>();
    steps.subList(0, shown).forEach(step -> sentences.add(sentence(step)));
    if (shown < steps.size()) {
      sentences.add("and " + (steps.size() - shown) + " more steps, below");
    }
    html.open("ul", "class", "told").line();
    sentences.forEach(text -> html.leaf("li", Wording.oneLine(text)).line());
    html.close("ul").line();
  }

  /** Which of two comes first, unless the sentence says it. */
  private String sentence(Explanation.Step step) {
    Edge edge = step.edge();
    boolean plain =
        switch (edge.kind()) {
          case WR, RW -> edge.from() != Edge.INITIAL;
          case WW -> edge.because().isEmpty() && edge.toOp() >= 0 && edge.from() != Edge.INITIAL;
          default -> false;
        };
    return plain
        ? wording.name(edge.from()) + " before " + wording.name(edge.to()) + ": " + step.sentence()
        : step.sentence();
  }
}
