package dev.assay.web.page;

import dev.assay.render.plot.Plot;

/** A plot with what can be done with it. */
final class PlotFigure {
  private PlotFigure() {}

  /**
   * Writes a plot.
   *
   * @param base the address under which its files are
   */
  static void write(Html html, Plot plot, String base) {
    String address = base + "/plots/" + plot.name();
    html.open("figure", "data-plot", plot.name());
    html.open("div", "class", "scroll").plot(plot).close();
    html.open("figcaption");
    html.element("button", "PNG", "type", "button", "class", "link", "data-png", plot.name());
    html.element("a", "SVG", "href", address + ".svg");
    html.element("a", "CSV", "href", address + ".csv");
    html.close(2);
  }
}
