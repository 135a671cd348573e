package dev.assay.render.html;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.explain.Explanation;
import dev.assay.explain.Explanation.Step;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.render.Plain;
import java.util.List;
import java.util.stream.Collectors;

/** The numbered sentences, each with what it rests on in a list of its own. */
final class Proof {
  private final History history;
  private final Wording wording;

  Proof(History history) {
    this.history = history;
    this.wording = new Wording(history);
  }

  Markup list(Argument argument, Explanation explanation, Evidence evidence) {
    Markup html = new Markup();
    html.open("ol", "class", "proof").line();
    for (Argument.Shown shown : argument.steps()) {
      item(html, shown);
    }
    if (argument.omitted() > 0) {
      omitted(html, argument.omitted());
    }
    if (!explanation.shownBy().isEmpty()) {
      html.open(
          "li",
          "class",
          "step seen",
          "data-step",
          Graph.SEEN,
          "data-ops",
          operations(evidence.shownBy()),
          "tabindex",
          "0");
      html.open("div", "class", "line").leaf("span", "✓", "class", "number", "aria-hidden", "true");
      html.open("span", "class", "says").leaf("b", "seen in: ");
      html.text(Wording.oneLine(explanation.shownBy())).close("span");
      html.leaf("button", "show", "type", "button", "class", "toggle", "aria-expanded", "true");
      html.close("div").close("li").line();
    }
    return html.close("ol");
  }

  private void item(Markup html, Argument.Shown shown) {
    Step step = shown.step();
    Edge edge = step.edge();
    html.open(
        "li",
        "class",
        step.supposed() ? "step supposed" : "step",
        "data-step",
        step.number(),
        "data-ops",
        operations(step.operations()),
        "tabindex",
        "0");
    html.open("div", "class", "line").leaf("span", step.number(), "class", "number");
    html.open("span", "class", "says");
    if (edge != null) {
      String sign = step.supposed() ? "✗ " : "";
      html.leaf("code", sign + arrow(edge), "class", "arrow k-" + edge.kind().id()).text(" ");
    }
    html.text(step.referring()).close("span");
    if (!shown.because().isEmpty()) {
      html.leaf(
          "button",
          "why",
          "type",
          "button",
          "class",
          "toggle",
          "aria-expanded",
          "true",
          "aria-label",
          "why step " + step.number());
    }
    html.close("div");
    if (!shown.because().isEmpty()) {
      html.open("ol", "class", "because").line();
      for (Argument.Shown reason : shown.because()) {
        item(html, reason);
      }
      if (shown.omitted() > 0) {
        omitted(html, shown.omitted());
      }
      html.close("ol");
    } else if (shown.omitted() > 0) {
      html.open("ol", "class", "because");
      omitted(html, shown.omitted());
      html.close("ol");
    }
    html.close("li").line();
  }

  private static void omitted(Markup html, int steps) {
    String more = Plain.count(steps, "further step");
    html.open("li", "class", "omitted").text("… " + more + ", too many for a page: ");
    html.leaf("code", "assay check --expand").text(" prints all").close("li").line();
  }

  private static String operations(List<Integer> operations) {
    return operations.isEmpty()
        ? null
        : operations.stream().map(op -> "o" + op).collect(Collectors.joining(" "));
  }

  /** {@code T71 → T74 rw(x)}. */
  String arrow(Edge edge) {
    return node(edge.from()) + " → " + node(edge.to()) + " " + Graph.label(history, edge);
  }

  private String node(int txn) {
    return txn == Edge.INITIAL ? "initial" : wording.name(txn);
  }
}
