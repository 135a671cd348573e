package dev.assay.web.page;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.Source;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import dev.assay.web.run.RunQueue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table of runs. */
public final class RunsPage {
  private static final int PAGE = 50;

  private final List<RunFolder> runs;
  private final String status;
  private final String words;
  private final int page;

  /**
   * @param runs all runs, newest first
   * @param status the id of the status to show, or empty
   * @param words what a run must contain to be shown, or empty
   * @param page which fifty, from 1
   */
  public RunsPage(List<RunFolder> runs, String status, String words, int page) {
    this.runs = runs;
    this.status = status;
    this.words = words.toLowerCase(Locale.ROOT).strip();
    this.page = Math.max(1, page);
  }

  public String html() {
    Html html = Layout.begin("Runs", "/runs");
    html.open("div", "class", "head").element("h1", "Runs");
    html.open("div", "class", "actions");
    html.element("a", "New run", "class", "button primary", "href", "/new");
    html.element("a", "Download all (zip)", "class", "button", "href", "/runs.zip");
    html.close(2);
    search(html);
    if (runs.isEmpty()) {
      html.element(
          "p", "No runs yet. Start one here, or use assay run in this folder.", "class", "empty");
      return Layout.end(html);
    }
    html.open("div", "data-follow", "/runs/rows" + query(page));
    live(html);
    html.close();
    return Layout.end(html);
  }

  /** What changes while runs go on. */
  public String rows() {
    Html html = new Html();
    live(html);
    return html.toString();
  }

  private void live(Html html) {
    chips(html);
    html.open("div", "class", "scroll");
    table(html);
    html.close();
  }

  private String query(int which) {
    return "?status=" + encoded(status) + "&q=" + encoded(words) + "&page=" + which;
  }

  private static String encoded(String text) {
    return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8);
  }

  private void chips(Html html) {
    Map<RunStatus, Integer> counts = new EnumMap<>(RunStatus.class);
    runs.forEach(run -> counts.merge(run.status(), 1, Integer::sum));
    html.open("div", "class", "filters");
    chip(html, "", "All", runs.size());
    for (RunStatus one : RunStatus.values()) {
      if (counts.containsKey(one) || one.id().equals(status)) {
        chip(html, one.id(), one.title(), counts.getOrDefault(one, 0));
      }
    }
    html.close();
  }

  private void search(Html html) {
    html.open("form", "class", "filters", "method", "get", "action", "/runs");
    html.single("input", "type", "hidden", "name", "status", "value", status);
    html.single(
        "input",
        "type",
        "search",
        "name",
        "q",
        "value",
        words,
        "placeholder",
        "Search: h2, G2-item, zipf …",
        "aria-label",
        "Search");
    html.close();
  }

  private void chip(Html html, String id, String title, int count) {
    html.open(
        "a",
        "class",
        "chip " + id,
        "href",
        "/runs?status=" + id + "&q=" + encoded(words),
        "aria-current",
        id.equals(status) ? "true" : null);
    html.text(title + " ").element("b", Plain.number(count)).close();
  }

  private void table(Html html) {
    List<Shown> found = new ArrayList<>();
    boolean busy = false;
    for (RunFolder run : runs) {
      Shown shown = new Shown(run);
      boolean fits = status.isEmpty() || run.status().id().equals(status);
      if (fits && (words.isEmpty() || matches(shown))) {
        found.add(shown);
        busy |= !run.status().isOver();
      }
    }
    html.open("table", "class", "runs", "data-busy", busy ? "yes" : null);
    html.heads(
        List.of("Status", "Run", "Level", "Workload", "Transactions*", "Found", "Check*", ""));
    html.open("tbody");
    int from = Math.min((page - 1) * PAGE, found.size());
    for (Shown shown : found.subList(from, Math.min(from + PAGE, found.size()))) {
      row(html, shown);
    }
    html.close(2);
    if (found.size() > PAGE) {
      pages(html, (found.size() + PAGE - 1) / PAGE);
    }
  }

  private void pages(Html html, int count) {
    html.open("nav", "class", "pages", "aria-label", "Pages of the table");
    for (int i = 1; i <= count; i++) {
      html.element(
          "a",
          Integer.toString(i),
          "href",
          "/runs" + query(i),
          "aria-current",
          i == page ? "page" : null);
    }
    html.close();
  }

  private boolean matches(Shown shown) {
    String text =
        String.join(
            " ",
            shown.id(),
            shown.subject(),
            shown.isolation(),
            shown.parameters(),
            shown.finding());
    return text.toLowerCase(Locale.ROOT).contains(words);
  }

  private static void row(Html html, Shown shown) {
    html.open("tr", "data-id", shown.id()).open("td");
    shown.pill(html);
    html.close().open("td", "class", "name");
    html.open("a", "href", shown.href()).text(shown.subject()).close();
    html.open("small");
    Shown.time(html, shown.created());
    String batch = RunQueue.batch(shown.run());
    if (batch != null) {
      html.text(" · ").element("a", "batch", "href", "/batches/" + batch);
    }
    html.close(2);
    html.element("td", shown.isolation(), "class", "level");
    html.element("td", shown.parameters(), "class", "wide");
    number(html, shown.transactions(), "transactions");
    html.open("td", "class", "wide");
    if (shown.status() == RunStatus.RUNNING) {
      new Progress(shown).write(html);
    } else {
      html.text(shown.finding());
    }
    html.close();
    number(html, shown.checkTime(), "check");
    html.open("td", "class", "tools");
    tools(html, shown);
    html.close(2);
  }

  /** A cell with a number; what it counts is said where the table has no head, on small screens. */
  static void number(Html html, String number, String title) {
    html.element("td", number, "class", "number", "data-title", title);
  }

  /** What can be done with a run. */
  static void tools(Html html, Shown shown) {
    boolean queued = shown.config().has(Parameters.CHECKERS);
    if (!shown.status().isOver()) {
      // What was started on a command line is ended there.
      if (queued) {
        button(html, shown, "stop", "Stop");
      }
      return;
    }
    if (queued && shown.config().source() != Source.UPLOAD) {
      html.element("a", "Edit", "href", "/new?from=" + shown.id());
    }
    if (RunQueue.isCheckable(shown.run())) {
      button(html, shown, "check", "Check what was recorded");
    }
    if (RunQueue.isRepeatable(shown.run())) {
      button(html, shown, "rerun", "Rerun");
    }
    button(html, shown, "delete", "Delete");
  }

  /** A button that asks for something to be done with a run. */
  static void button(Html html, Shown shown, String what, String title) {
    button(html, shown.href(), what, title);
  }

  /** A button that asks for something to be done with a run or a batch. */
  static void button(Html html, String href, String what, String title) {
    html.open("form", "method", "post", "action", href + "/" + what, "data-act", what);
    // An empty form would be sent without a type.
    html.single("input", "type", "hidden", "name", "do", "value", what);
    html.element("button", title, "type", "submit", "class", "link").close();
  }
}
