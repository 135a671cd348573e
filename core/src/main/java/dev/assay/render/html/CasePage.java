package dev.assay.render.html;

import dev.assay.check.Anomaly;
import dev.assay.check.Evidence;
import dev.assay.explain.Cause;
import dev.assay.explain.Example;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.explain.Wording;
import dev.assay.history.Calls;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LevelText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One witness: what it is, its graph, its proof, its timeline. */
final class CasePage {
  /**
   * How much of a witness is shown.
   *
   * @param steps the most steps of its argument
   * @param neighbours how many transactions of a session around one of the witness, on demand
   * @param export the longest text to offer as an export; longer ones are left to the command line
   */
  record Detail(int steps, int neighbours, int export) {
    static final Detail FULL = new Detail(160, 2, 40_000);
    static final Detail SHORT = new Detail(30, 1, 6_000);
  }

  /**
   * Maximum number of transactions of a witness to list and draw. One with more is offered in no
   * other form here either: the texts would be longer than a page takes.
   */
  static final int MAX_TRANSACTIONS = 160;

  private final String version;
  private final CheckResult result;
  private final Explainer explainer;
  private final History history;
  private final String id;
  private final Cause cause;

  CasePage(String version, CheckResult result, Explainer explainer, String id, Cause cause) {
    this.cause = cause;
    this.version = version;
    this.result = result;
    this.explainer = explainer;
    this.history = result.history();
    this.id = id;
  }

  Markup write(Anomaly anomaly, Evidence evidence, Detail detail) throws IOException {
    Explanation explained = explainer.explain(anomaly, evidence);
    Argument argument = new Argument(explained.steps(), detail.steps());
    Markup html = new Markup();
    html.open(
        "section",
        "class",
        "case",
        "id",
        id,
        "data-name",
        anomaly.type().id(),
        "data-names",
        String.join(" ", cause.names().stream().map(AnomalyType::id).toList()),
        "aria-labelledby",
        id + "-title");
    html.line();
    html.open("h3", "id", id + "-title").leaf("b", anomaly.type().id()).text(" ");
    html.text(explained.headline()).close("h3").line();
    about(html, anomaly, evidence);
    html.open("div", "class", "argument").line();
    graph(html, Graph.of(history, evidence, explained, argument));
    html.open("div", "class", "words").line();
    html.open("div", "class", "row").leaf("h4", "The argument, step by step");
    html.open("span", "class", "stepper", "data-script", "");
    stepper(html, "back", "◀", "Previous step", ",");
    html.leaf("span", "", "class", "at", "aria-live", "polite");
    stepper(html, "forth", "▶", "Next step", ".");
    html.close("span").close("div").line();
    html.add(new Proof(history).list(argument, explained, evidence)).line();
    exports(html, anomaly, evidence, explained, detail.export());
    html.close("div").close("div").line();
    timeline(html, evidence, explained, detail.neighbours());
    return html.close("section").line();
  }

  private void about(Markup html, Anomaly anomaly, Evidence evidence) {
    AnomalyType type = anomaly.type();
    html.open("details", "class", "about");
    html.leaf("summary", definition(type)).open("dl");
    Level refuted = evidence.refutes();
    Set<Level> violates = refuted == null ? anomaly.violates() : refuted.andStronger();
    html.leaf("dt", "violates").leaf("dd", LevelText.violated(violates));
    List<String> names = LevelText.otherNames(type, evidence);
    if (!names.isEmpty()) {
      html.leaf("dt", "also called").leaf("dd", String.join(", ", names));
    }
    html.leaf("dt", "source").leaf("dd", source(type));
    html.leaf("dt", "places").leaf("dd", places(evidence));
    html.leaf("dt", "more").open("dd").leaf("code", "assay explain " + type.id()).close("dd");
    html.close("dl").close("details").line();
  }

  static String definition(AnomalyType type) {
    String text = type.definition();
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }

  static String source(AnomalyType type) {
    return String.join(" ", Example.of(type.id()).source().lines().toList());
  }

  private String places(Evidence evidence) {
    Set<String> places = new LinkedHashSet<>();
    List<Integer> transactions = List.copyOf(explainer.transactions(evidence));
    int shown = Math.min(transactions.size(), MAX_TRANSACTIONS);
    for (int txn : transactions.subList(0, shown)) {
      places.add(Wording.oneLine(history.place(txn)));
      Calls.of(history).ofAll(txn).forEach(call -> places.add(Wording.oneLine(call)));
    }
    if (shown < transactions.size()) {
      places.add("and those of " + (transactions.size() - shown) + " more");
    }
    return String.join(", ", places);
  }

  // ---- the graph

  private void graph(Markup html, Graph graph) {
    GraphSvg svg = new GraphSvg(history, graph);
    html.open("figure", "class", "picture").line();
    html.open("div", "class", "tools", "data-script", "", "role", "toolbar", "aria-label", "graph");
    if (svg.hasInferred()) {
      tool(html, "expand", "Expand all", "e");
      tool(html, "collapse", "Collapse", "c");
    }
    tool(html, "undo", "Undo", "u");
    tool(html, "redo", "Redo", "r");
    tool(html, "mark", "Mark", "m");
    tool(html, "hide", "Hide", "h");
    tool(html, "show", "Show all", "s");
    html.leaf("span", "", "class", "gap");
    tool(html, "closer", "Zoom in", "+");
    tool(html, "farther", "Zoom out", "-");
    tool(html, "fit", "Fit", "0");
    html.close("div").line();
    html.open("div", "class", "scroll");
    html.add(svg.draw("graph of the argument; the numbered sentences say the same"));
    html.close("div").line();
    html.open("figcaption", "class", "legend");
    for (EdgeKind kind : svg.kinds()) {
      legend(html, "k-" + kind.id(), kind.id(), meaning(kind));
    }
    if (svg.hasSupposed()) {
      legend(html, "supposed", "✗", "supposed and refuted");
    }
    html.close("figcaption").close("figure").line();
  }

  private static void tool(Markup html, String action, String text, String key) {
    html.leaf(
        "button", text, "type", "button", "data-action", action, "title", text + " (" + key + ")");
  }

  private static void stepper(Markup html, String action, String sign, String title, String key) {
    html.leaf(
        "button",
        sign,
        "type",
        "button",
        "data-action",
        action,
        "title",
        title + " (" + key + ")",
        "aria-label",
        title);
  }

  private static void legend(Markup html, String type, String name, String meaning) {
    html.open("span", "class", "entry");
    html.open("svg", "width", "34", "height", "10", "aria-hidden", "true");
    html.open("g", "class", "link " + type);
    html.empty("path", "class", "line", "d", "M1 5H33");
    html.close("g").close("svg");
    html.leaf("b", name).text(" " + meaning).close("span");
  }

  private static String meaning(EdgeKind kind) {
    return switch (kind) {
      case SO -> "order in a session";
      case RT -> "real time";
      case TIMESTAMP -> "the database's timestamps";
      case WR -> "was read by";
      case WW -> "was overwritten by";
      case RW -> "read what the other overwrote";
      case CM -> "must commit before";
    };
  }

  // ---- the timeline

  private void timeline(Markup html, Evidence evidence, Explanation explained, int neighbours) {
    List<Integer> witness = new ArrayList<>(explained.transactions());
    for (int op : evidence.shownBy()) {
      if (!witness.contains(history.transactionOf(op))) {
        witness.add(history.transactionOf(op));
      }
    }
    if (witness.isEmpty()) {
      return;
    }
    Timeline alone = new Timeline(history, witness, 0);
    Timeline wider = new Timeline(history, witness, neighbours);
    html.open("figure", "class", "times").line();
    html.open("div", "class", "row").leaf("h4", "Timeline");
    boolean more = wider.size() > alone.size();
    if (more) {
      html.leaf(
          "button",
          "Show neighbours",
          "type",
          "button",
          "data-script",
          "",
          "data-action",
          "neighbours",
          "aria-pressed",
          "false",
          "title",
          "Transactions before and after, in the same sessions (b)");
    }
    html.close("div");
    html.open(
        "div",
        "class",
        "scroll alone",
        "tabindex",
        "0",
        "role",
        "region",
        "aria-label",
        "timeline");
    html.add(alone.draw("the witness in time, a lane for each session")).close("div").line();
    if (more) {
      html.open(
          "div",
          "class",
          "scroll wider",
          "hidden",
          "",
          "tabindex",
          "0",
          "role",
          "region",
          "aria-label",
          "timeline with neighbours");
      html.add(wider.draw("the witness and its neighbours in time")).close("div").line();
    }
    html.leaf("figcaption", alone.caption()).close("figure").line();
  }

  // ---- exports

  private void exports(
      Markup html, Anomaly anomaly, Evidence evidence, Explanation explained, int longest)
      throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    if (explained.transactions().size() <= MAX_TRANSACTIONS) {
      texts.putAll(Exports.of(version, result, anomaly, evidence, explained));
    }
    texts.values().removeIf(text -> text.length() > longest);
    List<String> kinds = new ArrayList<>(texts.keySet());
    kinds.add("svg");
    kinds.add("png");
    html.open("div", "class", "exports", "data-script", "");
    html.leaf("span", "Export", "class", "lead");
    for (String kind : kinds) {
      String name = name(kind);
      String load = "download " + name;
      html.open("span", "class", "split");
      html.leaf("button", name, "type", "button", "data-export", kind, "title", "copy " + name);
      html.leaf(
          "button",
          "⤓",
          "type",
          "button",
          "data-download",
          kind,
          "title",
          load,
          "aria-label",
          load);
      html.close("span");
    }
    html.close("div").line();
    texts.forEach(
        (kind, text) ->
            html.leaf("pre", text, "hidden", "", "class", "export", "data-kind", kind).line());
  }

  private static String name(String kind) {
    return switch (kind) {
      case "markdown" -> "Markdown";
      case "dot" -> "DOT";
      case "tikz" -> "TikZ";
      default -> kind.toUpperCase(Locale.ROOT);
    };
  }
}
