package dev.assay.render.html;

import dev.assay.check.Anomaly;
import dev.assay.check.Evidence;
import dev.assay.explain.Cause;
import dev.assay.explain.Explainer;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.RecordedFault;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LevelText;
import dev.assay.render.NameHint;
import dev.assay.render.Plain;
import dev.assay.render.RunNews;
import dev.assay.render.Totals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All there is to see of one result. */
final class ResultPage {
  /** What one witness takes on a page, most often. */
  private static final int ORDINARY = 50_000;

  /** What is known of a run that most readers ask for. */
  private static final List<String> MAIN_FACTS = List.of("database", "isolation", "workload");

  private final String version;
  private final HtmlRenderer.Subject subject;
  private final CheckResult result;
  private final HtmlRenderer.Extras extras;
  private final String id;
  private final int room;
  private final boolean only;
  private final History history;
  private final Explainer explainer;
  private final List<Cause> causes;

  /**
   * @param id what ids of this part begin with
   * @param room how many characters the cases may take
   * @param only whether its history is the only one on the page, so that the page can be checked
   */
  ResultPage(String version, HtmlRenderer.Subject subject, String id, int room, boolean only) {
    this.version = version;
    this.subject = subject;
    this.result = subject.result();
    this.extras = subject.extras();
    this.id = id;
    this.room = room;
    this.only = only;
    this.history = result.history();
    this.explainer = new Explainer(history);
    this.causes = result.causes();
  }

  void write(Markup html) throws IOException {
    html.open("article", "class", "result", "id", id).line();
    verdict(html);
    cases(html);
    html.open("section", "class", "levels", "aria-labelledby", id + "-levels").line();
    html.leaf("h2", "Isolation levels", "id", id + "-levels").line();
    new LatticeSvg(result.report().verdicts(), result.judged()).write(html);
    html.close("section").line();
    new RunPart(result, id).write(html);
    facts(html);
    if (extras.smallest() != null) {
      html.add(HistoryBlock.of(extras.smallest()));
      if (!extras.given().certificate().isEmpty()) {
        html.add(HistoryBlock.of(extras.given().certificate(), extras.smallest()));
      }
    }
    html.close("article").line();
  }

  // ---- the verdict

  private void verdict(Markup html) {
    String state = HtmlRenderer.state(result);
    html.open("section", "class", "verdict v-" + state, "aria-labelledby", id + "-verdict").line();
    html.open("h1", "id", id + "-verdict");
    html.leaf("span", HtmlRenderer.sign(state), "class", "sign", "aria-hidden", "true");
    html.open("span").text(HtmlRenderer.verdict(subject)).close("span").close("h1").line();
    String lost = RunNews.of(result).lostWrites();
    if (!lost.isEmpty()) {
      html.leaf("p", lost, "class", "news").line();
    }
    // What the level that was promised allows is listed below, not told in the verdict.
    boolean told = !causes.isEmpty() && (causes.get(0).decides() || !state.equals("holds"));
    if (told) {
      new StoryPart(result, explainer).write(html, causes.get(0));
    }
    String families = LevelText.families(result.report());
    if (families != null && !families.isEmpty()) {
      html.leaf("p", families, "class", "families").line();
    }
    html.open("dl", "class", "asked").line();
    fact(html, "checked", asked());
    List<Level> strongest = result.report().strongest();
    if (!strongest.isEmpty()) {
      fact(html, "holds", Plain.listed(strongest) + LevelText.weaker(strongest));
    }
    List<Level> weakest = result.report().weakestViolated();
    if (!weakest.isEmpty()) {
      boolean more = weakest.stream().anyMatch(level -> level.andStronger().size() > 1);
      fact(
          html,
          "violated",
          Plain.listed(Plain.weakestFirst(weakest)) + (more ? ", and everything stronger" : ""));
    }
    for (String why : result.unknownByReason(result.judged()::contains).keySet()) {
      fact(html, "unknown", why);
    }
    String names = told ? NameHint.of(result.history(), causes.subList(0, 1)) : "";
    if (!names.isEmpty()) {
      fact(html, "names", names);
    }
    if (subject.command() != null) {
      command(html, "reproduce", subject.command());
    }
    if (extras.smallest() != null && only) {
      String page =
          extras.page() == null ? "REPORT.html" : HtmlRenderer.Subject.shared(extras.page());
      command(html, "from this page", "assay check " + levels() + page);
      html.open("dt").close("dt").open("dd", "class", "aside");
      boolean whole = !extras.given().certificate().isEmpty();
      String part = "the smallest part of the history that shows the first anomaly";
      html.text(
          "This page contains "
              + (whole ? "the history with its certificate" : part)
              + ": "
              + Plain.count(extras.smallest().transactionCount(), "transaction")
              + ", "
              + Plain.count(extras.smallest().operationCount(), "operation")
              + ".");
      html.close("dd").line();
    }
    html.close("dl").close("section").line();
  }

  private String asked() {
    return result.survey()
        ? Plain.listed(result.judged()) + "; all other levels were checked as well"
        : Plain.listed(result.judged());
  }

  private String levels() {
    String option = result.survey() ? "--expect " : "--level ";
    return option + String.join(",", result.judged().stream().map(Level::id).toList()) + " ";
  }

  private static void fact(Markup html, String name, String text) {
    html.leaf("dt", name).leaf("dd", text).line();
  }

  private static void command(Markup html, String name, String command) {
    html.leaf("dt", name).open("dd", "class", "command").leaf("code", command);
    html.leaf(
        "button",
        "copy",
        "type",
        "button",
        "data-script",
        "",
        "data-copy",
        command,
        "aria-label",
        "copy the command");
    html.close("dd").line();
  }

  // ---- the anomalies

  private record Choice(Anomaly anomaly, int witness) {
    Evidence evidence() {
      return anomaly.witnesses().get(witness);
    }
  }

  private void cases(Markup html) throws IOException {
    if (causes.isEmpty()) {
      return;
    }
    List<Anomaly> anomalies = causes.stream().map(Cause::anomaly).toList();
    Map<Choice, Markup> pages = pages(anomalies);
    html.open("section", "class", "cases", "aria-labelledby", id + "-cases").line();
    String title = causes.size() == 1 ? "The finding" : "The findings";
    html.leaf("h2", title, "id", id + "-cases").line();
    picker(html, anomalies, pages);
    for (Anomaly anomaly : anomalies) {
      for (int i = 0; i < anomaly.witnesses().size(); i++) {
        Markup page = pages.get(new Choice(anomaly, i));
        if (page != null) {
          html.add(page);
        }
      }
    }
    html.close("section").line();
  }

  /**
   * First a witness of each anomaly, in short where all would not fit otherwise, then further ones
   * while there is room.
   */
  private Map<Choice, Markup> pages(List<Anomaly> anomalies) throws IOException {
    Map<Choice, Markup> pages = new LinkedHashMap<>();
    int most = anomalies.stream().mapToInt(a -> a.witnesses().size()).max().orElse(0);
    int taken = 0;
    for (int witness = 0; witness < most; witness++) {
      for (int a = 0; a < anomalies.size(); a++) {
        if (witness >= anomalies.get(a).witnesses().size()) {
          continue;
        }
        Choice choice = new Choice(anomalies.get(a), witness);
        CasePage page = new CasePage(version, result, explainer, caseId(a, witness), causes.get(a));
        int reserved = witness > 0 ? 0 : (anomalies.size() - a - 1) * ORDINARY;
        Markup written = page.write(choice.anomaly(), choice.evidence(), CasePage.Detail.FULL);
        if (witness == 0 && taken + written.length() + reserved > room) {
          written = page.write(choice.anomaly(), choice.evidence(), CasePage.Detail.SHORT);
        }
        if (pages.isEmpty() || taken + written.length() <= room) {
          pages.put(choice, written);
          taken += written.length();
        }
      }
    }
    return pages;
  }

  private String caseId(int anomaly, int witness) {
    return id + "-a" + (anomaly + 1) + "-w" + (witness + 1);
  }

  private void picker(Markup html, List<Anomaly> anomalies, Map<Choice, Markup> pages) {
    html.open("nav", "class", "picker", "aria-label", "findings").open("ol").line();
    for (int a = 0; a < anomalies.size(); a++) {
      Anomaly anomaly = anomalies.get(a);
      html.open("li", "class", causes.get(a).decides() ? "judged" : null);
      html.open("span", "class", "what").leaf("b", causes.get(a).story().name()).text(" ");
      html.text(String.join(", ", causes.get(a).names().stream().map(AnomalyType::id).toList()));
      String atLeast = anomaly.countIsLowerBound() ? "at least " : "";
      html.leaf("span", " × " + atLeast + Plain.number(anomaly.count()), "class", "count");
      html.close("span").open("span", "class", "which");
      boolean any = false;
      for (int w = 0; w < anomaly.witnesses().size(); w++) {
        if (pages.containsKey(new Choice(anomaly, w))) {
          any = true;
          html.leaf(
              "a",
              String.valueOf(w + 1),
              "href",
              "#" + caseId(a, w),
              "data-case",
              caseId(a, w),
              "aria-label",
              anomaly.type().id() + ", instance " + (w + 1));
        }
      }
      if (!any) {
        html.text("left out to keep the page small");
      }
      html.close("span").close("li").line();
    }
    html.close("ol").close("nav").line();
  }

  // ---- the rest

  private void facts(Markup html) {
    html.open("section", "class", "facts", "aria-labelledby", id + "-facts").line();
    html.leaf("h2", "The history", "id", id + "-facts").line();
    html.open("dl").line();
    fact(html, "file", subject.name() + " (" + history.origin().format() + ")");
    if (result.isUnread()) {
      fact(html, "read", "not to its end");
    } else {
      Totals totals = result.totals();
      fact(html, "transactions", Plain.number(totals.transactions()) + outcomes(totals));
      fact(html, "operations", Plain.number(totals.operations()));
      fact(html, "keys", Plain.number(totals.keys()));
      fact(html, "sessions", Plain.number(totals.sessions()));
    }
    long millis = result.parseMillis();
    for (long stage : result.report().stageMillis().values()) {
      millis += stage;
    }
    Map<String, String> known = new LinkedHashMap<>();
    history.metadata().forEach((name, value) -> known.put(name, Wording.oneLine(value)));
    known
        .keySet()
        .removeIf(name -> name.startsWith("note.") || name.startsWith(RecordedFault.PREFIX));
    for (String name : MAIN_FACTS) {
      if (known.containsKey(name)) {
        fact(html, name, known.remove(name));
      }
    }
    fact(html, "read and checked in", Plain.duration(millis));
    html.close("dl").line();
    known.values().removeIf("0"::equals);
    if (!known.isEmpty()) {
      html.open("details", "class", "more").leaf("summary", "More about the run").open("dl").line();
      known.forEach((name, value) -> fact(html, shown(name), value));
      html.close("dl").close("details").line();
    }
    List<String> notes = notes();
    if (!notes.isEmpty()) {
      html.leaf("h3", "Notes").open("ul", "class", "notes").line();
      notes.forEach(note -> html.leaf("li", Wording.oneLine(note)).line());
      html.close("ul").line();
    }
    html.close("section").line();
  }

  /** What metadata are called for people. */
  private static String shown(String name) {
    if (name.equals("assay")) {
      return "recorded by Assay";
    }
    if (name.startsWith(History.RUN_ERROR)) {
      return Wording.clean("error " + name.substring(History.RUN_ERROR.length()));
    }
    return name.startsWith(History.RUN)
        ? Wording.clean(name.substring(History.RUN.length()))
            .replaceAll("([A-Z])", " $1")
            .toLowerCase(Locale.ROOT)
        : Wording.clean(name);
  }

  private static String outcomes(Totals totals) {
    List<String> texts = new ArrayList<>();
    for (Outcome outcome : Outcome.values()) {
      if (totals.count(outcome) > 0) {
        texts.add(Plain.number(totals.count(outcome)) + " " + outcome.id());
      }
    }
    return texts.isEmpty() ? "" : " (" + String.join(", ", texts) + ")";
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(result.notes());
    result
        .unknownByReason(level -> true)
        .forEach(
            (why, levels) -> {
              String verb = levels.size() == 1 ? " is" : " are";
              notes.add(Plain.listed(levels) + verb + " unknown: " + why);
            });
    return notes;
  }
}
