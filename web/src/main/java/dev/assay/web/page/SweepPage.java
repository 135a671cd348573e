package dev.assay.web.page;

import dev.assay.render.plot.Plot;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Measurements as one file: opens from disk and needs no network. */
public final class SweepPage {
  private SweepPage() {}

  /**
   * @param table rows of cells, the first is the head
   */
  public static String html(
      String title, String command, List<Plot> plots, List<List<String>> table) {
    Html html = new Html();
    html.open("html", "lang", "en").open("head").single("meta", "charset", "utf-8");
    html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.element("title", title + " · Assay")
        .style(text(Asset.REPORT_STYLE) + text(Asset.STYLE))
        .close()
        .open("body")
        .open("main");
    html.open("div", "class", "head").element("h1", title).close();
    html.open("section").element("pre", command).close();
    html.open("section", "class", "plots");
    for (Plot plot : plots) {
      html.open("figure", "data-plot", plot.name());
      html.open("div", "class", "scroll").plot(plot).close().open("figcaption");
      html.element("button", "PNG", "type", "button", "class", "link", "data-png", plot.name());
      html.element("button", "SVG", "type", "button", "class", "link", "data-svg", "");
      html.element("button", "CSV", "type", "button", "class", "link", "data-csv", plot.csv());
      html.close(2);
    }
    html.close().open("section").open("div", "class", "scroll").open("table").open("thead");
    html.open("tr");
    table.get(0).forEach(cell -> html.element("th", cell, "scope", "col"));
    html.close(2).open("tbody");
    for (List<String> row : table.subList(1, table.size())) {
      html.open("tr");
      for (String cell : row) {
        html.element("td", cell, "class", cell.matches("[0-9.]+") ? "number" : null);
      }
      html.close();
    }
    html.close(4).element("p", Machine.described(), "class", "sub machine").close();
    html.element("div", "", "id", "tip", "role", "status", "hidden", "");
    html.script(text(Asset.SCRIPT));
    return "<!doctype html>\n" + html.close(2);
  }

  private static String text(Asset asset) {
    return new String(asset.bytes(), StandardCharsets.UTF_8);
  }
}
