package dev.assay.web.run;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.Node;
import dev.assay.collect.config.Clients;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.RunRules;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Sweep;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.vendor.Databases;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A submitted form of the configuration page: its fields, checked one by one, and the runs that it
 * asks for. No value reaches a command line without having passed a check here.
 */
public final class RunRequest {
  /** The field of the password, which is not part of any configuration. */
  public static final String PASSWORD = "password";

  static final int MOST_RUNS = 500;

  private final Map<String, String> form;
  private final Collection<String> plugins;
  private final Source source;
  private final Map<String, String> problems = new LinkedHashMap<>();
  private Sweep sweep;
  private List<RunConfig> runs = List.of();

  private RunRequest(Map<String, String> form, Collection<String> plugins) {
    this.form = form;
    this.plugins = plugins;
    String wanted = field(Parameters.SOURCE);
    this.source =
        Stream.of(Source.values())
            .filter(one -> one.id().equals(wanted.isEmpty() ? Source.DATABASE.id() : wanted))
            .findFirst()
            .orElse(null);
  }

  /**
   * Checks a form.
   *
   * @param form its fields; unknown ones are ignored
   * @param plugins the names of the checkers in the plug-in folder
   */
  public static RunRequest of(Map<String, String> form, Collection<String> plugins) {
    RunRequest request = new RunRequest(form, plugins);
    if (request.source == null) {
      request.problems.put(Parameters.SOURCE.id(), "choose where the history comes from");
    } else {
      request.check();
    }
    return request;
  }

  /** What is wrong, by the name of the field; empty if nothing is. */
  public Map<String, String> problems() {
    return problems;
  }

  /** The configuration of each run; empty if there are problems. */
  public List<RunConfig> runs() {
    return runs;
  }

  /** The runs as one configuration with lists. */
  RunConfig asLists() {
    return sweep.asLists();
  }

  /** The names of the parameters that have more than one value. */
  public List<String> varied() {
    return sweep.varied().stream().map(Parameter::id).toList();
  }

  private String field(Parameter<?> parameter) {
    return form.getOrDefault(parameter.id(), "").strip();
  }

  private void check() {
    RunConfig common = common();
    checkTarget(common);
    require(PASSWORD, form.getOrDefault(PASSWORD, "").chars().noneMatch(c -> c < ' '), "one line");
    add(RunRules.problems(common.with(Parameters.SHARES, null)));
    for (String checker : common.items(Parameters.CHECKERS)) {
      boolean known = Parameters.CHECKER_NAMES.contains(checker) || plugins.contains(checker);
      require(Parameters.CHECKERS.id(), known, "there is no checker '" + checker + "'");
    }
    boolean first =
        common.items(Parameters.CHECKERS).get(0).equals(Parameters.CHECKER_NAMES.get(0));
    require(
        Parameters.UNTIL_VIOLATED.id(),
        first || !common.isSet(Parameters.UNTIL_VIOLATED),
        "requires " + Parameters.CHECKER_NAMES.get(0) + " as the first checker");
    sweep = new Sweep(common);
    for (Parameter<?> parameter : Parameters.of(Group.WORKLOAD)) {
      if (parameter.isFor(source)) {
        vary(parameter, common);
      }
    }
    if (problems.isEmpty() && sweep.size() > MOST_RUNS) {
      String many = "these lists make " + sweep.size() + " runs; at most " + MOST_RUNS;
      problems.put(Parameters.SESSIONS.id(), many);
    }
    if (problems.isEmpty()) {
      List<RunConfig> all = sweep.runs();
      all.forEach(run -> add(RunRules.problems(run)));
      runs = problems.isEmpty() ? all : List.of();
    }
  }

  /** The values that all runs share. */
  private RunConfig common() {
    Use use = source == Source.SYNTHETIC ? Use.GENERATE : Use.RUN;
    RunConfig common = RunConfig.empty(use).with(Parameters.SOURCE, source.id());
    for (Parameter<?> parameter : groups()) {
      if (parameter != Parameters.SOURCE && parameter.isField() && parameter.isFor(source)) {
        common = common.with(parameter, field(parameter));
      }
    }
    if (source.isLive() && !common.has(Parameters.DATABASE)) {
      common = common.with(Parameters.DATABASE, standardDatabase());
    }
    // What is repeated is repeated until it shows a violation: a run has one verdict.
    boolean repeated =
        common.has(Parameters.REPEAT) && !common.given(Parameters.REPEAT).equals("1");
    if (repeated) {
      common = common.with(Parameters.UNTIL_VIOLATED, RunConfig.YES);
    }
    return common.with(Parameters.CHECKERS, common.text(Parameters.CHECKERS));
  }

  private static List<Parameter<?>> groups() {
    return Parameters.of(Group.TARGET, Group.RECORDING, Group.LIVE, Group.CHECK);
  }

  /** The id of the database where none was chosen; null if the URL does not show it. */
  private String standardDatabase() {
    if (source == Source.DATABASE) {
      return Clients.standard().id();
    }
    String url = Node.parse(field(Parameters.URL)).url();
    return url.startsWith("jdbc:") ? Databases.byUrl(url).id() : null;
  }

  private static Client database(RunConfig config) {
    return Clients.byId(config.given(Parameters.DATABASE)).orElse(null);
  }

  private void checkTarget(RunConfig common) {
    Client database = database(common);
    switch (source) {
      case DATABASE -> {
        boolean started = database != null && database.isEmbedded();
        require(Parameters.DATABASE.id(), started, "choose a database that Assay starts");
      }
      case JDBC -> {
        for (String url : field(Parameters.URL).split("\\s+")) {
          String problem = JdbcUrls.problem(url, database);
          require(Parameters.URL.id(), problem == null, problem);
        }
      }
      case UPLOAD ->
          require(Parameters.UPLOAD.id(), common.has(Parameters.UPLOAD), "choose a file first");
      case SYNTHETIC -> {}
    }
  }

  private void vary(Parameter<?> parameter, RunConfig common) {
    if (parameter == Parameters.MIX) {
      // Part of the isolation level.
      return;
    }
    List<String> values = Names.items(field(parameter));
    String problem = parameter.problemOfList(values, common.use());
    require(parameter.id(), problem == null, problem);
    if (values.isEmpty() && parameter == Parameters.WORKLOAD && database(common) != null) {
      values = Workloads.fitting(common, database(common)).items(parameter);
    }
    if (values.isEmpty() && parameter.standard(common.use()) != null) {
      values = List.of(parameter.standard(common.use()));
    }
    Client database = database(common);
    if (parameter == Parameters.ISOLATION && database != null) {
      try {
        String mix = field(Parameters.MIX);
        values = mix.isEmpty() ? values : List.of(RunRules.mixed(values, mix));
        values = RunRules.isolations(database, values);
      } catch (UsageException e) {
        require(parameter.id(), false, e.getMessage());
      }
    }
    sweep.add(parameter, values);
  }

  private void add(Map<Parameter<?>, String> found) {
    found.forEach((parameter, problem) -> problems.putIfAbsent(parameter.id(), problem));
  }

  private void require(String name, boolean met, String problem) {
    if (!met) {
      problems.putIfAbsent(name, problem);
    }
  }
}
