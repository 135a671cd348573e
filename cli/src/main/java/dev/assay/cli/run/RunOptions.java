package dev.assay.cli.run;

import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.Inputs;
import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Target;
import dev.assay.collect.config.Clients;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.plugin.PluginException;
import dev.assay.collect.plugin.Plugins;
import dev.assay.collect.process.ProcessClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What to run on which database: the options that {@code run} and {@code record} share. */
public final class RunOptions {
  List<String> target = List.of();

  final ParameterOptions parameters = new ParameterOptions(Use.RUN, parametersOfRuns());

  List<String> nodes = List.of();
  List<String> faultCommand;
  String plugins;
  Map<String, String> serverOptions = new LinkedHashMap<>();
  String out;
  boolean force;
  String config;

  public void declare(Options options) {
    options.arguments(
        "0..*",
        "DATABASE",
        "A name, optionally with @VERSION, or a JDBC URL, or a name and the URLs of its nodes "
            + "(default: h2).",
        given -> target = given);
    options.add(parameters);
    options.texts(
        "--node",
        1,
        "ROLE=URL[,URL...]",
        "Nodes of a running store, by role: primary (takes writes) or replica (only read); "
            + "may be repeated.",
        given -> nodes = given);
    options.texts(
        "--fault-command",
        2,
        "COMMAND",
        "Two commands that begin and end a fault, for a store that Assay did not start.",
        given -> faultCommand = given);
    options.text(
        "--plugins",
        "DIR",
        "Plug-in folder, with clients for other stores.",
        given -> plugins = given);
    options.pairs(
        "--server-option",
        "NAME=VALUE",
        "Setting of the server Assay starts; may be repeated.",
        given -> serverOptions = given);
    options.text(
        "--out",
        "FILE",
        "File for the history (default: in a new folder of assay-runs/).",
        given -> out = given);
    options.flag("--force", "Overwrite the file of --out if it exists.", given -> force = given);
    options.text(
        "--config",
        "FILE",
        "Repeat a run from its folder or the config.json in it. Other options override its "
            + "values.",
        given -> config = given);
  }

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
        remark.accept("the password was not stored; give it again with --password-env");
      }
    }
    asked = more.over(parameters.over(asked));
    if (!serverOptions.isEmpty()) {
      asked = asked.with(Parameters.SERVER_OPTIONS, serverOptions);
    }
    if (faultCommand != null) {
      asked = asked.with(Parameters.FAULT_COMMAND, faultCommand);
    }
    addPlugins(plugins);
    if (asked.has(Parameters.CLIENT)) {
      asked = asked.with(Parameters.DATABASE, program(asked.given(Parameters.CLIENT)));
    }
    boolean named = !target.isEmpty() || !nodes.isEmpty() || !asked.has(Parameters.SOURCE);
    RunConfig whole = named ? named(asked) : asked;
    return Workloads.fitting(whole, client(whole.given(Parameters.DATABASE)));
  }

  /** Makes the clients of a plug-in folder known. */
  public static void addPlugins(String folder) {
    if (folder != null) {
      try {
        Plugins.clients(Inputs.path(folder)).forEach(Clients::add);
      } catch (PluginException e) {
        throw new UsageException(e.getMessage());
      }
    }
  }

  /** Makes the program of a command known as a client; returns its name. */
  private static String program(String command) {
    try {
      Client client = ProcessClient.of(List.of("sh", "-c", command));
      Clients.add(client);
      return client.id();
    } catch (IOException e) {
      throw new UsageException(e.getMessage());
    }
  }

  /** The configuration with the database and the nodes that the arguments name. */
  private RunConfig named(RunConfig asked) {
    List<String> words = new ArrayList<>(target);
    for (String one : nodes) {
      Node.parseAll(one).forEach(node -> words.add(node.text()));
    }
    boolean known = asked.has(Parameters.CLIENT);
    String first = words.isEmpty() ? Clients.standard().id() : words.get(0);
    boolean byUrl = !known && isUrl(first);
    boolean byName = !known && !byUrl;
    String[] name = byName ? first.split("@", 2) : new String[] {asked.given(Parameters.DATABASE)};
    Client client = byUrl ? Databases.byUrl(Node.parse(first).url()) : client(name[0]);
    List<String> urls = words.subList(byName ? Math.min(1, words.size()) : 0, words.size());
    for (String url : urls) {
      if (client instanceof Database && !isUrl(url)) {
        throw new UsageException("one database at a time; only URLs may follow its name");
      }
      if (url.contains(" ")) {
        throw new UsageException("'" + url + "' is not an address: it contains a space");
      }
    }
    return asked
        .with(Parameters.SOURCE, (urls.isEmpty() ? Source.DATABASE : Source.JDBC).id())
        .with(Parameters.DATABASE, client.id())
        .with(Parameters.VERSION, name.length == 2 ? version(name[0], name[1]) : null)
        .with(Parameters.URL, String.join(" ", urls));
  }

  /** The store of a configuration, and what is needed to connect to it. */
  static Target target(RunConfig asked) {
    Client client = client(asked.given(Parameters.DATABASE));
    List<Node> nodes = Workloads.nodes(asked);
    Map<String, String> options = asked.get(Parameters.SERVER_OPTIONS);
    if (nodes.isEmpty() && !client.isEmbedded()) {
      boolean byUrl = client instanceof Database;
      throw new UsageException(
          "Assay does not start %s; give the %s of a running one, as in assay run %s %s"
              .formatted(
                  client.title(),
                  byUrl ? "JDBC URL" : "address",
                  client.id(),
                  byUrl ? "jdbc:..." : "ADDRESS"));
    }
    if (!nodes.isEmpty() && options != null) {
      throw new UsageException("--server-option is for a server that Assay starts, not for a URL");
    }
    if (nodes.isEmpty() && asked.has(Parameters.DRIVER)) {
      throw new UsageException("--driver requires the URL of a database that runs");
    }
    Map<String, String> all = new LinkedHashMap<>();
    if (asked.isSet(Parameters.WHITE_BOX)) {
      WhiteBox.of(client).ifPresent(box -> all.putAll(box.serverOptions()));
    }
    if (options != null) {
      all.putAll(options);
    }
    return new Target(
        client,
        asked.has(Parameters.VERSION) ? asked.given(Parameters.VERSION) : null,
        nodes,
        asked.has(Parameters.USER) ? asked.given(Parameters.USER) : null,
        password(asked.get(Parameters.PASSWORD_ENV)),
        all,
        Workloads.topology(asked));
  }

  private static boolean isUrl(String text) {
    return Node.parse(text).url().startsWith("jdbc:");
  }

  private static Client client(String name) {
    String known = "known: " + String.join(", ", Clients.ids()) + ", or a JDBC URL";
    if (name.isBlank()) {
      throw new UsageException("the name of the database is empty; " + known);
    }
    return Clients.byId(name)
        .orElseThrow(() -> Names.unknown("database", name, Clients.ids(), known));
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
      throw new UsageException("there is no environment variable " + variable);
    }
    return password;
  }
}
