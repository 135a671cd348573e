package dev.assay.web.page;

import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found, with the users' labels and notes. The same anomaly of the same database, version
 * and level is one bug, however many runs show it.
 */
public final class BugsPage {
  /** The labels a bug may have. */
  public static final List<String> LABELS = List.of("Open", "Fixed");

  private static final String OPEN = LABELS.get(0);
  private static final String FIXED = LABELS.get(1);

  private final List<RunFolder> runs;
  private final String label;

  /**
   * @param runs all runs, newest first
   * @param label the label of the bugs to show, or empty for all
   */
  public BugsPage(List<RunFolder> runs, String label) {
    this.runs = runs;
    this.label = label;
  }

  /** One run that shows a bug. */
  private record Sighting(Shown run, RunResult.FoundAnomaly anomaly) {
    RunFolder.BugNote note() {
      return run.run().bugs().get(anomaly.type());
    }
  }

  private record Key(String database, String isolation, String type) {}

  /** A bug, by all the runs that show it, newest first. */
  private record Bug(Key key, List<Sighting> seen) {
    Sighting newest() {
      return seen.get(0);
    }

    Sighting oldest() {
      return seen.get(seen.size() - 1);
    }

    /** The newest sighting that someone noted something about, or null. */
    private Sighting noted() {
      return seen.stream().filter(one -> one.note() != null).findFirst().orElse(null);
    }

    /** Whether it was labelled as fixed, and a later run shows it again. */
    boolean isReopened() {
      Sighting noted = noted();
      return noted != null && noted != newest() && noted.note().label().equals(FIXED);
    }

    String label() {
      Sighting noted = noted();
      return noted == null || isReopened() ? OPEN : noted.note().label();
    }

    String notes() {
      Sighting noted = noted();
      return noted == null ? "" : noted.note().notes();
    }
  }

  private List<Bug> bugs() {
    Map<Key, Bug> bugs = new LinkedHashMap<>();
    for (RunFolder run : runs) {
      if (run.status() != RunStatus.BUGGY) {
        continue;
      }
      Shown shown = new Shown(run);
      String database = shown.product();
      for (RunResult.FoundAnomaly anomaly : shown.found().anomalies()) {
        Key key = new Key(database, shown.isolation(), anomaly.type());
        bugs.computeIfAbsent(key, one -> new Bug(one, new ArrayList<>()))
            .seen()
            .add(new Sighting(shown, anomaly));
      }
    }
    return new ArrayList<>(bugs.values());
  }

  public String html() {
    Html html = Layout.begin("Bugs", "/bugs");
    html.open("div", "class", "head").element("h1", "Bugs").close();
    List<Bug> bugs = bugs();
    html.open("div", "class", "filters");
    chip(html, "", "All", bugs);
    LABELS.forEach(one -> chip(html, one, one, bugs));
    html.close();
    if (bugs.isEmpty()) {
      html.element("p", "No violations found so far.", "class", "empty");
      return Layout.end(html);
    }
    html.open("div", "class", "scroll").open("table", "class", "bugs");
    html.heads(List.of("Label", "Anomaly", "Database", "Seen", "Instances*", "Notes"));
    html.open("tbody");
    for (Bug bug : bugs) {
      if (label.isEmpty() || label.equals(bug.label())) {
        row(html, bug);
      }
    }
    html.close(3);
    return Layout.end(html);
  }

  private void chip(Html html, String id, String title, List<Bug> bugs) {
    long count = bugs.stream().filter(bug -> id.isEmpty() || bug.label().equals(id)).count();
    html.open(
        "a",
        "class",
        "chip",
        "href",
        "/bugs?label=" + id,
        "aria-current",
        id.equals(label) ? "true" : null);
    html.text(title + " ").element("b", Long.toString(count)).close();
  }

  private static void row(Html html, Bug bug) {
    String type = bug.key().type();
    Shown newest = bug.newest().run();
    String form = "note-" + newest.id() + "-" + type;
    html.open("tr", "id", newest.id() + "-" + type, "class", "bug");
    html.open("td");
    label(html, bug, form);
    html.close().open("td", "class", "name");
    String name = bug.newest().anomaly().name();
    html.element("a", name == null ? type : name, "href", newest.href() + "#" + type);
    html.open("small").element("code", type).close().close();
    html.open("td", "class", "name").text(bug.key().database());
    html.element("small", bug.key().isolation()).close();
    html.open("td", "class", "seen");
    seen(html, bug);
    html.close();
    RunsPage.number(html, count(bug.newest().anomaly()), "instances");
    html.open("td", "class", "remarks");
    html.single(
        "input",
        "name",
        "notes",
        "form",
        form,
        "value",
        bug.notes(),
        "maxlength",
        "2000",
        "placeholder",
        "Add a note",
        "aria-label",
        "Notes on " + type);
    html.element("button", "Save", "class", "link", "type", "submit", "form", form);
    html.close(2);
  }

  private static void label(Html html, Bug bug, String form) {
    String type = bug.key().type();
    html.open(
        "form",
        "id",
        form,
        "method",
        "post",
        "action",
        "/bugs/" + bug.newest().run().id() + "/" + type,
        "data-note",
        "");
    html.open(
        "select",
        "name",
        "label",
        "aria-label",
        "Label of " + type,
        "class",
        "label " + bug.label());
    for (String one : LABELS) {
      html.element("option", one, "selected", one.equals(bug.label()) ? "" : null);
    }
    html.close();
    if (bug.isReopened()) {
      html.element(
          "span",
          "reopened",
          "class",
          "pill failed",
          "title",
          "It was labelled as fixed, and a later run shows it again.");
    }
    html.close();
  }

  private static void seen(Html html, Bug bug) {
    html.open("details").element("summary", "in " + Plain.count(bug.seen().size(), "run"));
    html.open("ul");
    for (Sighting one : bug.seen()) {
      html.open("li").open("a", "href", one.run().href() + "#" + bug.key().type());
      Shown.time(html, one.run().created());
      html.close(2);
    }
    html.close(2).open("small");
    Shown.time(html, bug.newest().run().created());
    if (bug.seen().size() > 1) {
      html.text(", first ");
      Shown.time(html, bug.oldest().run().created());
    }
    html.close();
  }

  /** A count that was not counted to its end says so. */
  private static String count(RunResult.FoundAnomaly anomaly) {
    boolean atLeast = Boolean.TRUE.equals(anomaly.countIsLowerBound());
    return (atLeast ? "≥ " : "") + Shown.number(anomaly.count());
  }
}
