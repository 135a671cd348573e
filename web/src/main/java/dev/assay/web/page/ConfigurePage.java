package dev.assay.web.page;

import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.config.Clients;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Use;
import dev.assay.collect.record.FaultPlan;
import dev.assay.web.run.Presets;
import dev.assay.web.run.RunRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The form that asks for runs. */
public final class ConfigurePage {
  private final Map<String, String> fields;
  private final Map<String, String> problems;
  private final Collection<String> plugins;

  /**
   * @param fields what the form is filled with
   * @param problems what is wrong with it, by field
   * @param plugins the names of the checkers in the plug-in folder
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

  private String value(Parameter<?> parameter) {
    return fields.getOrDefault(parameter.id(), "");
  }

  private void source(Html html) {
    String title = Parameters.SOURCE.title();
    html.open("fieldset").element("legend", title);
    html.open("div", "class", "segments", "role", "radiogroup", "aria-label", title);
    String chosen = fields.getOrDefault(Parameters.SOURCE.id(), Source.DATABASE.id());
    for (Source source : Source.values()) {
      html.open("label");
      html.single(
          "input",
          "type",
          "radio",
          "name",
          Parameters.SOURCE.id(),
          "value",
          source.id(),
          "checked",
          source.id().equals(chosen) ? "" : null);
      html.element("span", source.title()).close();
    }
    html.close().open("div", "class", "grid");
    databases(html);
    input(html, Parameters.VERSION, "");
    input(html, Parameters.URL, "");
    input(html, Parameters.USER, "");
    field(html, RunRequest.PASSWORD, "Password", Source.JDBC.id());
    html.single(
        "input",
        "type",
        "password",
        "name",
        RunRequest.PASSWORD,
        "id",
        RunRequest.PASSWORD,
        "autocomplete",
        "off");
    hint(html, RunRequest.PASSWORD, "kept in memory until the run is over, never on disk");
    file(
        html,
        Parameters.UPLOAD,
        Parameters.LABEL,
        "History",
        "any format that assay check reads, also packed");
    file(
        html,
        Parameters.VERSION_ORDER,
        Parameters.CERTIFICATE_LABEL,
        "Version certificate, if there is one",
        "version orders recovered from the database, as JSON lines");
    select(html, Parameters.FORMAT, "by content");
    html.close(2);
  }

  /** A file that is sent as soon as it is chosen; what is submitted is the id it then has. */
  private void file(Html html, Parameter<?> file, Parameter<?> label, String title, String hint) {
    String id = file.id() + "-file";
    field(html, id, title, sources(file));
    html.single(
        "input", "type", "file", "id", id, "data-upload", file.id(), "data-label", label.id());
    html.single("input", "type", "hidden", "name", file.id(), "value", value(file));
    html.single("input", "type", "hidden", "name", label.id(), "value", value(label));
    hint(html, file.id(), hint);
  }

  /** A choice among names; the first leaves it to the default. */
  private void select(Html html, Parameter<?> parameter, String first) {
    field(html, parameter.id(), parameter.title(), sources(parameter));
    html.open("select", "name", parameter.id(), "id", parameter.id());
    html.element("option", first, "value", "");
    for (String item : parameter.choices(Use.RUN)) {
      if (!item.equals(first)) {
        html.element("option", item, "selected", item.equals(value(parameter)) ? "" : null);
      }
    }
    html.close();
    hint(html, parameter.id(), "");
  }

  private void databases(Html html) {
    Parameter<Client> parameter = Parameters.DATABASE;
    field(html, parameter.id(), parameter.title(), sources(parameter));
    html.open("select", "name", parameter.id(), "id", parameter.id());
    String chosen = fields.getOrDefault(parameter.id(), Clients.standard().id());
    html.element(
        "option",
        "by its URL",
        "value",
        "",
        "data-for",
        Source.JDBC.id(),
        "data-offers",
        Parameters.WHITE_BOX.id());
    for (Client database : Clients.all()) {
      List<String> levels = new ArrayList<>();
      database.isolations().forEach(one -> levels.add(one.name()));
      html.element(
          "option",
          database.title(),
          "value",
          database.id(),
          "data-for",
          database.isEmbedded() ? sources(parameter) : Source.JDBC.id(),
          "data-levels",
          String.join(", ", levels),
          "data-offers",
          offers(database),
          "selected",
          database.id().equals(chosen) ? "" : null);
    }
    html.close();
    hint(html, parameter.id(), "");
  }

  /** What else can be done with a database. */
  private static String offers(Client database) {
    String log = WhiteBox.of(database).isPresent() ? Parameters.WHITE_BOX + " " : "";
    return log + (FaultPlan.DATABASES.contains(database.id()) ? Parameters.FAULTS : "");
  }

  private void workload(Html html) {
    html.open("fieldset", "data-for", sources(Parameters.WORKLOAD));
    html.element("legend", "Workload");
    html.element("p", "Lists such as 5, 10, 20 run every combination, as a batch.", "class", "sub");
    html.open("div", "class", "grid");
    for (Parameter<?> parameter : Parameters.of(Group.WORKLOAD)) {
      String standard = parameter.standard(Use.RUN);
      String filled = fields.getOrDefault(parameter.id(), standard == null ? "" : standard);
      field(html, parameter.id(), parameter.title(), sources(parameter));
      text(html, parameter.id(), filled, null);
      hint(html, parameter.id(), parameter.hint());
    }
    input(html, Parameters.DURATION, "or forever");
    input(html, Parameters.KEEP, "");
    select(html, Parameters.WRITES, Parameters.WRITES.standard(Use.RUN));
    input(html, Parameters.SHARES, Parameters.SHARES.hint());
    input(html, Parameters.RATE, Parameters.RATE.hint());
    input(html, Parameters.QUIESCE, Parameters.QUIESCE.hint());
    input(html, Parameters.REPLICAS, Parameters.REPLICAS.hint());
    select(html, Parameters.REPLICATION, Parameters.REPLICATION.standard(Use.RUN));
    html.close();
    ways(html);
    html.close();
  }

  /** Boxes that are ticked. */
  private void ways(Html html) {
    flag(html, Parameters.UNTIL_VIOLATED, null);
    flag(html, Parameters.FOR_UPDATE, null);
    flag(html, Parameters.WANDER, null);
    flag(html, Parameters.SPLIT_READS, null);
    group(html, Parameters.FAULTS, sources(Source.DATABASE), Parameters.FAULTS.id());
    List<String> kinds = new ArrayList<>(Parameters.FAULTS.choices(Use.RUN));
    // A request names no commands.
    kinds.remove(FaultKind.COMMAND.id());
    boxes(html, Parameters.FAULTS, kinds, "");
    time(html, Parameters.FAULTS_EVERY);
    time(html, Parameters.FAULTS_FOR);
    html.close();
    problem(html, Parameters.FAULTS.id());
    problem(html, Parameters.FAULTS_EVERY.id());
    problem(html, Parameters.FAULTS_FOR.id());
    flag(html, Parameters.WHITE_BOX, Parameters.WHITE_BOX.id());
  }

  private void time(Html html, Parameter<?> parameter) {
    html.open("label", "class", "inline").text(parameter.title() + " ");
    html.single(
        "input",
        "name",
        parameter.id(),
        "id",
        parameter.id(),
        "value",
        value(parameter),
        "placeholder",
        parameter.standard(Use.RUN),
        "size",
        "6");
    html.close();
  }

  /**
   * A single box.
   *
   * @param needs what the database must offer, or null
   */
  private void flag(Html html, Parameter<Boolean> parameter, String needs) {
    group(html, parameter, sources(parameter), needs);
    box(html, parameter, RunConfig.YES, parameter.hint(), "");
    html.close();
    problem(html, parameter.id());
  }

  /** Boxes in a row; they follow. */
  private static void group(Html html, Parameter<?> parameter, String sources, String needs) {
    html.open(
        "div",
        "class",
        "checks",
        "role",
        "group",
        "aria-label",
        parameter.title(),
        "data-for",
        sources,
        "data-needs",
        needs,
        "data-group",
        parameter.id());
    html.element("span", parameter.title());
  }

  private void boxes(Html html, Parameter<?> parameter, Iterable<String> values, String standard) {
    values.forEach(value -> box(html, parameter, value, value, standard));
  }

  private void box(Html html, Parameter<?> parameter, String value, String text, String standard) {
    String ticked = fields.getOrDefault(parameter.id(), standard);
    boolean chosen = Names.items(ticked).contains(value);
    html.open("label");
    html.single(
        "input",
        "type",
        "checkbox",
        "name",
        parameter.id(),
        "value",
        value,
        "checked",
        chosen ? "" : null);
    html.text(text).close();
  }

  private void checks(Html html) {
    html.open("fieldset").element("legend", "Check").open("div", "class", "grid");
    input(html, Parameters.LEVEL, "all, or a list");
    select(html, Parameters.EXPECT, "as requested");
    input(html, Parameters.TIMEOUT, "");
    input(html, Parameters.MEMORY, "");
    input(html, Parameters.ANOMALY, "");
    input(html, Parameters.FORBID, "");
    input(html, Parameters.MAX_WITNESSES, "");
    input(html, Parameters.THREADS, "");
    html.close();
    group(html, Parameters.INFER, null, null);
    boxes(html, Parameters.INFER, Parameters.INFER.choices(Use.RUN), "");
    html.close();
    note(html, "Verdicts are then about the history and the assumption together.");
    problem(html, Parameters.INFER.id());
    group(html, Parameters.CHECKERS, null, null);
    List<String> known = new ArrayList<>(Parameters.CHECKER_NAMES);
    known.addAll(plugins);
    boxes(html, Parameters.CHECKERS, known, Parameters.CHECKERS.standard(Use.RUN));
    html.close();
    note(
        html,
        "assay runs all methods in turn; the others are single methods, or checkers of the"
            + " plug-in folder. The first one decides the status.");
    problem(html, Parameters.CHECKERS.id());
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
    html.open("div", "class", "field", "data-for", sources.isEmpty() ? null : sources);
    html.element("label", title, "for", id);
  }

  private void input(Html html, Parameter<?> parameter, String hint) {
    field(html, parameter.id(), parameter.title(), sources(parameter));
    text(html, parameter.id(), value(parameter), parameter.described(Use.RUN));
    hint(html, parameter.id(), hint);
  }

  private static void text(Html html, String id, String value, String placeholder) {
    html.single(
        "input",
        "name",
        id,
        "id",
        id,
        "value",
        value,
        "placeholder",
        placeholder,
        "spellcheck",
        "false");
  }

  /** The sources that have a parameter, for the script; empty for all. */
  private static String sources(Parameter<?> parameter) {
    boolean all = parameter.sources().size() == Source.values().length;
    return all ? "" : sources(parameter.sources().toArray(new Source[0]));
  }

  private static String sources(Source... sources) {
    return String.join(" ", Stream.of(sources).map(Source::id).toList());
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
