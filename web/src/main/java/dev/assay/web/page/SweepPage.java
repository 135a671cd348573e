package dev.assay.web.page;

import dev.assay.collect.runs.Machine;
import dev.assay.render.Plain;
import dev.assay.render.plot.Plot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Measurements as one file: opens from disk and needs no network. */
public final class SweepPage {
  private SweepPage() {}

  /**
   * @param table rows of cells, the first is the head
   * @param matrix what each checker decided
   */
  public static String html(
      String title,
      String command,
      List<Plot> plots,
      List<List<String>> table,
      LevelMatrix matrix) {
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
    html.close();
    table(html, table);
    if (matrix.compares()) {
      html.open("section");
      matrix.write(html);
      html.close();
    }
    html.element(
        "p",
        "Check time is the median of the repeats: the time of deciding one level of a history that"
            + " is in memory, in a warm process. Hollow points were not decided.",
        "class",
        "sub");
    html.element("p", Machine.described(), "class", "sub machine").close();
    html.element("div", "", "id", "tip", "role", "status", "hidden", "");
    html.script(text(Asset.SCRIPT));
    return "<!doctype html>\n" + html.close(2);
  }

  private static void table(Html html, List<List<String>> table) {
    List<List<String>> rows = table.subList(1, table.size());
    html.open("section").open("div", "class", "scroll").open("table", "class", "runs sweep");
    List<String> heads = new ArrayList<>();
    for (int i = 0; i < table.get(0).size(); i++) {
      int column = i;
      boolean numbers = rows.stream().allMatch(row -> isNumber(row.get(column)));
      heads.add(table.get(0).get(i) + (numbers && !rows.isEmpty() ? "*" : ""));
    }
    html.heads(heads).open("tbody");
    for (List<String> row : rows) {
      html.open("tr");
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        boolean whole = cell.matches("\\d{1,18}");
        if (isNumber(cell)) {
          String shown = whole ? Plain.number(Long.parseLong(cell)) : cell;
          RunsPage.number(html, shown, table.get(0).get(i));
        } else {
          html.element("td", cell, "class", "v-" + cell);
        }
      }
      html.close();
    }
    html.close(4);
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[0-9.]+");
  }

  private static String text(Asset asset) {
    return new String(asset.bytes(), StandardCharsets.UTF_8);
  }
}
