package dev.assay.cli;

import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Databases;
import dev.assay.collect.db.Isolation;
import dev.assay.collect.db.Redaction;
import dev.assay.collect.db.Target;
import dev.assay.collect.record.FaultPlan;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What to run on which database: the options that {@code run} and {@code record} share. */
final class RunOptions {
  @Parameters(
      arity = "0..*",
      paramLabel = "DATABASE",
      description =
          "A name, with @VERSION if wanted, or a JDBC URL, or a name and the URLs of its nodes"
              + " (default: h2).")
  List<String> target = List.of();

  @Option(
      names = {"-i", "--isolation"},
      paramLabel = "L[,L...]",
      description = "The level to ask of the database, or all (default: its strongest).")
  String isolation;

  @Option(names = "--sessions", paramLabel = "N[,N...]", description = "Clients (default: 10).")
  String sessions = "10";

  @Option(
      names = {"-d", "--duration"},
      paramLabel = "T",
      description = "How long clients begin transactions (default: 5s).")
  String duration = "5s";

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = "Transactions of each client (default: as many as there is time for).")
  Integer transactions;

  @Option(
      names = "--operations",
      paramLabel = "N[-M][,...]",
      description = "Accesses of each transaction (default: 1-4).")
  String operations = "1-4";

  @Option(
      names = "--keys",
      paramLabel = "N[,N...]",
      description = "Keys in use at a time (default: 10).")
  String keys = "10";

  @Option(
      names = "--writes-per-key",
      paramLabel = "N",
      description =
          "Writes after which a fresh key takes a key's place (default: 32, and for predicates"
              + " never).")
  Integer writesPerKey;

  @Option(
      names = "--reads",
      paramLabel = "SHARE[,...]",
      description = "Share of the accesses that only read (default: 0.5).")
  String reads = "0.5";

  @Option(
      names = "--distribution",
      paramLabel = "D[,D...]",
      description = "Of accesses over keys: uniform, zipf or hotspot (default: uniform).")
  String distribution = "uniform";

  @Option(
      names = {"-w", "--workload"},
      paramLabel = "W[,W...]",
      description =
          "mixed (lists and registers), list-append, register, read-modify-write, set-insert,"
              + " counter, predicates, tpcc, twitter or rubis (default: mixed).")
  String workload = "mixed";

  @Option(
      names = "--shares",
      paramLabel = "STEP=N[,...]",
      description =
          "With predicates: how often to do what (default: insert=10,update=20,read=30,"
              + "increment=10,range=15,minmax=5,predicate-update=8,predicate-delete=2).")
  String shares;

  @Option(
      names = "--writes",
      paramLabel = "HOW",
      description = "upsert, or update of rows put there before (default: upsert).")
  String writes = "upsert";

  @Option(names = "--for-update", description = "Read with SELECT ... FOR UPDATE.")
  boolean forUpdate;

  @Option(
      names = "--aborts",
      paramLabel = "SHARE",
      description = "Share of the transactions that their client rolls back (default: 0).")
  double aborts;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "Run a refused transaction again, up to N times (default: 0).")
  int retries;

  @Option(
      names = "--faults",
      paramLabel = "F[,F...]",
      description = "Make a server of our own fail: kill, pause (default: none).")
  String faults = "";

  @Option(
      names = "--faults-every",
      paramLabel = "T",
      description = "How long the server is left alone in between (default: 2s).")
  String faultsEvery = "2s";

  @Option(
      names = "--white-box",
      description =
          "Also read the database's log and save the version certificate beside the history"
              + " (postgres, mariadb; by URL also cockroachdb, tidb).")
  boolean whiteBox;

  @Option(names = "--user", paramLabel = "NAME", description = "The user to connect as.")
  String user;

  @Option(
      names = "--password-env",
      paramLabel = "VAR",
      description = "The environment variable that holds the password.")
  String passwordVariable;

  @Option(
      names = "--server-option",
      paramLabel = "NAME=VALUE",
      description = "A setting of a server of our own; may be repeated.")
  Map<String, String> serverOptions = new LinkedHashMap<>();

  @Option(names = "--seed", paramLabel = "N", description = "Names what clients ask (default: 0).")
  long seed;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The history (default: in a new folder of assay-runs/).")
  String out;

  @Option(names = "--force", description = "Replace the file of --out if there is one.")
  boolean force;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Repeat a run: the config.json of its folder, or the folder. What is given besides"
              + " replaces what stands there.")
  String config;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Takes over what the file of --config asks for, as far as the command line does not. */
  void configure(Consumer<String> remark) {
    if (config != null) {
      ParseResult given = spec.commandLine().getParseResult();
      new RunConfig(this, given::hasMatchedOption, remark).load(config);
    }
  }

  /** What was asked for, under the names of the options, for the folder of a run. */
  Map<String, Object> described(String database, Map<String, String> parameters) {
    Map<String, Object> config = new LinkedHashMap<>();
    List<String> urls = target.stream().filter(RunOptions::isUrl).toList();
    config.put("source", urls.isEmpty() ? "database" : "jdbc");
    config.put("database", target.isEmpty() ? Databases.standard().id() : target.get(0));
    if (!urls.isEmpty()) {
      config.put("database", target().database().id());
      // A URL may hold a password, so no more of it is written down than where it leads.
      config.put("url", String.join(" ", urls.stream().map(Redaction::address).toList()));
      if (urls.stream().anyMatch(Redaction::isShortened)) {
        config.put(RunConfig.URL_PARAMETERS, RunConfig.NOT_STORED);
      }
    }
    if (user != null) {
      config.put("user", user);
    }
    if (passwordVariable != null) {
      config.put("password-env", passwordVariable);
    }
    if (!serverOptions.isEmpty()) {
      config.put("server-options", new LinkedHashMap<>(serverOptions));
    }
    config.put("product", database);
    config.putAll(parameters);
    config.put("duration", duration);
    if (transactions != null) {
      config.put("transactions", transactions.toString());
    }
    if (writesPerKey != null) {
      config.put("writes-per-key", writesPerKey.toString());
    }
    config.put("aborts", Double.toString(aborts));
    config.put("retries", Integer.toString(retries));
    config.put("writes", writes);
    if (shares != null) {
      config.put("shares", shares);
    }
    if (whiteBox) {
      config.put("white-box", "yes");
    }
    if (forUpdate) {
      config.put("for-update", "yes");
    }
    if (!faults.isEmpty()) {
      config.put("faults", faults);
      config.put("faults-every", faultsEvery);
    }
    config.put("seed", Long.toString(seed));
    return config;
  }

  /** The database that the arguments name. */
  Target target() {
    String first = target.isEmpty() ? Databases.standard().id() : target.get(0);
    List<String> urls =
        target.isEmpty() ? List.of() : target.subList(isUrl(first) ? 0 : 1, target.size());
    for (String url : urls) {
      if (!isUrl(url)) {
        throw new UsageException("one database at a time; what follows its name are JDBC URLs");
      }
    }
    String[] name = first.split("@", 2);
    Database database = isUrl(first) ? Databases.byUrl(first) : named(name[0]);
    String version = !isUrl(first) && name.length == 2 ? version(name[0], name[1]) : null;
    if (urls.isEmpty() && !database.isEmbedded()) {
      throw new UsageException(
          database.title()
              + " is not started by Assay: give the JDBC URL of one that runs, as in"
              + " assay run "
              + database.id()
              + " jdbc:...");
    }
    if (!urls.isEmpty() && !serverOptions.isEmpty()) {
      throw new UsageException("--server-option is for a server that Assay starts, not for a URL");
    }
    return new Target(database, version, urls, user, password(), allServerOptions(database));
  }

  /** What the user asks for, and what else the log needs. */
  private Map<String, String> allServerOptions(Database database) {
    Map<String, String> all = new LinkedHashMap<>();
    if (whiteBox) {
      all.putAll(whiteBox(database).serverOptions());
    }
    all.putAll(serverOptions);
    return all;
  }

  /** How to get at the log of a database. */
  static WhiteBox whiteBox(Database database) {
    return WhiteBox.of(database)
        .orElseThrow(
            () ->
                new UsageException(
                    "--white-box cannot read the log of "
                        + database.title()
                        + "; it can for "
                        + String.join(", ", WhiteBox.databases())));
  }

  static boolean isUrl(String text) {
    return text.startsWith("jdbc:");
  }

  private static Database named(String name) {
    String known = "known: " + String.join(", ", Databases.ids()) + ", or a JDBC URL";
    if (name.isBlank()) {
      throw new UsageException("the name of the database is empty; " + known);
    }
    return Databases.byId(name)
        .orElseThrow(() -> Names.unknown("database", name, Databases.ids(), known));
  }

  /** It becomes part of file names and of the coordinates that Maven is asked for. */
  private static String version(String name, String text) {
    if (!text.matches("[A-Za-z0-9][A-Za-z0-9._+-]*")) {
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

  private String password() {
    if (passwordVariable == null) {
      return null;
    }
    String password = System.getenv(passwordVariable);
    if (password == null) {
      throw new UsageException("the environment has no variable " + passwordVariable);
    }
    return password;
  }

  /** The isolation levels asked for, by their own names or by the level that they claim. */
  List<Isolation> isolations(Database database) {
    if (isolation == null) {
      return List.of(database.strongest());
    }
    if (isolation.equalsIgnoreCase(Names.ALL)) {
      return database.isolations();
    }
    List<Isolation> chosen = new ArrayList<>();
    for (String name : Names.values("isolation", isolation)) {
      chosen.add(isolation(database, name));
    }
    return chosen;
  }

  private static Isolation isolation(Database database, String name) {
    List<String> known = new ArrayList<>();
    for (Isolation one : database.isolations()) {
      if (one.name().equalsIgnoreCase(name)) {
        return one;
      }
      known.add(one.name());
    }
    Optional<Level> level = Level.find(name);
    for (Isolation one : database.isolations()) {
      if (level.isPresent() && level.get() == one.claimed()) {
        return one;
      }
    }
    String offers = database.title() + " offers " + String.join(", ", known);
    throw Names.unknown("isolation level", name, known, offers);
  }

  /** Whether writes insert or update in one statement, where the database can do that. */
  boolean upserts() {
    return switch (writes) {
      case "upsert" -> true;
      case "update" -> false;
      default -> throw Names.unknown("way to write", writes, "upsert", "update");
    };
  }

  FaultPlan faultPlan(Target chosen) {
    List<FaultPlan.Kind> kinds = new ArrayList<>();
    for (String name : Names.items(faults)) {
      kinds.add(Names.constant("fault", name, FaultPlan.Kind.values(), FaultPlan.Kind::id));
    }
    boolean canFail = chosen.isEmbedded() && FaultPlan.DATABASES.contains(chosen.database().id());
    if (!kinds.isEmpty() && !canFail) {
      throw new UsageException(
          "--faults needs a server of our own: assay run "
              + String.join(", or assay run ", FaultPlan.DATABASES));
    }
    return new FaultPlan(kinds, Durations.parse(faultsEvery));
  }
}
