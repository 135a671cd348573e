package dev.assay.render.html;

import dev.assay.check.Verdict;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The lattice of levels with their verdicts: a picture, strong levels on top, and a table. */
final class LatticeSvg {
  private static final double MARGIN = 8;
  private static final LatticeLayout LAYOUT = new LatticeLayout(Level.surveyed());

  private final Map<Level, Verdict> verdicts;
  private final List<Level> judged;
  private final Map<Level, Box> boxes = LAYOUT.boxes(MARGIN);

  LatticeSvg(Map<Level, Verdict> verdicts, List<Level> judged) {
    this.verdicts = verdicts;
    this.judged = judged;
  }

  void write(Markup html) {
    html.open("p", "class", "legend");
    for (String state : List.of("holds", "violated", "unknown", "unasked")) {
      long count =
          state.equals("unasked")
              ? boxes.keySet().stream().filter(level -> !verdicts.containsKey(level)).count()
              : verdicts.values().stream().filter(v -> v.id().equals(state)).count();
      if (count > 0) {
        html.open("span", "class", "entry v-" + state);
        html.leaf("b", HtmlRenderer.sign(state), "aria-hidden", "true");
        String name = state.equals("unasked") ? "not asked" : state;
        html.text(" " + name + " (" + count + ")").close("span");
      }
    }
    html.close("p").line();
    html.open(
        "div",
        "class",
        "scroll",
        "tabindex",
        "0",
        "role",
        "region",
        "aria-label",
        "picture of the levels");
    draw(html);
    html.close("div").line();
    ranks(html);
    table(html);
  }

  /** The same without arrows, for narrow screens: a row of levels for each row of the picture. */
  private void ranks(Markup html) {
    html.open("ol", "class", "ranks", "aria-hidden", "true").line();
    Map<Double, List<Level>> rows = new TreeMap<>();
    boxes.forEach((level, box) -> rows.computeIfAbsent(box.y(), y -> new ArrayList<>()).add(level));
    for (List<Level> row : rows.values()) {
      row.sort(Comparator.comparingDouble(level -> boxes.get(level).x()));
      html.open("li");
      for (Level level : row) {
        String state = state(level);
        String judgedToo = judged.contains(level) ? " judged" : "";
        html.open("span", "class", "rank v-" + state + judgedToo);
        html.leaf("b", HtmlRenderer.sign(state)).text(" " + level.id()).close("span");
      }
      html.close("li").line();
    }
    html.close("ol").line();
  }

  private String state(Level level) {
    Verdict verdict = verdicts.get(level);
    return verdict == null ? "unasked" : verdict.id();
  }

  private void draw(Markup html) {
    Box extent = LAYOUT.extent(MARGIN);
    String width = Router.n(extent.width() + MARGIN);
    String height = Router.n(extent.height() + MARGIN);
    html.open(
        "svg",
        "class",
        "lattice",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "width",
        width,
        "height",
        height,
        "viewBox",
        "0 0 " + width + " " + height,
        "role",
        "img",
        "aria-label",
        "levels from strong to weak; the table below says the same");
    html.line();
    boxes.keySet().forEach(level -> arrows(html, level));
    boxes.forEach((level, box) -> box(html, level, box));
    html.close("svg").line();
  }

  private void arrows(Markup html, Level level) {
    LAYOUT
        .arrows(level, MARGIN)
        .forEach(
            (below, passed) ->
                html.empty(
                    "path",
                    "class",
                    "arrow",
                    "data-from",
                    level.id(),
                    "data-to",
                    below.id(),
                    "d",
                    path(passed)));
    html.line();
  }

  /** From the foot of the first box to the head of the last, straight down through the others. */
  private static String path(List<Box> passed) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i + 1 < passed.size(); i++) {
      Box from = passed.get(i);
      Box to = passed.get(i + 1);
      String bend = Router.n((from.bottom() + to.y()) / 2);
      path.append(i == 0 ? "M" : "L").append(point(from.middleX(), from.bottom()));
      path.append("C").append(Router.n(from.middleX())).append(" ").append(bend);
      path.append(" ").append(Router.n(to.middleX())).append(" ").append(bend);
      path.append(" ").append(point(to.middleX(), to.y()));
    }
    return path.toString();
  }

  private static String point(double x, double y) {
    return Router.n(x) + " " + Router.n(y);
  }

  private void box(Markup html, Level level, Box box) {
    String state = state(level);
    html.open(
        "g",
        "class",
        "level v-" + state + (judged.contains(level) ? " judged" : ""),
        "data-level",
        level.id(),
        "transform",
        "translate(" + Router.n(box.x()) + " " + Router.n(box.y()) + ")");
    html.leaf("title", level.id() + ": " + state + why(level));
    html.empty("rect", "width", Router.n(box.width()), "height", Router.n(box.height()), "rx", "6");
    html.leaf("text", HtmlRenderer.sign(state), "class", "sign", "x", "8", "y", "24");
    List<String> lines = lines(level.id());
    double y = lines.size() == 1 ? 23 : 16;
    for (String line : lines) {
      html.leaf("text", line, "x", "24", "y", Router.n(y));
      y += 14;
    }
    html.close("g").line();
  }

  private String why(Level level) {
    Verdict verdict = verdicts.get(level);
    return verdict == null ? "" : ", " + verdict.why();
  }

  /** A name on at most two lines. */
  static List<String> lines(String name) {
    int most = 18;
    if (name.length() <= most) {
      return List.of(name);
    }
    int cut = name.lastIndexOf('-', most - 1) + 1;
    for (int i = name.indexOf('-') + 1; i > 0 && i <= most; i = name.indexOf('-', i) + 1) {
      if (name.length() - i <= most) {
        cut = i;
        break;
      }
    }
    return List.of(name.substring(0, cut), name.substring(cut));
  }

  private void table(Markup html) {
    html.open("details", "class", "table").leaf("summary", "All levels as a table");
    html.open("table").open("thead").open("tr");
    for (String column : List.of("level", "verdict", "why")) {
      html.leaf("th", column, "scope", "col");
    }
    html.close("tr").close("thead").open("tbody").line();
    List<Level> levels = new ArrayList<>(verdicts.keySet());
    for (Level level : levels) {
      String state = state(level);
      html.open("tr").leaf("th", level.id(), "scope", "row", "title", level.definition());
      html.leaf("td", HtmlRenderer.sign(state) + " " + state, "class", "v-" + state);
      html.leaf("td", verdicts.get(level).why()).close("tr").line();
    }
    html.close("tbody").close("table").close("details").line();
  }

  /** The place of a level, or null. */
  Box place(Level level) {
    return boxes.get(level);
  }
}
