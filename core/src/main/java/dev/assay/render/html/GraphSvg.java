package dev.assay.render.html;

import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Draws a {@link Graph}. */
final class GraphSvg {
  private static final double MARGIN = 14;

  private final History history;
  private final Wording wording;
  private final Graph graph;
  private final Map<Integer, Box> places = new HashMap<>();
  private final Map<Integer, Box> narrow = new HashMap<>();
  private final Map<Graph.Link, Router.Route> routes = new HashMap<>();

  GraphSvg(History history, Graph graph) {
    this.history = history;
    this.wording = new Wording(history);
    this.graph = graph;
    layOut();
  }

  private void layOut() {
    double widest = 0;
    for (Graph.Link link : graph.links()) {
      widest = Math.max(widest, labelWidth(link));
    }
    GraphLayout layout = new GraphLayout(graph.nodes(), widest);
    List<Box> wideBoxes = layout.wide();
    List<Box> narrowBoxes = layout.narrow();
    for (int i = 0; i < wideBoxes.size(); i++) {
      places.put(graph.nodes().get(i).txn(), wideBoxes.get(i));
      narrow.put(graph.nodes().get(i).txn(), narrowBoxes.get(i));
    }
    // First the cycle as it is shown at first, then the rest around it.
    Router outer = new Router(boxes(true));
    Router all = new Router(boxes(false));
    for (Graph.Link link : graph.links()) {
      Box from = places.get(link.edge().from());
      Box to = places.get(link.edge().to());
      boolean paired = graph.links().stream().anyMatch(other -> isPair(link, other));
      Router router = link.outer() ? outer : all;
      routes.put(link, router.route(from, to, labelWidth(link), paired));
    }
  }

  private List<Box> boxes(boolean outerOnly) {
    List<Box> boxes = new ArrayList<>();
    for (Graph.Node node : graph.nodes()) {
      if (node.outer() || !outerOnly) {
        boxes.add(places.get(node.txn()));
      }
    }
    return boxes;
  }

  private static boolean isPair(Graph.Link one, Graph.Link other) {
    return one != other
        && one.outer() == other.outer()
        && (joins(other, one.edge().from(), one.edge().to())
            || joins(other, one.edge().to(), one.edge().from()));
  }

  private static boolean joins(Graph.Link link, int from, int to) {
    return link.edge().from() == from && link.edge().to() == to;
  }

  Markup draw(String title) {
    Box extent = extent();
    Markup svg = new Markup();
    svg.open(
        "svg",
        "class",
        "graph",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "width",
        Router.n(extent.width()),
        "height",
        Router.n(extent.height()),
        "viewBox",
        Router.n(extent.x())
            + " "
            + Router.n(extent.y())
            + " "
            + Router.n(extent.width())
            + " "
            + Router.n(extent.height()),
        "role",
        "group",
        "aria-label",
        title);
    svg.line();
    for (Graph.Link link : graph.links()) {
      link(svg, link);
    }
    for (Graph.Node node : graph.nodes()) {
      node(svg, node);
    }
    return svg.close("svg");
  }

  private Box extent() {
    Box extent = null;
    for (Graph.Node node : graph.nodes()) {
      Box box = places.get(node.txn());
      extent = extent == null ? box : extent.and(box);
    }
    for (Map.Entry<Graph.Link, Router.Route> entry : routes.entrySet()) {
      extent = extent.and(entry.getValue().extent(labelWidth(entry.getKey())));
    }
    Box grown = extent.grown(MARGIN);
    double x = Math.floor(grown.x());
    double y = Math.floor(grown.y());
    return new Box(x, y, Math.ceil(grown.right()) - x, Math.ceil(grown.bottom()) - y);
  }

  private String label(Graph.Link link) {
    String sign = link.supposed() ? "✗ " : "";
    return sign + Cells.shortened(Graph.label(history, link.edge()), Cells.MAX_LABEL);
  }

  private double labelWidth(Graph.Link link) {
    int more = isInferred(link) ? 3 : 0;
    return Math.round((Cells.width(label(link)) + more) * Cells.SMALL_ADVANCE + 12);
  }

  private static boolean isInferred(Graph.Link link) {
    return !link.edge().because().isEmpty();
  }

  private void link(Markup svg, Graph.Link link) {
    Router.Route route = routes.get(link);
    boolean inferred = isInferred(link);
    double width = labelWidth(link);
    svg.open(
        "g",
        "class",
        "link k-"
            + link.edge().kind().id()
            + (link.outer() ? " outer" : " inner")
            + (inferred ? " inferred" : "")
            + (link.supposed() ? " supposed" : ""),
        "data-link",
        link.id(),
        "data-from",
        Graph.nodeId(link.edge().from()),
        "data-to",
        Graph.nodeId(link.edge().to()),
        "data-steps",
        String.join(" ", link.steps()),
        "data-label",
        Router.n(width),
        "tabindex",
        "0",
        "role",
        inferred ? "button" : "img",
        "aria-expanded",
        inferred ? "true" : null);
    svg.leaf("title", description(link));
    svg.empty("path", "class", "hit", "d", route.path());
    svg.empty("path", "class", "line", "d", route.path());
    svg.empty("path", "class", "head", "d", route.head());
    svg.open(
        "g",
        "class",
        "tag",
        "transform",
        "translate(" + Router.n(route.labelX()) + " " + Router.n(route.labelY()) + ")");
    svg.empty(
        "rect",
        "x",
        Router.n(-width / 2),
        "y",
        "-10",
        "width",
        Router.n(width),
        "height",
        "20",
        "rx",
        "10");
    svg.leaf(
        "text",
        label(link),
        "x",
        inferred ? Router.n(-1.5 * Cells.SMALL_ADVANCE) : "0",
        "y",
        "4",
        "text-anchor",
        "middle");
    if (inferred) {
      double x = width / 2 - 12;
      svg.empty("circle", "class", "knob", "cx", Router.n(x), "cy", "0", "r", "6.5");
      String cross = "M" + Router.n(x - 3.5) + " 0h7";
      svg.empty("path", "class", "minus", "d", cross);
      svg.empty("path", "class", "plus", "d", "M" + Router.n(x) + " -3.5v7");
    }
    svg.close("g").close("g").line();
  }

  private String description(Graph.Link link) {
    return (link.supposed() ? "supposed and refuted: " : "")
        + wording.name(link.edge().from())
        + " before "
        + wording.name(link.edge().to())
        + ", "
        + Graph.label(history, link.edge())
        + (isInferred(link) ? ", inferred" : "")
        + ", step "
        + String.join(" and ", link.steps());
  }

  private void node(Markup svg, Graph.Node node) {
    Box box = places.get(node.txn());
    Box small = narrow.get(node.txn());
    String description = Graph.description(history, node);
    svg.open(
        "g",
        "class",
        "node" + (node.outer() ? " outer" : " inner") + (node.lines().isEmpty() ? " bare" : ""),
        "data-node",
        node.id(),
        "data-steps",
        node.seen() ? Graph.SEEN : null,
        "data-size",
        Router.n(box.width()) + " " + Router.n(box.height()),
        "data-wide",
        Router.n(box.x()) + " " + Router.n(box.y()),
        "data-narrow",
        Router.n(small.x()) + " " + Router.n(small.y()),
        "transform",
        "translate(" + Router.n(box.x()) + " " + Router.n(box.y()) + ")",
        "tabindex",
        "0",
        "role",
        "img");
    svg.leaf("title", description);
    String width = Router.n(box.width());
    svg.empty("rect", "class", "box", "width", width, "height", Router.n(box.height()), "rx", "7");
    if (!node.lines().isEmpty()) {
      svg.empty("path", "class", "rule", "d", "M0 " + Router.n(Cells.HEAD) + "H" + width);
    }
    svg.leaf("text", node.name(), "class", "name", "x", "10", "y", "17");
    svg.leaf(
        "text",
        node.where(),
        "class",
        "where",
        "x",
        Router.n(box.width() - Cells.PADDING),
        "y",
        "17",
        "text-anchor",
        "end");
    double y = Cells.HEAD + Cells.LINE;
    for (Graph.Line line : node.lines()) {
      line(svg, line, y - 2);
      y += Cells.LINE;
    }
    svg.close("g").line();
  }

  private static void line(Markup svg, Graph.Line line, double y) {
    boolean folds = !line.folded().isEmpty();
    svg.leaf(
        "text",
        line.text(),
        "class",
        folds ? "op more" : line.named() ? "op named" : "op",
        "data-op",
        line.op() < 0 ? null : "o" + line.op(),
        "tabindex",
        folds ? "0" : null,
        "role",
        folds ? "button" : null,
        "aria-expanded",
        folds ? "false" : null,
        "x",
        "10",
        "y",
        Router.n(y));
    line.folded().forEach(text -> svg.leaf("text", text, "class", "op folded", "x", "10"));
  }

  /** The kinds of steps that are drawn, for the legend. */
  Set<EdgeKind> kinds() {
    Set<EdgeKind> kinds = new LinkedHashSet<>();
    for (EdgeKind kind : EdgeKind.values()) {
      if (graph.links().stream().anyMatch(link -> link.edge().kind() == kind)) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  boolean hasInferred() {
    return graph.links().stream().anyMatch(GraphSvg::isInferred);
  }

  boolean hasSupposed() {
    return graph.links().stream().anyMatch(Graph.Link::supposed);
  }
}
