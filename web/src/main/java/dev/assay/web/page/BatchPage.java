package dev.assay.web.page;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.web.plot.Plot;
import java.util.ArrayList;
import java.util.List;

/** The runs of one request side by side. */
public final class BatchPage {
  private final String id;
  private final List<RunFolder> runs;

  /**
   * @param runs in the order they were asked for; at least one
   */
  public BatchPage(String id, List<RunFolder> runs) {
    this.id = id;
    this.runs = runs;
  }

  public String html() {
    Html html = Layout.begin("Batch", "/runs");
    Shown first = new Shown(runs.get(0));
    html.open("div", "class", "head").element("h1", "Batch: " + first.subject());
    html.open("div", "class", "actions");
    html.element("a", "Zip", "class", "button", "href", "/batches/" + id + ".zip");
    html.close(2);
    html.open("div", "data-follow", "/batches/" + id + "/live", "data-reload", "");
    live(html);
    html.close();
    return Layout.end(html);
  }

  /** What changes while the runs go on. */
  public String fragment() {
    Html html = new Html();
    live(html);
    return html.toString();
  }

  private void live(Html html) {
    long over = runs.stream().filter(run -> run.status().isOver()).count();
    boolean busy = over < runs.size();
    html.open("div", "data-busy", busy ? "yes" : null);
    List<Parameter<?>> varied = BatchPlots.varied(runs);
    html.element(
        "p",
        over + " of " + runs.size() + " runs are done; what varies: " + names(varied),
        "class",
        "sub");
    html.open("section", "class", "plots");
    for (Plot plot : new BatchPlots(runs).plots()) {
      PlotFigure.write(html, plot, "/batches/" + id);
    }
    html.close();
    html.open("section").open("div", "class", "scroll").open("table", "class", "runs");
    List<String> heads = new ArrayList<>(List.of("Status", "Run"));
    varied.forEach(parameter -> heads.add(parameter.id() + "*"));
    heads.addAll(List.of("Txns*", "Found", "Check*"));
    html.heads(heads).open("tbody");
    runs.forEach(run -> row(html, new Shown(run), varied));
    html.close(5);
  }

  private static String names(List<Parameter<?>> parameters) {
    return String.join(", ", parameters.stream().map(Parameter::id).toList());
  }

  private static void row(Html html, Shown shown, List<Parameter<?>> varied) {
    html.open("tr").open("td");
    shown.pill(html);
    html.close().open("td").element("a", shown.subject(), "href", shown.href()).close();
    varied.forEach(
        one -> RunsPage.number(html, shown.config().given(one), one.id().replace('-', ' ')));
    RunsPage.number(html, shown.transactions(), "transactions");
    html.open("td", "class", "wide");
    if (shown.status() == RunStatus.RUNNING) {
      RunsPage.progress(html, shown);
    } else {
      html.text(shown.finding());
    }
    html.close();
    RunsPage.number(html, shown.checkTime(), "check");
    html.close();
  }
}
