package dev.assay.web.page;

import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Use;
import java.util.List;
import java.util.Map;

/** The fields of a form: each with its label, what it is filled with, and what is wrong with it. */
final class FormFields {
  private final Html html;
  private final Map<String, String> fields;
  private final Map<String, String> problems;

  FormFields(Html html, Map<String, String> fields, Map<String, String> problems) {
    this.html = html;
    this.fields = fields;
    this.problems = problems;
  }

  /** The same fields, written to a page. */
  FormFields on(Html page) {
    return new FormFields(page, fields, problems);
  }

  boolean isWrong(String name) {
    return problems.containsKey(name);
  }

  private String value(Parameter<?> parameter) {
    return fields.getOrDefault(parameter.id(), "");
  }

  /** The sources that have a parameter, for the script; empty for all. */
  static String sources(Parameter<?> parameter) {
    boolean all = parameter.sources().size() == Source.values().length;
    return all
        ? ""
        : String.join(" ", parameter.sources().stream().map(Source::id).sorted().toList());
  }

  /** A labelled place in the grid; an input and {@link #end} follow. */
  void begin(String id, String title, String sources) {
    html.open("div", "class", "field", "data-for", sources.isEmpty() ? null : sources);
    html.element("label", title, "for", id);
  }

  /** What to write, and what is wrong with what was written. */
  void end(String name, String hint) {
    note(hint);
    problem(name);
    html.close();
  }

  void note(String text) {
    html.element("small", text, "class", "hint");
  }

  void problem(String name) {
    String problem = problems.getOrDefault(name, "");
    html.element("small", problem, "class", "problem", "data-problem", name);
    html.element("small", "", "class", "caution", "data-caution", name);
  }

  /** A text that may be left empty. */
  void input(Parameter<?> parameter, String hint) {
    begin(parameter.id(), parameter.title(), sources(parameter));
    text(parameter, value(parameter), parameter.described(Use.RUN));
    end(parameter.id(), hint);
  }

  /** A number, or several, filled with the default. */
  void number(Parameter<?> parameter) {
    String standard = parameter.standard(Use.RUN);
    begin(parameter.id(), parameter.title(), sources(parameter));
    text(
        parameter, fields.getOrDefault(parameter.id(), standard == null ? "" : standard), standard);
    end(parameter.id(), parameter.hint());
  }

  private void text(Parameter<?> parameter, String value, String placeholder) {
    html.single(
        "input",
        "name",
        parameter.id(),
        "id",
        parameter.id(),
        "value",
        value,
        "placeholder",
        placeholder,
        "spellcheck",
        "false");
  }

  /** A choice among names; the first leaves it to the default. */
  void select(Parameter<?> parameter, String first) {
    begin(parameter.id(), parameter.title(), sources(parameter));
    html.open("select", "name", parameter.id(), "id", parameter.id());
    html.element("option", first, "value", "");
    for (String item : parameter.choices(Use.RUN)) {
      if (!item.equals(first)) {
        html.element("option", item, "selected", item.equals(value(parameter)) ? "" : null);
      }
    }
    html.close();
    end(parameter.id(), "");
  }

  /** A file that is sent as soon as it is chosen; what is submitted is the id it then has. */
  void file(Parameter<?> file, Parameter<?> label, String title, String hint, boolean several) {
    String id = file.id() + "-file";
    begin(id, title, sources(file));
    html.single(
        "input",
        "type",
        "file",
        "id",
        id,
        "data-upload",
        file.id(),
        "data-label",
        label.id(),
        "multiple",
        several ? "" : null);
    html.single("input", "type", "hidden", "name", file.id(), "value", value(file));
    html.single("input", "type", "hidden", "name", label.id(), "value", value(label));
    end(file.id(), hint);
  }

  // ---- names to choose from; several make a batch

  void chips(Parameter<?> parameter, String sources, String database) {
    String standard = parameter.standard(Use.RUN);
    String ticked = fields.getOrDefault(parameter.id(), standard == null ? "" : standard);
    chips(parameter, parameter.choices(Use.RUN), Names.items(ticked), sources, database);
    problem(parameter.id());
  }

  /**
   * The isolation levels of one database.
   *
   * @param database its id, or nothing for one that is not known
   */
  void levels(String database, List<String> names, String sources) {
    List<String> ticked = Names.items(value(Parameters.ISOLATION));
    boolean all = ticked.stream().anyMatch(Names.ALL::equalsIgnoreCase);
    chips(Parameters.ISOLATION, names, all ? names : ticked, sources, database);
  }

  private void chips(
      Parameter<?> parameter,
      List<String> names,
      List<String> ticked,
      String sources,
      String database) {
    html.open(
        "div",
        "class",
        "field wide choice",
        "role",
        "group",
        "aria-label",
        parameter.title(),
        "data-for",
        sources,
        "data-database",
        database,
        "data-choice",
        ticked.size() > 1 ? "several" : "one");
    html.element("span", parameter.title(), "class", "label").open("div", "class", "segments");
    for (String name : names) {
      html.open("label");
      html.single(
          "input",
          "type",
          "checkbox",
          "name",
          parameter.id(),
          "value",
          name,
          "checked",
          ticked.contains(name) ? "" : null);
      html.element("span", name).close();
    }
    html.element(
        "button", "compare several", "type", "button", "class", "link", "data-several", "");
    html.close();
    if (parameter == Parameters.ISOLATION) {
      note(parameter.hint());
    }
    html.close();
  }

  // ---- boxes

  /**
   * A single box.
   *
   * @param needs what the database must offer, or null
   */
  void flag(Parameter<Boolean> parameter, String needs) {
    group(parameter, sources(parameter), needs);
    box(parameter, RunConfig.YES, parameter.hint(), "");
    html.close();
    problem(parameter.id());
  }

  /** Boxes in a row; they follow. */
  void group(Parameter<?> parameter, String sources, String needs) {
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

  /** A short text in a row of boxes. */
  void inline(Parameter<?> parameter) {
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

  void boxes(Parameter<?> parameter, Iterable<String> values, String standard) {
    values.forEach(value -> box(parameter, value, value, standard));
  }

  private void box(Parameter<?> parameter, String value, String text, String standard) {
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
}
