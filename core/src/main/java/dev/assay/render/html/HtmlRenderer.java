package dev.assay.render.html;

import dev.assay.check.Verdict;
import dev.assay.explain.Wording;
import dev.assay.format.jsonl.HtmlReport;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Escaping;
import dev.assay.render.LevelText;
import dev.assay.render.PictureRenderer;
import dev.assay.render.Plain;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Results as one page that explains itself, opens from disk without a network, and prints.
 *
 * <p>Its parts, ids and attributes are listed in {@code docs/report.md}.
 */
public final class HtmlRenderer implements PictureRenderer {
  /** Maximum number of results in full; of others the page has only the verdicts. */
  private static final int MAX_DETAILED = 8;

  /** Approximate maximum size of all results together, so that a page stays small. */
  private static final int MAX_LENGTH = 480_000;

  /** What a result takes beside its cases. */
  private static final int FRAME = 30_000;

  private final String version;
  private final Appendable out;
  private final List<Subject> subjects = new ArrayList<>();

  /**
   * What a page shows beside a result.
   *
   * @param smallest the part of the history that shows its first anomaly, to be kept in the page;
   *     null for none
   * @param given what must be given with that part for the anomaly to show
   * @param command what to type to get the same verdict again; null where there is no such command
   * @param page the page itself as an argument of a command; null where that is not known yet
   * @param name what the history is called by people; null for the name of its file
   */
  public record Extras(History smallest, Given given, String command, String page, String name) {
    public static final Extras NONE = new Extras(null, null);

    public Extras(History smallest, String command) {
      this(smallest, Given.NOTHING, command, null, null);
    }
  }

  /** A result and what its page shows beside it. */
  record Subject(CheckResult result, Extras extras) {
    /** The name of the history. Pages are shared, so the folder it lies in is not named. */
    String name() {
      String name = extras.name() == null ? shared(result.file()) : extras.name();
      return result.file().equals("-") ? "standard input" : Wording.oneLine(name);
    }

    /** The command that gives the same result, without folders; null where there is none. */
    String command() {
      String name = extras.name() == null ? shared(result.file()) : extras.name();
      return extras.command() == null ? null : extras.command().replace(result.file(), name);
    }

    /** A file as it is named in what is shared. */
    static String shared(String file) {
      return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    }
  }

  /**
   * @param version the version of Assay
   * @param out where the page goes, once it is {@linkplain #finish finished}
   */
  public HtmlRenderer(String version, Appendable out) {
    this.version = version;
    this.out = out;
  }

  @Override
  public void add(CheckResult result) {
    add(result, Extras.NONE);
  }

  /** Adds a result to the page. */
  public void add(CheckResult result, Extras extras) {
    subjects.add(new Subject(result, extras));
  }

  @Override
  public void finish() throws IOException {
    Markup html = new Markup();
    html.verbatim("<!DOCTYPE html>").line();
    html.open("html", "lang", "en").line();
    head(html);
    html.open("body").line();
    html.leaf("a", "Skip to the verdict", "class", "skip", "href", "#main").line();
    header(html);
    html.open("main", "id", "main").line();
    if (subjects.size() != 1) {
      overview(html);
    }
    int detailed = 0;
    for (int i = 0; i < subjects.size(); i++) {
      if (isDetailed(i)) {
        detailed++;
        boolean only = histories() == 1;
        new ResultPage(version, subjects.get(i), "r" + (i + 1), room(), only).write(html);
      }
    }
    if (detailed < subjects.size()) {
      String left = Plain.count(subjects.size() - detailed, "further result");
      html.leaf("p", left + " only in the table: a page holds " + MAX_DETAILED + ".").line();
    }
    html.close("main").line();
    footer(html);
    html.open("script").verbatim(Resource.SCRIPT.text()).close("script").line();
    html.close("body").close("html").line();
    out.append(withoutFolders(html.toString()));
  }

  /** The page with histories called by their names wherever it says where something is. */
  private String withoutFolders(String page) {
    String text = page;
    for (Subject subject : subjects) {
      String file = subject.result().file();
      if (!file.equals(Subject.shared(file))) {
        text = text.replace(escaped(file), escaped(subject.name()));
      }
    }
    return text;
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    Escaping.escape(Wording.oneLine(text), true, escaped);
    return escaped.toString();
  }

  /** How many characters the cases of one result may take, so that the page stays small. */
  private int room() {
    int results = Math.max(1, Math.min(subjects.size(), MAX_DETAILED));
    return (MAX_LENGTH - results * FRAME) / results;
  }

  /** Those with something to see first, then the others, until the page is full. */
  private boolean isDetailed(int subject) {
    boolean eventful = isEventful(subject);
    int before = 0;
    for (int i = 0; i < subjects.size(); i++) {
      if (i != subject && isEventful(i) && (!eventful || i < subject)) {
        before++;
      } else if (!eventful && !isEventful(i) && i < subject) {
        before++;
      }
    }
    return before < MAX_DETAILED;
  }

  private boolean isEventful(int subject) {
    return !subjects.get(subject).result().report().anomalies().isEmpty();
  }

  private void head(Markup html) {
    html.open("head").line();
    html.open("meta", "charset", "utf-8").line();
    html.verbatim(HtmlReport.MARK).text(version).verbatim("\">").line();
    long histories = histories();
    if (histories > 0) {
      html.verbatim(HtmlReport.WITH_HISTORY + histories + "\">").line();
      String assumed = assumed();
      if (!assumed.isEmpty()) {
        html.verbatim(HtmlReport.ASSUMING + assumed + "\">").line();
      }
    }
    html.open("meta", "http-equiv", "Content-Security-Policy", "content", Resource.policy());
    html.line();
    html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1").line();
    html.open("meta", "name", "color-scheme", "content", "light dark").line();
    html.open("meta", "name", "referrer", "content", "no-referrer").line();
    html.leaf("title", title() + " · Assay").line();
    html.open("style").verbatim(Resource.STYLE.text()).close("style").line();
    html.close("head").line();
  }

  private long histories() {
    return withHistory().count();
  }

  private Stream<Extras> withHistory() {
    return IntStream.range(0, subjects.size())
        .filter(this::isDetailed)
        .mapToObj(i -> subjects.get(i).extras())
        .filter(extras -> extras.smallest() != null);
  }

  /** What the first history in the page needs assumed. */
  private String assumed() {
    return withHistory().findFirst().stream()
        .flatMap(extras -> extras.given().assumptions().stream())
        .filter(assumption -> !Assumption.DEFAULT.contains(assumption))
        .map(Assumption::id)
        .collect(Collectors.joining(","));
  }

  private String title() {
    return subjects.size() == 1
        ? verdict(subjects.get(0))
        : Plain.count(subjects.size(), "history").replace("historys", "histories");
  }

  private void header(Markup html) {
    html.open("header", "class", "top");
    html.leaf("span", "Assay", "class", "brand").leaf("span", version, "class", "version");
    html.open("div", "class", "actions", "data-script", "");
    button(html, "keys", "Shortcuts", "?");
    button(html, "theme", "Light or dark", "t");
    html.close("div").close("header").line();
  }

  private static void button(Markup html, String action, String text, String key) {
    html.leaf(
        "button", text, "type", "button", "data-action", action, "title", text + " (" + key + ")");
  }

  private void overview(Markup html) {
    html.open("section", "class", "overview", "aria-labelledby", "overview").line();
    html.leaf("h1", title(), "id", "overview").line();
    html.open("div", "class", "scroll").open("table").open("thead").open("tr");
    for (String column : List.of("history", "verdict", "holds", "anomalies")) {
      html.leaf("th", column, "scope", "col");
    }
    html.close("tr").close("thead").open("tbody").line();
    for (int i = 0; i < subjects.size(); i++) {
      CheckResult result = subjects.get(i).result();
      html.open("tr").open("th", "scope", "row");
      String file = subjects.get(i).name();
      if (isDetailed(i)) {
        html.leaf("a", file, "href", "#r" + (i + 1));
      } else {
        html.text(file);
      }
      String state = state(result);
      html.close("th");
      html.leaf("td", sign(state) + " " + state, "class", "v-" + state);
      html.leaf("td", Plain.listed(result.report().strongest()));
      List<String> types = new ArrayList<>();
      result.byRelevance().forEach(anomaly -> types.add(anomaly.type().id()));
      html.leaf("td", types.isEmpty() ? "none" : String.join(", ", types));
      html.close("tr").line();
    }
    html.close("tbody").close("table").close("div").close("section").line();
  }

  private void footer(Markup html) {
    html.open("footer");
    html.text("Written by Assay " + version + ". This page is a single file and loads nothing.");
    html.close("footer").line();
    html.open("dialog", "id", "keys", "aria-labelledby", "keys-title").line();
    html.leaf("h2", "Keyboard shortcuts", "id", "keys-title").open("dl", "class", "keys");
    for (String[] key : KEYS) {
      html.open("dt").leaf("kbd", key[0]).close("dt").leaf("dd", key[1]);
    }
    html.close("dl");
    html.open("form", "method", "dialog").leaf("button", "Close").close("form");
    html.close("dialog").line();
    html.leaf("div", "", "id", "said", "role", "status", "aria-live", "polite").line();
  }

  private static final String[][] KEYS = {
    {"Tab", "move through steps and transactions"},
    {"Enter", "expand or collapse an inferred step, or operations that are left out"},
    {"e / c", "expand or collapse all"},
    {"← ↑ ↓ →", "move the transaction in focus"},
    {"m", "mark or unmark it"},
    {"h", "hide it"},
    {"s", "show everything hidden"},
    {"u / r", "undo, redo (also Ctrl-Z, Ctrl-Y)"},
    {". / ,", "next or previous step of the argument"},
    {"+ / - / 0", "zoom in, zoom out, fit (also Ctrl and the wheel; drag the paper to pan)"},
    {"n / p", "next or previous anomaly"},
    {"b", "neighbours in the timeline"},
    {"t", "light or dark"},
    {"?", "this list"},
  };

  // ---- what the parts share

  static String state(CheckResult result) {
    return result.violated() ? "violated" : result.unknown() ? "unknown" : "holds";
  }

  /** Colours alone are not enough. */
  static String sign(String verdict) {
    return switch (verdict) {
      case "holds" -> "✓";
      case "violated" -> "✗";
      case "unknown" -> "?";
      default -> "·";
    };
  }

  /** The verdict in one sentence. */
  static String verdict(Subject subject) {
    CheckResult result = subject.result();
    Map<String, String> about = result.history().metadata();
    Optional<Level> claimed = Level.find(about.getOrDefault("level", ""));
    if (about.containsKey("database") && about.containsKey("isolation") && claimed.isPresent()) {
      String database = Wording.oneLine(about.get("database"));
      String isolation = Wording.oneLine(about.get("isolation"));
      return LevelText.promised(database, isolation, claimed.get(), result);
    }
    List<Level> violated = result.judged(Verdict.Violated.class);
    List<Level> unknown = result.judged(Verdict.Unknown.class);
    String file = subject.name();
    if (violated.isEmpty() && !result.forbiddenFound().isEmpty()) {
      return file + LevelText.forbidden(result.forbiddenFound());
    }
    if (violated.isEmpty() && unknown.isEmpty() && !result.forbiddenUnknown().isEmpty()) {
      return file + LevelText.maybeForbidden(result.forbiddenUnknown());
    }
    if (!violated.isEmpty()) {
      return file + LevelText.violated(result, violated);
    }
    if (!unknown.isEmpty()) {
      return file + " may or may not satisfy " + Plain.listed(unknown);
    }
    String missing = result.incomplete() == null ? "" : LevelText.INCOMPLETE;
    return file + LevelText.holds(result) + missing;
  }
}
