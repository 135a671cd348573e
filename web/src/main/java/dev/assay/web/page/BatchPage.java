package dev.assay.web.page;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import dev.assay.render.plot.Plot;
import dev.assay.web.run.RunQueue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
    html.element("a", "Download all (zip)", "class", "button", "href", "/batches/" + id + ".zip");
    boolean over = runs.stream().allMatch(run -> run.status().isOver());
    if (!over) {
      RunsPage.button(html, "/batches/" + id, "stop", "Stop");
    } else if (runs.stream().allMatch(RunQueue::isRepeatable)) {
      RunsPage.button(html, "/batches/" + id, "rerun", "Rerun");
    }
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
    html.open("p", "class", "sub");
    if (busy) {
      String most = Integer.toString(runs.size());
      html.element("progress", "", "max", most, "value", Long.toString(over)).text(" ");
    }
    html.text(over + " of " + runs.size() + " runs are done; what varies: " + names(varied));
    html.close();
    html.open("section", "class", "plots");
    for (Plot plot : new BatchPlots(runs).plots()) {
      PlotFigure.write(html, plot, "/batches/" + id);
    }
    html.close();
    html.open("section").open("div", "class", "scroll").open("table", "class", "runs");
    List<String> heads = new ArrayList<>(List.of("Status", "Run"));
    varied.forEach(parameter -> heads.add(parameter.id() + "*"));
    heads.addAll(List.of("Transactions*", "Found", "Check*"));
    html.heads(heads).open("tbody");
    runs.forEach(run -> row(html, new Shown(run), varied));
    html.close();
    mean(html, varied.size());
    html.close(3);
    matrix(html);
    html.element(
        "p",
        "Check time is the time of deciding, without reading the history and without explaining the"
            + " verdict. Hollow points were cut short or not decided.",
        "class",
        "sub");
    Set<String> machines = new LinkedHashSet<>();
    runs.forEach(run -> machines.add(run.state().machine()));
    machines.remove(null);
    if (machines.size() > 1) {
      html.element("p", "These runs differ in how they were made:", "class", "problem");
    }
    machines.forEach(machine -> html.element("p", machine, "class", "sub machine"));
    html.close();
  }

  /** What each checker decided, over all runs that are done. */
  private void matrix(Html html) {
    LevelMatrix levels = new LevelMatrix();
    for (RunFolder run : runs) {
      if (run.status().isOver()) {
        levels.add(CheckerMatrix.verdicts(run.state().byChecker()));
      }
    }
    if (levels.compares()) {
      html.open("section");
      levels.write(html);
      html.close();
    }
  }

  private void mean(Html html, int varied) {
    long count = 0;
    long transactions = 0;
    long millis = 0;
    for (RunFolder run : runs) {
      RunResult found = run.state().found();
      if (found.timing() != null && found.history() != null && found.history().unread() == null) {
        count++;
        transactions += found.history().transactions();
        millis += found.timing().decideMillis();
      }
    }
    if (count > 1) {
      html.open("tfoot").open("tr");
      html.element("th", "Mean", "colspan", Integer.toString(2 + varied), "scope", "row");
      RunsPage.number(html, Plain.number(transactions / count), "transactions");
      html.element("td", "");
      RunsPage.number(html, Plain.duration(millis / count), "check");
      html.close(2);
    }
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
      new Progress(shown).write(html);
    } else {
      html.text(shown.finding() + (shown.isCutShort() ? " (cut short)" : ""));
    }
    html.close();
    RunsPage.number(html, shown.checkTime(), "check");
    html.close();
  }
}
