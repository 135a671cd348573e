package dev.assay.web.page;

import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.config.Clients;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Use;
import dev.assay.web.run.Presets;
import dev.assay.web.run.RunRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The form that asks for runs. What most runs need comes first: a database, its level, a preset.
 * The rest has defaults and is folded away.
 */
public final class ConfigurePage {
  /** The field with the preset that the form was filled from. */
  public static final String PRESET = "preset";

  /** Parameters of a workload that are chosen in the first part of the form. */
  private static final Set<Parameter<?>> FIRST = Set.of(Parameters.ISOLATION, Parameters.STORE);

  private final Map<String, String> fields;
  private final FormFields form;
  private final Collection<String> plugins;

  /**
   * @param fields what the form is filled with
   * @param problems what is wrong with it, by field
   * @param plugins the names of the checkers in the plug-in folder
   */
  public ConfigurePage(
      Map<String, String> fields, Map<String, String> problems, Collection<String> plugins) {
    this.fields = fields;
    this.form = new FormFields(new Html(), fields, problems);
    this.plugins = plugins;
  }

  public String html() {
    Html html = Layout.begin("New run", "/new");
    html.open("div", "class", "head").element("h1", "New run").close();
    html.open(
        "form", "id", "configure", "method", "post", "action", "/runs", "autocomplete", "off");
    html.open("div", "class", "sheet");
    FormFields on = form.on(html);
    first(html, on);
    workload(html, on);
    recording(html, on);
    checks(html, on);
    html.close();
    aside(html);
    html.close();
    return Layout.end(html);
  }

  // ---- the first part: what to test

  private void first(Html html, FormFields on) {
    html.open("fieldset", "class", "first").element("legend", Parameters.SOURCE.title());
    String chosen = fields.getOrDefault(Parameters.SOURCE.id(), Source.DATABASE.id());
    html.open("div", "class", "segments", "role", "radiogroup", "aria-label", "Source");
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
    databases(html, on);
    on.input(Parameters.VERSION, "");
    on.input(Parameters.URL, "");
    on.input(Parameters.USER, "");
    password(html, on);
    html.close();
    files(html, on);
    levels(on);
    on.chips(Parameters.STORE, FormFields.sources(Parameters.STORE), null);
    presets(html);
    html.close();
  }

  private void password(Html html, FormFields on) {
    on.begin(RunRequest.PASSWORD, "Password", Source.JDBC.id());
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
    on.end(RunRequest.PASSWORD, "kept in memory until the run is over, never on disk");
  }

  private void presets(Html html) {
    html.open("div", "class", "field wide").element("span", "Presets", "class", "label");
    html.open("nav", "class", "presets", "aria-label", "Presets");
    for (Presets.Preset preset : Presets.all()) {
      boolean current = preset.id().equals(fields.get(PRESET));
      html.element(
          "a",
          preset.title(),
          "class",
          "chip",
          "href",
          "/new?" + PRESET + "=" + preset.id(),
          "title",
          preset.about(),
          "aria-current",
          current ? "true" : null);
    }
    html.close();
    String about = Presets.find(fields.get(PRESET)).map(Presets.Preset::about).orElse("");
    html.element("small", about, "class", "hint").close();
  }

  /** The levels of each database; only those of the chosen one are shown, and sent. */
  private void levels(FormFields on) {
    String live = Source.DATABASE.id() + " " + Source.JDBC.id();
    List<String> usual =
        List.of("read-uncommitted", "read-committed", "repeatable-read", "serializable");
    on.levels("", usual, live);
    for (Client database : Clients.all()) {
      on.levels(database.id(), database.isolations().stream().map(Isolation::name).toList(), live);
    }
    on.problem(Parameters.ISOLATION.id());
  }

  /** Files that are sent as soon as they are chosen or dropped. */
  private void files(Html html, FormFields on) {
    html.open("div", "class", "drop", "data-for", Source.UPLOAD.id());
    on.file(
        Parameters.UPLOAD,
        Parameters.LABEL,
        "Histories",
        "drop one or more files anywhere on this page; any format that assay check reads, also"
            + " compressed",
        true);
    on.file(
        Parameters.VERSION_ORDER,
        Parameters.CERTIFICATE_LABEL,
        "Version certificate (optional)",
        "version orders recovered from the database, as JSON lines",
        false);
    on.select(Parameters.FORMAT, "by content");
    html.close();
  }

  private void databases(Html html, FormFields on) {
    Parameter<Client> parameter = Parameters.DATABASE;
    on.begin(parameter.id(), parameter.title(), FormFields.sources(parameter));
    html.open("select", "name", parameter.id(), "id", parameter.id());
    String chosen = fields.getOrDefault(parameter.id(), Clients.standard().id());
    html.element(
        "option",
        "recognised by its URL",
        "value",
        "",
        "data-for",
        Source.JDBC.id(),
        "data-offers",
        Parameters.WHITE_BOX.id());
    for (Client database : Clients.all()) {
      html.element(
          "option",
          database.title(),
          "value",
          database.id(),
          "data-for",
          database.isEmbedded() ? FormFields.sources(parameter) : Source.JDBC.id(),
          "data-offers",
          offers(database),
          "selected",
          database.id().equals(chosen) ? "" : null);
    }
    html.close();
    on.end(parameter.id(), "");
  }

  /** What else can be done with a database. */
  private static String offers(Client database) {
    String log = WhiteBox.of(database).isPresent() ? Parameters.WHITE_BOX + " " : "";
    return log + (database.canFail() ? Parameters.FAULTS : "");
  }

  // ---- the other parts, folded

  private void tier(Html html, String title, String sources, List<Parameter<?>> inside) {
    boolean wrong = inside.stream().anyMatch(one -> form.isWrong(one.id()));
    html.open(
        "details",
        "class",
        "tier",
        "data-for",
        sources.isEmpty() ? null : sources,
        "open",
        wrong ? "" : null);
    html.open("summary").element("b", title).element("small", "", "class", "said").close();
  }

  private void workload(Html html, FormFields on) {
    List<Parameter<?>> inside = Parameters.of(Group.WORKLOAD);
    tier(html, "Workload", FormFields.sources(Parameters.WORKLOAD), inside);
    String lists = "Several numbers, such as 5, 10, 20, run every combination as a batch.";
    html.element("p", lists, "class", "sub");
    on.chips(Parameters.WORKLOAD, FormFields.sources(Parameters.WORKLOAD), null);
    on.chips(Parameters.DISTRIBUTION, FormFields.sources(Parameters.DISTRIBUTION), null);
    html.open("div", "class", "grid");
    for (Parameter<?> parameter : inside) {
      boolean chips = parameter == Parameters.WORKLOAD || parameter == Parameters.DISTRIBUTION;
      if (FIRST.contains(parameter) || chips || parameter == Parameters.PLANT) {
        continue;
      }
      on.number(parameter);
    }
    on.select(Parameters.PLANT, "none");
    html.close(2);
  }

  private void recording(Html html, FormFields on) {
    String live = Source.DATABASE.id() + " " + Source.JDBC.id();
    tier(html, "Recording", live, Parameters.of(Group.RECORDING, Group.LIVE));
    html.open("div", "class", "grid");
    on.input(Parameters.DURATION, "such as 30s, 10m, or forever");
    on.input(Parameters.REPEAT, Parameters.REPEAT.hint());
    on.input(Parameters.KEEP, "of the recording, such as 500MB");
    on.select(Parameters.WRITES, Parameters.WRITES.standard(Use.RUN));
    on.input(Parameters.SHARES, Parameters.SHARES.hint());
    on.input(Parameters.RATE, Parameters.RATE.hint());
    on.input(Parameters.WARMUP, Parameters.WARMUP.hint());
    on.input(Parameters.QUIESCE, Parameters.QUIESCE.hint());
    on.input(Parameters.REPLICAS, Parameters.REPLICAS.hint());
    on.input(Parameters.NODES, Parameters.NODES.hint());
    on.select(Parameters.REPLICATION, Parameters.REPLICATION.standard(Use.RUN));
    html.close();
    on.flag(Parameters.UNTIL_VIOLATED, null);
    on.flag(Parameters.FOR_UPDATE, null);
    on.flag(Parameters.WANDER, null);
    on.flag(Parameters.SPLIT_READS, null);
    on.group(Parameters.FAULTS, Source.DATABASE.id(), Parameters.FAULTS.id());
    List<String> kinds = new ArrayList<>(Parameters.FAULTS.choices(Use.RUN));
    // A request names no commands.
    kinds.remove(FaultKind.COMMAND.id());
    on.boxes(Parameters.FAULTS, kinds, "");
    on.inline(Parameters.FAULTS_EVERY);
    on.inline(Parameters.FAULTS_FOR);
    html.close();
    on.problem(Parameters.FAULTS.id());
    on.problem(Parameters.FAULTS_EVERY.id());
    on.problem(Parameters.FAULTS_FOR.id());
    on.flag(Parameters.WHITE_BOX, Parameters.WHITE_BOX.id());
    html.close();
  }

  private void checks(Html html, FormFields on) {
    tier(html, "Check", "", Parameters.of(Group.CHECK));
    html.open("div", "class", "grid");
    on.input(Parameters.LEVEL, "all, or a list of names");
    on.select(Parameters.EXPECT, "the level requested");
    on.input(Parameters.TIMEOUT, "");
    on.input(Parameters.MEMORY, "");
    on.input(Parameters.ANOMALY, "");
    on.input(Parameters.FORBID, "");
    on.input(Parameters.MAX_WITNESSES, "");
    on.input(Parameters.THREADS, "");
    html.close();
    on.group(Parameters.INFER, null, null);
    on.boxes(Parameters.INFER, Parameters.INFER.choices(Use.RUN), "");
    html.close();
    on.note("With an assumption, verdicts are about the history and the assumption together.");
    on.problem(Parameters.INFER.id());
    on.group(Parameters.CHECKERS, null, null);
    List<String> known = new ArrayList<>(Parameters.CHECKER_NAMES);
    known.addAll(plugins);
    on.boxes(Parameters.CHECKERS, known, Parameters.CHECKERS.standard(Use.RUN));
    html.close();
    on.note(
        "assay uses all methods in turn. The others are single methods, or checkers from the"
            + " plug-in folder. The first one decides the status.");
    on.problem(Parameters.CHECKERS.id());
    html.close();
  }

  private void aside(Html html) {
    html.open("aside", "class", "summary").open("div", "class", "go");
    html.element("button", "Start", "type", "submit", "class", "button primary", "id", "start");
    html.element("p", "", "id", "count", "class", "sub", "aria-live", "polite").close();
    html.open("div", "class", "same").element("h3", "The same on the command line");
    html.open("div", "class", "copy").element("pre", "", "id", "commands");
    html.element("button", "Copy", "type", "button", "data-copy", "").close(3);
  }
}
