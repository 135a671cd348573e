package dev.assay.web.page;

import static dev.assay.web.page.Shown.number;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.record.RunCounts;
import dev.assay.collect.runs.LiveState;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState.CheckerResult;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import dev.assay.render.plot.Plot;
import dev.assay.web.run.RunPlan;
import dev.assay.web.run.RunQueue;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All about one run. */
public final class RunPage {
  /** Shown otherwise, or names that only the server knows. */
  private static final Set<Parameter<?>> NOT_SHOWN =
      Set.of(
          Parameters.COMMAND,
          Parameters.UPLOAD,
          Parameters.VERSION_ORDER,
          Parameters.VARIED,
          Parameters.BATCH);

  private final Shown shown;
  private final int before;

  /**
   * @param before how many runs of the queue come first; negative for a run that does not wait
   */
  public RunPage(RunFolder run, int before) {
    this.shown = new Shown(run);
    this.before = before;
  }

  /** The files of a run that may be seen, by their names. */
  public static List<String> files(RunFolder run) {
    List<String> names = new ArrayList<>();
    names.add(RunPlan.historyFile(run.config()));
    String certificate = RunPlan.certificateFile(run.config());
    if (certificate != null) {
      names.add(certificate);
    }
    names.addAll(List.of(RunFolder.REPORT, RunFolder.VERDICT));
    for (String plot : List.of("throughput", "latency")) {
      names.addAll(List.of(plot + ".svg", plot + ".csv"));
    }
    for (String checker : RunPlan.checkers(run.config())) {
      names.add(RunPlan.verdictFile(checker, run.config()));
      names.add(RunPlan.samplesFile(checker));
    }
    names.addAll(
        List.of(
            RunPlan.samplesFile(),
            RunFolder.LIVE,
            RunFolder.CONFIG,
            RunFolder.STATE,
            RunFolder.BUGS,
            RunFolder.LOG));
    return names.stream().distinct().filter(name -> Files.isRegularFile(run.file(name))).toList();
  }

  public String html() {
    boolean over = shown.status().isOver();
    ReportParts report = over ? ReportParts.of(shown.run()) : null;
    Html html =
        report == null
            ? Layout.begin(shown.subject(), "/runs")
            : Layout.begin(shown.subject(), "/runs", Asset.REPORT_SCRIPT);
    head(html);
    if (over) {
      result(html, report);
    } else {
      html.open("div", "data-follow", shown.href() + "/live", "data-reload", "");
      live(html);
      html.close();
    }
    setup(html);
    if (report != null) {
      html.report(report.help());
    }
    return Layout.end(html);
  }

  private void head(Html html) {
    html.open("div", "class", "head").open("h1");
    shown.pill(html);
    html.text(
        " " + shown.subject() + (shown.isolation().isEmpty() ? "" : " at " + shown.isolation()));
    html.close().open("div", "class", "actions");
    if (Files.exists(shown.run().file(RunFolder.REPORT))) {
      String file = shown.href() + "/files/" + RunFolder.REPORT;
      html.element("a", "Download report", "class", "button", "href", file, "download", "");
    }
    html.element("a", "Download all (zip)", "class", "button", "href", shown.href() + ".zip");
    RunsPage.tools(html, shown);
    html.close(2);
    html.open("p", "class", "sub");
    Shown.time(html, shown.created());
    html.text(" · " + shown.id());
    String batch = RunQueue.batch(shown.run());
    if (batch != null) {
      html.text(" · part of a ").element("a", "batch", "href", "/batches/" + batch);
    }
    html.close();
  }

  /** What changes while the run goes on. */
  public String fragment() {
    Html html = new Html();
    live(html);
    return html.toString();
  }

  private void live(Html html) {
    html.open("div", "data-busy", "yes", "data-status", shown.status().id());
    html.open("section", "class", "now");
    if (shown.status() == RunStatus.RUNNING) {
      html.open("p");
      new Progress(shown).write(html);
      html.close();
    } else {
      String first = before <= 0 ? "" : ": " + Plain.count(before, "run") + " before this one";
      html.element("p", "Waiting in the queue" + first + ".");
    }
    html.close();
    LiveState live = shown.run().live();
    if (live != null) {
      soFar(html, live);
    }
    plots(html);
    html.close();
  }

  /** The report, with the curves of the machine before what is known of the history. */
  private void result(Html html, ReportParts report) {
    html.open("div", "data-status", shown.status().id());
    if (!shown.message().isEmpty()) {
      html.element("p", shown.message(), "class", "problem");
    }
    if (shown.found().incomplete() != null) {
      html.element("p", shown.found().incomplete(), "class", "problem");
    }
    if (report != null) {
      html.open("article", "class", "result", "id", "r1").report(report.verdict()).close();
    }
    LiveState live = shown.run().live();
    if (live != null) {
      soFar(html, live);
    }
    html.element("h2", "The run").open("section");
    facts(html);
    html.close();
    plots(html);
    checkers(html);
    if (report != null) {
      html.report(report.history());
    }
    html.close();
  }

  private void plots(Html html) {
    html.open("section", "class", "plots");
    for (Plot plot : RunPlots.of(shown.run())) {
      PlotFigure.write(html, plot, shown.href());
    }
    html.close();
  }

  /** The verdict so far, and the moments of violations, which stay. */
  private void soFar(Html html, LiveState live) {
    boolean running = shown.status() == RunStatus.RUNNING;
    if (!running && live.violations().isEmpty()) {
      return;
    }
    html.open("section", "class", "so-far")
        .element("h2", running ? "So far" : "When it was violated");
    if (running) {
      html.open("dl", "class", "tiles");
      tile(html, "strongest level that holds", String.join(", ", live.strongest()));
      tile(html, "anomalies", String.join(", ", live.anomalies().keySet()));
      tile(html, "judged", number(live.judged()) + " of " + number(live.transactions()));
      html.close();
    }
    html.open("ul", "class", "moments");
    live.violations().forEach(moment -> html.element("li", RunPlots.described(moment)));
    html.close();
    if (running) {
      boolean asked = Files.exists(shown.run().file(RunFolder.STOP_AT_VIOLATION));
      if (asked) {
        html.element("p", "Stops at the next violation.", "class", "sub");
      } else {
        RunsPage.button(html, shown, RunFolder.STOP_AT_VIOLATION, "Stop at the next violation");
      }
    }
    html.close();
  }

  private void facts(Html html) {
    RunResult found = shown.found();
    html.open("dl", "class", "tiles");
    tile(html, "transactions", shown.transactions());
    tile(html, "operations", found.history() == null ? "" : number(found.history().operations()));
    if (found.run() != null) {
      clients(html, found.run());
    }
    if (shown.attempt() > 0) {
      tile(html, "attempts", Plain.number(shown.attempt()));
    }
    RunResult.Timing timing = found.timing();
    if (timing != null) {
      tile(html, "reading", Plain.duration(timing.readMillis()));
      tile(html, "check", Plain.duration(timing.decideMillis()));
      tile(html, "explaining", Plain.duration(timing.explainMillis()));
    }
    tile(html, "peak heap", found.timing() == null ? "" : heap(found.timing()));
    double throughput = BatchPlots.throughput(shown.run());
    tile(html, "throughput", throughput >= 1 ? Plain.number((long) throughput) + " txn/s" : "");
    html.close();
  }

  private static String heap(RunResult.Timing timing) {
    return timing.peakHeapBytes() == null ? "" : Plain.bytes(timing.peakHeapBytes());
  }

  /** How many clients there were, and what went wrong. */
  private static void clients(Html html, RunCounts run) {
    String sessions = number(run.sessionsRun());
    String asked = number(run.sessionsAsked());
    tile(html, "sessions", sessions.equals(asked) ? asked : sessions + " of " + asked);
    tile(html, "connections refused", notZero(run.connectionsRefused()));
    tile(html, "transactions refused", notZero(run.refused()));
    tile(html, "retries", notZero(run.retries()));
    List<String> errors = new ArrayList<>();
    run.errors()
        .forEach((kind, count) -> errors.add(number(count) + " × " + RunCounts.named(kind)));
    tile(html, "errors", String.join(", ", errors));
  }

  private static String notZero(Long count) {
    return count == null || count == 0 ? "" : number(count);
  }

  private static void tile(Html html, String name, String value) {
    if (!value.isEmpty()) {
      html.open("div").element("dt", name).element("dd", value).close();
    }
  }

  /** The checkers side by side: their times, and what each decided. */
  private void checkers(Html html) {
    Map<String, CheckerResult> checkers = shown.state().byChecker();
    if (checkers.size() > 1) {
      new CheckerMatrix(checkers).write(html);
    }
  }

  private void setup(Html html) {
    RunConfig config = shown.config();
    html.element("h2", "Setup").open("div", "class", "columns").open("section");
    html.open("table", "class", "pairs");
    for (Parameter<?> parameter : Parameters.all()) {
      if (config.has(parameter) && !NOT_SHOWN.contains(parameter)) {
        html.open("tr").element("th", parameter.id(), "scope", "row");
        html.element("td", config.given(parameter)).close();
      }
    }
    if (shown.state().machine() != null) {
      html.open("tr").element("th", "made on", "scope", "row");
      html.element("td", shown.state().machine()).close();
    }
    html.close(2).open("section");
    if (config.has(Parameters.COMMAND)) {
      html.element("h3", "The same on the command line");
      html.open("div", "class", "copy");
      html.element("pre", String.join("\n", config.get(Parameters.COMMAND)));
      html.element("button", "Copy", "type", "button", "data-copy", "").close();
    }
    html.element("h3", "Files").open("ul", "class", "files");
    for (String file : files(shown.run())) {
      html.open("li").element("a", file, "href", shown.href() + "/files/" + file).close();
    }
    html.close(3);
  }
}
