package dev.assay.web.page;

import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunStatus;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** What was found, with the users' labels and notes. */
public final class BugsPage {
  /** The labels a bug may have. */
  public static final List<String> LABELS = List.of("Open", "Fixed");

  private static final RunFolder.BugNote UNNOTED = new RunFolder.BugNote(LABELS.get(0), "");

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

  private record Bug(Shown run, RunResult.FoundAnomaly anomaly, String label, String notes) {
    String type() {
      return anomaly.type();
    }
  }

  private List<Bug> bugs() {
    List<Bug> bugs = new ArrayList<>();
    for (RunFolder run : runs) {
      if (run.status() != RunStatus.BUGGY) {
        continue;
      }
      Shown shown = new Shown(run);
      for (RunResult.FoundAnomaly anomaly : shown.found().anomalies()) {
        RunFolder.BugNote note = run.bugs().getOrDefault(anomaly.type(), UNNOTED);
        bugs.add(new Bug(shown, anomaly, note.label(), note.notes()));
      }
    }
    return bugs;
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
      html.element("p", "Nothing was found so far.", "class", "empty");
      return Layout.end(html);
    }
    html.open("div", "class", "scroll").open("table", "class", "bugs");
    html.heads(List.of("Label", "Anomaly", "Where", "Asked for", "Found*", "Notes"));
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
    String form = "note-" + bug.run().id() + "-" + bug.type();
    html.open("tr", "id", bug.run().id() + "-" + bug.type(), "class", "bug");
    html.open("td");
    html.open(
        "form",
        "id",
        form,
        "method",
        "post",
        "action",
        "/bugs/" + bug.run().id() + "/" + bug.type(),
        "data-note",
        "");
    html.open(
        "select",
        "name",
        "label",
        "aria-label",
        "Label of " + bug.type(),
        "class",
        "label " + bug.label());
    for (String one : LABELS) {
      html.element("option", one, "selected", one.equals(bug.label()) ? "" : null);
    }
    html.close(3);
    html.open("td", "class", "name");
    boolean report = Files.exists(bug.run().run().file(RunFolder.REPORT));
    html.open("a", "href", bug.run().href() + (report ? "#" + bug.type() : ""));
    html.element("code", bug.type()).close();
    html.element("small", bug.anomaly().name()).close();
    html.open("td", "class", "name").element("a", bug.run().subject(), "href", bug.run().href());
    html.open("small");
    Shown.time(html, bug.run().created());
    html.close(2);
    html.element("td", bug.run().isolation());
    RunsPage.number(html, Shown.number(bug.anomaly().count()), "found");
    html.open("td", "class", "notes");
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
        "a note",
        "aria-label",
        "Notes on " + bug.type());
    html.element("button", "Save", "class", "link", "type", "submit", "form", form);
    html.close(2);
  }
}
