package dev.assay.web.page;

import dev.assay.collect.runs.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.level.AnomalyType;
import dev.assay.render.Plain;
import dev.assay.web.plot.Plot;
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
  private static final Set<String> NOT_SHOWN = Set.of("command", "upload", "version-order");

  private final Shown shown;

  public RunPage(RunFolder run) {
    this.shown = new Shown(run);
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
    for (String checker : RunPlan.checkers(run.config())) {
      names.add(RunPlan.verdictFile(checker, run.config()));
      names.add(RunPlan.samplesFile(checker));
    }
    names.addAll(
        List.of(
            RunPlan.samplesFile(),
            RunFolder.CONFIG,
            RunFolder.STATE,
            RunFolder.BUGS,
            RunFolder.LOG));
    return names.stream().distinct().filter(name -> Files.isRegularFile(run.file(name))).toList();
  }

  public String html() {
    Html html = Layout.begin(shown.subject(), "/runs");
    html.open("div", "class", "head").open("h1");
    shown.pill(html);
    html.text(
        " " + shown.subject() + (shown.isolation().isEmpty() ? "" : " at " + shown.isolation()));
    html.close().open("div", "class", "actions");
    if (Files.exists(shown.run().file(RunFolder.REPORT))) {
      String text =
          shown.status() == RunStatus.BUGGY ? "Open the counterexample" : "Open the report";
      html.element("a", text, "class", "button primary", "href", shown.href() + "/report");
    }
    html.element("a", "Zip", "class", "button", "href", shown.href() + ".zip");
    RunsPage.tools(html, shown);
    html.close(2);
    html.open("p", "class", "sub").text(shown.id());
    String batch = RunQueue.batch(shown.run());
    if (batch != null) {
      html.text(" · part of a ").element("a", "batch", "href", "/batches/" + batch);
    }
    html.close();
    html.open("div", "data-refresh", shown.href() + "/live").text("");
    live(html);
    html.close();
    return Layout.end(html);
  }

  /** What changes while the run goes on. */
  public String fragment() {
    Html html = new Html();
    live(html);
    return html.toString();
  }

  private void live(Html html) {
    boolean over = shown.status().isOver();
    html.open("div", "data-busy", over ? null : "yes", "data-status", shown.status().id());
    html.open("section", "class", "facts");
    if (shown.status() == RunStatus.RUNNING) {
      html.open("p");
      RunsPage.progress(html, shown);
      html.close();
    } else if (!over) {
      html.element("p", "Waits for its turn.");
    } else if (!shown.message().isEmpty()) {
      html.element("p", shown.message(), "class", "problem");
    }
    if (shown.summary().get("incomplete") != null) {
      html.element("p", Json.text(shown.summary().get("incomplete")), "class", "problem");
    }
    facts(html);
    html.close();
    anomalies(html);
    html.open("section", "class", "plots");
    for (Plot plot : RunPlots.of(shown.run())) {
      PlotFigure.write(html, plot, shown.href());
    }
    html.close();
    checkers(html);
    html.open("div", "class", "columns");
    levels(html);
    asked(html);
    html.close(2);
  }

  private void facts(Html html) {
    Map<String, Object> summary = shown.summary();
    Map<String, Object> history = Json.object(summary.get("history"));
    html.open("dl", "class", "tiles");
    tile(html, "strongest that holds", Shown.join(Json.list(summary.get("strongest"))));
    tile(html, "weakest violated", Shown.join(Json.list(summary.get("weakestViolated"))));
    tile(html, "transactions", shown.transactions());
    tile(html, "operations", number(history.get("operations")));
    clients(html, Json.object(summary.get("run")));
    tile(html, "check", shown.checkTime());
    Object heap = Json.object(summary.get("timing")).get("peakHeapBytes");
    tile(html, "peak heap", heap == null ? "" : Plain.bytes(Json.number(heap)));
    double throughput = BatchPlots.throughput(shown.run());
    tile(
        html,
        "throughput",
        Double.isNaN(throughput) ? "" : Plain.number((long) throughput) + " txn/s");
    html.close();
  }

  /** How many clients there were, and what they met. */
  private static void clients(Html html, Map<String, Object> run) {
    if (run.isEmpty()) {
      return;
    }
    String sessions = number(run.get("sessionsRun"));
    String asked = number(run.get("sessionsAsked"));
    tile(html, "sessions", sessions.equals(asked) ? asked : sessions + " of " + asked);
    tile(html, "connections refused", notZero(run.get("connectionsRefused")));
    tile(html, "transactions refused", notZero(run.get("refused")));
    tile(html, "retries", notZero(run.get("retries")));
    List<String> errors = new ArrayList<>();
    Json.object(run.get("errors"))
        .forEach((kind, count) -> errors.add(number(count) + " × " + kind));
    tile(html, "errors", String.join(", ", errors));
  }

  private static String notZero(Object count) {
    return Json.number(count) == 0 ? "" : number(count);
  }

  private static String number(Object value) {
    return value == null ? "" : Plain.number(Json.number(value));
  }

  private static void tile(Html html, String name, String value) {
    if (!value.isEmpty()) {
      html.open("div").element("dt", name).element("dd", value).close();
    }
  }

  private void anomalies(Html html) {
    List<?> anomalies = Json.list(shown.summary().get("anomalies"));
    if (anomalies.isEmpty()) {
      return;
    }
    html.open("section").element("h2", "Anomalies");
    html.open("div", "class", "scroll").open("table");
    html.heads(List.of("Anomaly", "Name", "Found*", "Violates", "")).open("tbody");
    for (Object item : anomalies) {
      Map<String, Object> anomaly = Json.object(item);
      String type = Json.text(anomaly.get("type"));
      html.open("tr").open("td").element("code", type).close();
      html.element("td", Json.text(anomaly.get("name")));
      boolean atLeast = Boolean.TRUE.equals(anomaly.get("countIsLowerBound"));
      html.element("td", (atLeast ? "≥ " : "") + number(anomaly.get("count")), "class", "number");
      html.element("td", Shown.join(Json.list(anomaly.get("violates"))), "class", "wide");
      html.open("td");
      if (AnomalyType.find(type).isPresent()) {
        html.element("a", "label it", "href", "/bugs#" + shown.id() + "-" + type);
      }
      html.close(2);
    }
    html.close(4);
  }

  private void checkers(Html html) {
    Map<String, Object> checkers = Json.object(shown.state().get("checkers"));
    if (checkers.size() < 2) {
      return;
    }
    html.open("section").element("h2", "Checkers side by side");
    html.open("div", "class", "scroll").open("table");
    html.heads(List.of("Checker", "Verdict", "Decided", "Check*", "Peak heap*")).open("tbody");
    checkers.forEach(
        (name, value) -> {
          Map<String, Object> entry = Json.object(value);
          Map<String, Object> timing = Json.object(entry.get("timing"));
          html.open("tr").open("td").element("code", name).close().open("td");
          RunStatus status = RunStatus.of(Json.text(entry.get("status")));
          html.element("span", status.title(), "class", "pill " + status.id()).close();
          html.element("td", decided(Json.object(entry.get("levels"))));
          long millis =
              Json.number(timing.get("inferMillis")) + Json.number(timing.get("checkMillis"));
          html.element("td", timing.isEmpty() ? "" : Plain.duration(millis), "class", "number");
          Object heap = timing.get("peakHeapBytes");
          String bytes = heap == null ? "" : Plain.bytes(Json.number(heap));
          html.element("td", bytes, "class", "number").close();
        });
    html.close(4);
  }

  private static String decided(Map<String, Object> levels) {
    int[] counts = new int[3];
    levels.forEach(
        (level, verdict) -> {
          switch (Json.text(Json.object(verdict).get("verdict"))) {
            case "holds" -> counts[0]++;
            case "violated" -> counts[1]++;
            default -> counts[2]++;
          }
        });
    return counts[0] + " hold, " + counts[1] + " violated, " + counts[2] + " unknown";
  }

  private void levels(Html html) {
    Map<String, Object> checkers = Json.object(shown.state().get("checkers"));
    Map<String, Object> first = Json.object(checkers.get(shown.checkers().get(0)));
    Map<String, Object> levels = Json.object(first.get("levels"));
    if (levels.isEmpty()) {
      return;
    }
    html.open("section").element("h2", "Levels").open("ul", "class", "levels");
    levels.forEach(
        (level, value) -> {
          Map<String, Object> verdict = Json.object(value);
          String text = Json.text(verdict.get("verdict"));
          html.open("li", "class", text, "title", Json.text(verdict.get("why")));
          html.element("span", level).element("em", text).close();
        });
    html.close(2);
  }

  private void asked(Html html) {
    html.open("section").element("h2", "Asked for").open("table", "class", "pairs");
    for (Map.Entry<String, Object> entry : shown.config().entrySet()) {
      if (!NOT_SHOWN.contains(entry.getKey())) {
        html.open("tr").element("th", entry.getKey(), "scope", "row");
        Object value = entry.getValue();
        html.element("td", value instanceof List<?> list ? Shown.join(list) : Json.text(value))
            .close();
      }
    }
    html.close();
    List<?> commands = Json.list(shown.config().get("command"));
    if (!commands.isEmpty()) {
      List<String> lines = new ArrayList<>();
      commands.forEach(line -> lines.add(Json.text(line)));
      html.element("h3", "On the command line");
      html.open("div", "class", "copy").element("pre", String.join("\n", lines));
      html.element("button", "Copy", "type", "button", "data-copy", "").close();
    }
    html.element("h3", "Files").open("ul", "class", "files");
    for (String file : files(shown.run())) {
      html.open("li").element("a", file, "href", shown.href() + "/files/" + file).close();
    }
    html.close(2);
  }
}
