package dev.assay.render.html;

import dev.assay.check.Verdict;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The lattice of levels with their verdicts: a picture, strong levels on top, and a table. */
final class LatticeSvg {
  private static final double COLUMN = 172;
  private static final double ROW = 66;
  private static final double WIDTH = 158;
  private static final double HEIGHT = 38;
  private static final double MARGIN = 8;

  /** One row a line, from strong to weak; the places were chosen so that few arrows cross. */
  private static final Level[][] PLACES = {
    {null, Level.STRICT_SERIALIZABLE, null, null, null, null},
    {null, Level.STRONG_SNAPSHOT_ISOLATION, Level.STRONG_SESSION_SERIALIZABLE, null, null, null},
    {
      Level.STRONG_REPEATABLE_READ,
      Level.STRONG_CONSISTENT_VIEW,
      Level.SERIALIZABLE,
      Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
      null,
      null
    },
    {
      Level.STRONG_ADYA_READ_COMMITTED,
      Level.STRONG_SESSION_REPEATABLE_READ,
      Level.PARALLEL_SNAPSHOT_ISOLATION,
      Level.SNAPSHOT_ISOLATION,
      Level.PREFIX,
      null
    },
    {null, Level.REPEATABLE_READ, Level.UPDATE_ATOMIC, null, Level.CAUSAL, null},
    {
      Level.STRONG_READ_UNCOMMITTED,
      null,
      Level.READ_ATOMIC,
      Level.CONSISTENT_VIEW,
      Level.WRITES_FOLLOW_READS,
      Level.CAUSAL_NON_TRANSACTIONAL
    },
    {null, Level.CURSOR_STABILITY, Level.READ_COMMITTED, Level.CUT_ISOLATION, null, Level.PRAM},
    {
      Level.STRONG_SESSION_ADYA_READ_COMMITTED,
      null,
      Level.MONOTONIC_ATOMIC_VIEW,
      Level.READ_YOUR_WRITES,
      Level.MONOTONIC_READS,
      Level.MONOTONIC_WRITES
    },
    {Level.STRONG_SESSION_READ_UNCOMMITTED, Level.ADYA_READ_COMMITTED, null, null, null, null},
    {Level.READ_UNCOMMITTED, null, null, null, null, null},
  };

  private final Map<Level, Verdict> verdicts;
  private final List<Level> judged;
  private final Map<Level, Box> boxes = new EnumMap<>(Level.class);

  LatticeSvg(Map<Level, Verdict> verdicts, List<Level> judged) {
    this.verdicts = verdicts;
    this.judged = judged;
    for (int row = 0; row < PLACES.length; row++) {
      for (int column = 0; column < PLACES[row].length; column++) {
        if (PLACES[row][column] != null) {
          boxes.put(
              PLACES[row][column],
              new Box(MARGIN + column * COLUMN, MARGIN + row * ROW, WIDTH, HEIGHT));
        }
      }
    }
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
    table(html);
  }

  private String state(Level level) {
    Verdict verdict = verdicts.get(level);
    return verdict == null ? "unasked" : verdict.id();
  }

  private void draw(Markup html) {
    Box extent = new Box(0, 0, 0, 0);
    for (Box box : boxes.values()) {
      extent = extent.and(box);
    }
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
    boxes.forEach((level, box) -> arrows(html, level, box));
    boxes.forEach((level, box) -> box(html, level, box));
    html.close("svg").line();
  }

  private void arrows(Markup html, Level level, Box box) {
    for (Level below : level.directlyImplies()) {
      Box to = boxes.get(below);
      if (to != null) {
        double half = Math.min(30, (to.y() - box.bottom()) / 2);
        String path =
            "M"
                + Router.n(box.middleX())
                + " "
                + Router.n(box.bottom())
                + "C"
                + Router.n(box.middleX())
                + " "
                + Router.n(box.bottom() + half)
                + " "
                + Router.n(to.middleX())
                + " "
                + Router.n(to.y() - half)
                + " "
                + Router.n(to.middleX())
                + " "
                + Router.n(to.y());
        html.empty(
            "path", "class", "arrow", "data-from", level.id(), "data-to", below.id(), "d", path);
      }
    }
    html.line();
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
    html.empty("rect", "width", Router.n(WIDTH), "height", Router.n(HEIGHT), "rx", "6");
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
    html.open("details", "class", "table").leaf("summary", "The same as a table");
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
