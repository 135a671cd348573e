package dev.assay.cli;

import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Databases;
import dev.assay.collect.db.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** What to run on which database: the options that {@code run} and {@code record} share. */
final class RunOptions {
  @picocli.CommandLine.Parameters(
      arity = "0..*",
      paramLabel = "DATABASE",
      description =
          "A name, optionally with @VERSION, or a JDBC URL, or a name and the URLs of its nodes "
              + "(default: h2).")
  List<String> target = List.of();

  final ParameterOptions parameters = new ParameterOptions(Use.RUN, parametersOfRuns());

  @Option(
      names = "--server-option",
      paramLabel = "NAME=VALUE",
      order = ParameterOptions.LATER,
      description = "Setting of the server Assay starts; may be repeated.")
  Map<String, String> serverOptions = new LinkedHashMap<>();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      order = ParameterOptions.LATER,
      description = "File for the history (default: in a new folder of assay-runs/).")
  String out;

  @Option(
      names = "--force",
      order = ParameterOptions.LATER,
      description = "Overwrite the file of --out if it exists.")
  boolean force;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      order = ParameterOptions.LATER,
      description =
          "Repeat a run from its folder or the config.json in it. Other options override its "
              + "values.")
  String config;

  private static List<Parameter<?>> parametersOfRuns() {
    List<Parameter<?>> all = new ArrayList<>();
    for (Parameter<?> parameter : Parameters.of(Group.TARGET, Group.WORKLOAD, Group.RECORDING)) {
      if (parameter.isFor(Source.DATABASE) || parameter.isFor(Source.JDBC)) {
        all.add(parameter);
      }
    }
    return all;
  }

  /**
   * What the command line and the file of {@code --config} ask for; values may be lists.
   *
   * @param more the options that only this command has
   * @param remark takes remarks on what the file lacks
   */
  RunConfig configured(ParameterOptions more, Consumer<String> remark) {
    RunConfig asked = RunConfig.empty(Use.RUN);
    if (config != null) {
      List<Parameter<?>> all = new ArrayList<>(parameters.parameters());
      all.addAll(more.parameters());
      ConfigFile file = ConfigFile.read(config, all);
      asked = file.config(target.isEmpty(), remark);
      if (file.hadPassword() && !parameters.config().has(Parameters.PASSWORD_ENV)) {
        remark.accept("there was a password, which is not kept; give it with --password-env");
      }
    }
    asked = more.over(parameters.over(asked));
    if (!serverOptions.isEmpty()) {
      asked = asked.with(Parameters.SERVER_OPTIONS, serverOptions);
    }
    boolean named = !target.isEmpty() || !asked.has(Parameters.SOURCE);
    return named ? named(asked) : asked;
  }

  /** The configuration with the database that the arguments name. */
  private RunConfig named(RunConfig asked) {
    String first = target.isEmpty() ? Databases.standard().id() : target.get(0);
    List<String> urls =
        target.isEmpty() ? List.of() : target.subList(isUrl(first) ? 0 : 1, target.size());
    for (String url : urls) {
      if (!isUrl(url)) {
        throw new UsageException("one database at a time; only URLs may follow its name");
      }
    }
    String[] name = first.split("@", 2);
    boolean versioned = !isUrl(first) && name.length == 2;
    Database database = isUrl(first) ? Databases.byUrl(first) : database(name[0]);
    return asked
        .with(Parameters.SOURCE, (urls.isEmpty() ? Source.DATABASE : Source.JDBC).id())
        .with(Parameters.DATABASE, database.id())
        .with(Parameters.VERSION, versioned ? version(name[0], name[1]) : null)
        .with(Parameters.URL, String.join(" ", urls));
  }

  /** The database of a configuration, and what is needed to connect to it. */
  static Target target(RunConfig asked) {
    Database database = database(asked.given(Parameters.DATABASE));
    String urls = asked.given(Parameters.URL);
    Map<String, String> options = asked.get(Parameters.SERVER_OPTIONS);
    if (urls.isEmpty() && !database.isEmbedded()) {
      throw new UsageException(
          database.title()
              + " is not started by Assay: give the JDBC URL of one that runs, as in"
              + " assay run "
              + database.id()
              + " jdbc:...");
    }
    if (!urls.isEmpty() && options != null) {
      throw new UsageException("--server-option is for a server that Assay starts, not for a URL");
    }
    Map<String, String> all = new LinkedHashMap<>();
    if (asked.isSet(Parameters.WHITE_BOX)) {
      WhiteBox.of(database).ifPresent(box -> all.putAll(box.serverOptions()));
    }
    if (options != null) {
      all.putAll(options);
    }
    return new Target(
        database,
        asked.has(Parameters.VERSION) ? asked.given(Parameters.VERSION) : null,
        urls.isEmpty() ? List.of() : List.of(urls.split(" +")),
        asked.has(Parameters.USER) ? asked.given(Parameters.USER) : null,
        password(asked.get(Parameters.PASSWORD_ENV)),
        all);
  }

  private static boolean isUrl(String text) {
    return text.startsWith("jdbc:");
  }

  private static Database database(String name) {
    String known = "known: " + String.join(", ", Databases.ids()) + ", or a JDBC URL";
    if (name.isBlank()) {
      throw new UsageException("the name of the database is empty; " + known);
    }
    return Databases.byId(name)
        .orElseThrow(() -> Names.unknown("database", name, Databases.ids(), known));
  }

  /** It becomes part of file names and of the coordinates that Maven is given. */
  private static String version(String name, String text) {
    if (Parameters.VERSION.problem(text, Use.RUN) != null) {
      throw new UsageException(
          "'"
              + text
              + "' is not a version of "
              + name
              + "; leave out @"
              + text
              + " for the tested one");
    }
    return text;
  }

  private static String password(String variable) {
    if (variable == null) {
      return null;
    }
    String password = System.getenv(variable);
    if (password == null) {
      throw new UsageException("the environment has no variable " + variable);
    }
    return password;
  }
}
