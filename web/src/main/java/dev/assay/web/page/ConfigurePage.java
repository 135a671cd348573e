package dev.assay.web.page;

import dev.assay.collect.Planted;
import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Databases;
import dev.assay.collect.record.FaultPlan;
import dev.assay.collect.store.StoreLevel;
import dev.assay.level.Level;
import dev.assay.web.run.Parameter;
import dev.assay.web.run.Presets;
import dev.assay.web.run.RunRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The form that asks for runs. */
public final class ConfigurePage {
  private static final Map<String, String> SOURCES =
      Map.of(
          RunRequest.DATABASE, "A database that Assay starts",
          RunRequest.JDBC, "A database by URL",
          RunRequest.SYNTHETIC, "A simulated store",
          RunRequest.UPLOAD, "A recorded history");

  /** The sources that are databases. */
  private static final String LIVE = RunRequest.DATABASE + " " + RunRequest.JDBC;

  private final Map<String, String> fields;
  private final Map<String, String> problems;
  private final Collection<String> plugins;

  /**
   * @param fields what the form is filled with
   * @param problems what is wrong with it, by field
   * @param plugins the names of other people's checkers
   */
  public ConfigurePage(
      Map<String, String> fields, Map<String, String> problems, Collection<String> plugins) {
    this.fields = fields;
    this.problems = problems;
    this.plugins = plugins;
  }

  public String html() {
    Html html = Layout.begin("Configure", "/new");
    html.open("div", "class", "head").element("h1", "Configure").close();
    html.open("nav", "class", "presets", "aria-label", "Presets");
    html.element("span", "Presets");
    for (Presets.Preset preset : Presets.all()) {
      html.element(
          "a",
          preset.title(),
          "class",
          "chip",
          "href",
          "/new?preset=" + preset.id(),
          "title",
          preset.about());
    }
    html.close();
    html.open(
        "form", "id", "configure", "method", "post", "action", "/runs", "autocomplete", "off");
    html.open("div", "class", "sheet");
    source(html);
    workload(html);
    checks(html);
    html.close();
    aside(html);
    html.close();
    return Layout.end(html);
  }

  private String value(String name, String standard) {
    return fields.getOrDefault(name, standard);
  }

  private void source(Html html) {
    html.open("fieldset").element("legend", "History from");
    html.open("div", "class", "segments", "role", "radiogroup", "aria-label", "History from");
    String chosen = value("source", RunRequest.DATABASE);
    for (String source :
        List.of(RunRequest.DATABASE, RunRequest.JDBC, RunRequest.SYNTHETIC, RunRequest.UPLOAD)) {
      html.open("label");
      html.single(
          "input",
          "type",
          "radio",
          "name",
          "source",
          "value",
          source,
          "checked",
          source.equals(chosen) ? "" : null);
      html.element("span", SOURCES.get(source)).close();
    }
    html.close().open("div", "class", "grid");
    databases(html);
    input(html, "version", "Version", "tested one", RunRequest.DATABASE);
    input(html, "url", "JDBC URL", "jdbc:postgresql://host:5432/database", RunRequest.JDBC);
    input(html, "user", "User", "", RunRequest.JDBC);
    field(html, "password", "Password", RunRequest.JDBC);
    html.single(
        "input", "type", "password", "name", "password", "id", "password", "autocomplete", "off");
    hint(html, "password", "kept in memory until the run is over, never on disk");
    file(html, "upload", "label", "History", "any format that assay check reads, also packed");
    file(
        html,
        "version-order",
        "certificate-label",
        "Version certificate, if there is one",
        "orders of versions recovered from the database, as JSON lines");
    select(html, "format", "Format", "by content", RunRequest.FORMATS, RunRequest.UPLOAD);
    html.close(2);
  }

  /** A file that is sent as soon as it is chosen; what is submitted is the id it then has. */
  private void file(Html html, String name, String label, String title, String hint) {
    String id = name + "-file";
    field(html, id, title, RunRequest.UPLOAD);
    html.single("input", "type", "file", "id", id, "data-upload", name, "data-label", label);
    html.single("input", "type", "hidden", "name", name, "value", value(name, ""));
    html.single("input", "type", "hidden", "name", label, "value", value(label, ""));
    hint(html, name, hint);
  }

  private void select(
      Html html, String name, String title, String standard, List<String> items, String sources) {
    field(html, name, title, sources);
    html.open("select", "name", name, "id", name);
    html.element("option", standard, "value", "");
    for (String item : items) {
      html.element("option", item, "selected", item.equals(value(name, "")) ? "" : null);
    }
    html.close();
    hint(html, name, "");
  }

  private void databases(Html html) {
    field(html, "database", "Database", LIVE);
    html.open("select", "name", "database", "id", "database");
    String chosen = value("database", "h2");
    html.element(
        "option",
        "by its URL",
        "value",
        "",
        "data-for",
        RunRequest.JDBC,
        "data-offers",
        "white-box");
    for (Database database : Databases.all()) {
      List<String> levels = new ArrayList<>();
      database.isolations().forEach(one -> levels.add(one.name()));
      html.element(
          "option",
          database.title(),
          "value",
          database.id(),
          "data-for",
          database.isEmbedded() ? LIVE : RunRequest.JDBC,
          "data-levels",
          String.join(", ", levels),
          "data-offers",
          offers(database),
          "selected",
          database.id().equals(chosen) ? "" : null);
    }
    html.close();
    hint(html, "database", "");
  }

  /** What else can be done with a database. */
  private static String offers(Database database) {
    String log = WhiteBox.of(database).isPresent() ? "white-box " : "";
    return log + (FaultPlan.DATABASES.contains(database.id()) ? "faults" : "");
  }

  private void workload(Html html) {
    html.open("fieldset", "data-for", "database jdbc synthetic");
    html.element("legend", "Workload");
    html.element("p", "Lists such as 5, 10, 20 run every combination, as a batch.", "class", "sub");
    html.open("div", "class", "grid");
    Map<Parameter, String> choices = new LinkedHashMap<>();
    choices.put(Parameter.ISOLATION, "its strongest, or a list, or all");
    choices.put(Parameter.STORE, listed(StoreLevel.values()));
    choices.put(Parameter.WORKLOAD, String.join(", ", Parameter.workloads(false)));
    choices.put(Parameter.TRANSACTIONS, "as many as there is time for; simulated: 100");
    choices.put(Parameter.DISTRIBUTION, "uniform, zipf, hotspot");
    choices.put(Parameter.OPERATIONS, "a number or a range");
    choices.put(Parameter.PLANT, "none; " + String.join(", ", Planted.ids()));
    choices.put(Parameter.WRITES_PER_KEY, "after which a fresh key takes its place");
    for (Parameter parameter : Parameter.values()) {
      boolean database = parameter.isFor(false);
      boolean synthetic = parameter.isFor(true);
      String sources = (database ? "database jdbc " : "") + (synthetic ? "synthetic" : "");
      field(html, parameter.id(), parameter.title(), sources);
      html.single(
          "input",
          "name",
          parameter.id(),
          "id",
          parameter.id(),
          "value",
          value(parameter.id(), parameter.standard()),
          "spellcheck",
          "false");
      hint(html, parameter.id(), choices.getOrDefault(parameter, ""));
    }
    input(html, "duration", "Duration", "5s", LIVE);
    select(html, "writes", "Writes", "upsert", List.of("update"), LIVE);
    input(html, "shares", "Shares of predicate steps", "insert=10,range=15", LIVE);
    html.close();
    ways(html);
    html.close();
  }

  /** What is ticked, and what goes with it. */
  private void ways(Html html) {
    group(html, "for-update", "Reads", LIVE, null);
    box(html, "for-update", RunRequest.YES, "with SELECT … FOR UPDATE", "");
    html.close();
    problem(html, "for-update");
    group(html, "faults", "Make the server fail", RunRequest.DATABASE, "faults");
    for (FaultPlan.Kind kind : FaultPlan.Kind.values()) {
      box(html, "faults", kind.id(), kind.id(), "");
    }
    html.open("label", "class", "inline").text("every ");
    html.single(
        "input",
        "name",
        "faults-every",
        "id",
        "faults-every",
        "value",
        value("faults-every", ""),
        "placeholder",
        "2s",
        "size",
        "6");
    html.close(2);
    problem(html, "faults");
    problem(html, "faults-every");
    group(html, "white-box", "White box", LIVE, "white-box");
    box(
        html,
        "white-box",
        RunRequest.YES,
        "read the database's log and check with its version certificate",
        "");
    html.close();
    problem(html, "white-box");
  }

  /** Boxes in a row; they follow. */
  private static void group(Html html, String name, String title, String sources, String needs) {
    html.open(
        "div",
        "class",
        "checks",
        "role",
        "group",
        "aria-label",
        title,
        "data-for",
        sources,
        "data-needs",
        needs,
        "data-group",
        name);
    html.element("span", title);
  }

  private void box(Html html, String name, String value, String text, String standard) {
    boolean chosen = Parameter.values(value(name, standard)).contains(value);
    html.open("label");
    html.single(
        "input", "type", "checkbox", "name", name, "value", value, "checked", chosen ? "" : null);
    html.text(text).close();
  }

  private static String listed(StoreLevel[] levels) {
    List<String> ids = new ArrayList<>();
    for (StoreLevel level : levels) {
      ids.add(level.id());
    }
    return String.join(", ", ids);
  }

  private void checks(Html html) {
    html.open("fieldset").element("legend", "Check").open("div", "class", "grid");
    input(html, "level", "Levels", "all, or a list", "");
    field(html, "expect", "Must hold", "");
    html.open("select", "name", "expect", "id", "expect");
    html.element("option", "as asked for", "value", "");
    for (Level level : Level.surveyed()) {
      boolean chosen = level.id().equals(value("expect", ""));
      html.element("option", level.id(), "selected", chosen ? "" : null);
    }
    html.close();
    hint(html, "expect", "the level asked for, else serializable");
    input(html, "timeout", "Time for each check", "10m", "");
    input(html, "memory", "Memory for each step", "2g", "");
    input(html, "anomaly", "Show only these anomalies", "all", "");
    input(html, "max-witnesses", "Instances of each anomaly", "3", "");
    input(html, "threads", "Threads of each check", "one a processor", "");
    html.close();
    group(html, "infer", "Assume of registers", null, null);
    for (String assumption : RunRequest.ASSUMPTIONS) {
      box(html, "infer", assumption, assumption, "");
    }
    html.close();
    note(html, "Verdicts are then about the history and the assumption together.");
    problem(html, "infer");
    group(html, "checkers", "Checkers", null, null);
    List<String> known = new ArrayList<>(RunRequest.OUR_CHECKERS);
    known.addAll(plugins);
    for (String checker : known) {
      box(html, "checkers", checker, checker, RunRequest.OUR_CHECKERS.get(0));
    }
    html.close();
    note(
        html,
        "assay asks all methods in turn; the others are one method by itself, or of the plug-in"
            + " folder. The first one decides the status.");
    problem(html, "checkers");
    html.close();
  }

  private void aside(Html html) {
    html.open("aside", "class", "summary");
    html.element("button", "Start", "type", "submit", "class", "button primary", "id", "start");
    html.element("p", "", "id", "count", "class", "sub", "aria-live", "polite");
    html.element("h3", "The same on the command line");
    html.open("div", "class", "copy").element("pre", "", "id", "commands");
    html.element("button", "Copy", "type", "button", "data-copy", "").close(2);
  }

  /** A labelled place in the grid; an input and {@link #hint} follow. */
  private static void field(Html html, String id, String title, String sources) {
    html.open("div", "class", "field", "data-for", sources.isEmpty() ? null : sources.strip());
    html.element("label", title, "for", id);
  }

  private void input(Html html, String name, String title, String placeholder, String sources) {
    field(html, name, title, sources);
    html.single(
        "input",
        "name",
        name,
        "id",
        name,
        "value",
        value(name, ""),
        "placeholder",
        placeholder,
        "spellcheck",
        "false");
    hint(html, name, "");
  }

  /** What to write, or what is wrong with what was written; ends the place in the grid. */
  private void hint(Html html, String name, String text) {
    note(html, text);
    problem(html, name);
    html.close();
  }

  private static void note(Html html, String text) {
    html.element("small", text, "class", "hint");
  }

  private void problem(Html html, String name) {
    String problem = problems.get(name);
    html.element("small", problem == null ? "" : problem, "class", "problem", "data-problem", name);
  }
}
