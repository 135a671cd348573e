package dev.assay.collect.config;

import static dev.assay.collect.config.Parameters.DATABASE;
import static dev.assay.collect.config.Parameters.DURATION;
import static dev.assay.collect.config.Parameters.EXPECT;
import static dev.assay.collect.config.Parameters.FAULTS;
import static dev.assay.collect.config.Parameters.INFER;
import static dev.assay.collect.config.Parameters.ISOLATION;
import static dev.assay.collect.config.Parameters.KEEP;
import static dev.assay.collect.config.Parameters.LEVEL;
import static dev.assay.collect.config.Parameters.SHARES;
import static dev.assay.collect.config.Parameters.UNTIL_VIOLATED;
import static dev.assay.collect.config.Parameters.WHITE_BOX;
import static dev.assay.collect.config.Parameters.WORKLOAD;

import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.IsolationMix;
import dev.assay.collect.client.Node;
import dev.assay.collect.db.Database;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.OpKind;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What must be true of several parameters together, wherever they come from. */
public final class RunRules {
  private static final Set<FaultKind> BETWEEN_NODES =
      Set.of(FaultKind.HALVES, FaultKind.ONE_WAY, FaultKind.RING);

  /** Between a level and its share. */
  private static final String SHARE = ":";

  private RunRules() {}

  /** What is wrong with a configuration, by parameter; empty if nothing is. */
  public static Map<Parameter<?>, String> problems(RunConfig config) {
    Map<Parameter<?>, String> problems = new LinkedHashMap<>();
    for (Parameter<?> parameter : Parameters.all()) {
      boolean text = parameter.group() != Parameter.Group.RECORD;
      if (text && config.has(parameter) && parameter != Parameters.SERVER_OPTIONS) {
        String problem = parameter.problem(config.given(parameter), config.use());
        if (problem != null) {
          problems.put(parameter, problem);
        }
      }
    }
    if (problems.isEmpty()) {
      check(config, problems);
    }
    return problems;
  }

  /** Throws a {@link UsageException} for the first problem of a configuration. */
  public static void require(RunConfig config) {
    for (Map.Entry<Parameter<?>, String> problem : problems(config).entrySet()) {
      // Throws if the value by itself is wrong.
      config.get(problem.getKey());
      throw new UsageException("--" + problem.getKey() + " " + problem.getValue());
    }
  }

  private static void check(RunConfig config, Map<Parameter<?>, String> problems) {
    if (config.has(SHARES) && !config.text(WORKLOAD).equals(PredicateWorkload.ID)) {
      problems.put(SHARES, "requires --workload " + PredicateWorkload.ID);
    }
    if (config.has(EXPECT) && !Names.isSurvey(config.text(LEVEL))) {
      problems.put(EXPECT, "requires --level all");
    }
    String whole = notDecidedWhileItRuns(config);
    if (config.isSet(UNTIL_VIOLATED) && whole != null) {
      problems.put(UNTIL_VIOLATED, "cannot be used with " + whole);
    }
    if (Workloads.kept(config) != null && whole != null) {
      Parameter<?> asked = config.has(KEEP) ? KEEP : DURATION;
      problems.put(asked, config.given(asked) + " cannot be used with " + whole);
    }
    if (!config.has(DATABASE)) {
      return;
    }
    Client database = config.get(DATABASE);
    if (config.has(ISOLATION)) {
      try {
        isolation(database, config.given(ISOLATION));
      } catch (UsageException e) {
        problems.put(ISOLATION, e.getMessage());
      }
    }
    checkClient(config, database, problems);
    if (config.isSet(WHITE_BOX)
        && config.has(ISOLATION)
        && config.given(ISOLATION).contains(SHARE)) {
      problems.put(WHITE_BOX, "cannot be used with a mix of isolation levels");
    } else if (config.isSet(WHITE_BOX) && WhiteBox.of(database).isEmpty()) {
      problems.put(
          WHITE_BOX,
          "cannot read the log of "
              + database.title()
              + "; it can for "
              + String.join(", ", WhiteBox.databases()));
    }
    checkFaults(config, database, problems);
  }

  private static void checkFaults(
      RunConfig config, Client client, Map<Parameter<?>, String> problems) {
    Set<FaultKind> kinds;
    try {
      kinds = Workloads.kinds(config);
    } catch (UsageException e) {
      problems.put(Parameters.FAULT_PLAN, e.getMessage().replaceFirst("^--fault-plan: ", ""));
      return;
    }
    Parameter<?> asked = config.has(FAULTS) ? FAULTS : Parameters.FAULT_PLAN;
    boolean started = config.source() == Source.DATABASE;
    boolean canFail = started && client.canFail();
    boolean commands = config.has(Parameters.FAULT_COMMAND);
    int replicas = config.get(Parameters.REPLICAS);
    if (replicas > 0 && !(started && client.id().equals("postgres"))) {
      problems.put(Parameters.REPLICAS, "requires postgres, started by Assay");
    }
    if (config.has(Parameters.NODES) && !(started && client.usualNodes() > 1)) {
      problems.put(Parameters.NODES, "requires a cluster that Assay starts: " + names(clusters()));
    }
    if (kinds.contains(FaultKind.COMMAND) != commands || (commands && kinds.size() > 1)) {
      problems.put(
          FAULTS, FaultKind.COMMAND.id() + " requires --fault-command, and allows no other fault");
    } else if (!kinds.isEmpty() && !commands && !canFail) {
      problems.put(
          asked,
          "requires a server that Assay starts: "
              + names(Clients.all().stream().filter(Client::canFail).toList())
              + "; for others see --fault-command");
    } else if (!commands) {
      checkKinds(kinds, client, nodes(config, client), replicas)
          .ifPresent(problem -> problems.put(asked, problem));
    }
  }

  private static int nodes(RunConfig config, Client client) {
    return config.has(Parameters.NODES) ? config.get(Parameters.NODES) : client.usualNodes();
  }

  private static Optional<String> checkKinds(
      Set<FaultKind> kinds, Client client, int nodes, int replicas) {
    for (FaultKind kind : kinds) {
      if (!client.faultKinds().contains(kind)) {
        List<String> known = client.faultKinds().stream().map(FaultKind::id).toList();
        return Optional.of(
            "%s cannot be done to %s; what can: %s"
                .formatted(kind.id(), client.title(), String.join(", ", known)));
      }
      boolean cluster = BETWEEN_NODES.contains(kind);
      if ((kind == FaultKind.FAILOVER || (cluster && nodes == 1)) && replicas == 0) {
        return Optional.of(
            kind.id() + " requires " + (client.usualNodes() > 1 ? "more --nodes" : "--replicas"));
      }
    }
    return Optional.empty();
  }

  private static List<Client> clusters() {
    return Clients.all().stream().filter(one -> one.usualNodes() > 1).toList();
  }

  private static String names(List<Client> clients) {
    return String.join(", ", clients.stream().map(Client::id).toList());
  }

  private static void checkClient(
      RunConfig config, Client client, Map<Parameter<?>, String> problems) {
    if (!client.types().containsAll(Workloads.types(config))) {
      problems.put(
          WORKLOAD,
          "%s uses data types that %s does not have; it has %s"
              .formatted(config.text(WORKLOAD), client.title(), names(client.types())));
    }
    boolean numbers = config.text(WORKLOAD).equals(WorkloadKind.VERSIONS.id());
    if (numbers && !client.numbersVersions()) {
      problems.put(
          WORKLOAD,
          "versions requires a store that tells the numbers of versions, as etcd does; %s does not"
              .formatted(client.title()));
    }
    if (config.isSet(Parameters.FOR_UPDATE) && !client.locksReads()) {
      problems.put(Parameters.FOR_UPDATE, client.title() + " cannot lock rows for reads");
    }
    boolean sql = client instanceof Database;
    if (!sql && config.text(Parameters.WRITES).equals("update")) {
      problems.put(Parameters.WRITES, "update requires a database with a JDBC driver");
    }
    List<Node> nodes = Workloads.nodes(config);
    if (!nodes.isEmpty() && nodes.stream().allMatch(Node::isReadOnly)) {
      problems.put(Parameters.URL, "needs a node that takes writes beside the replicas");
    }
    boolean replicas =
        config.get(Parameters.REPLICAS) > 0 || nodes.stream().anyMatch(Node::isReadOnly);
    if (config.isSet(Parameters.SPLIT_READS) && !replicas) {
      problems.put(Parameters.SPLIT_READS, "requires a replica");
    }
    boolean moves = config.isSet(Parameters.WANDER) || config.isSet(Parameters.SPLIT_READS);
    if (config.isSet(Parameters.WANDER) && config.isSet(Parameters.SPLIT_READS)) {
      problems.put(Parameters.WANDER, "cannot be used with --" + Parameters.SPLIT_READS);
    }
    if (moves && config.isSet(WHITE_BOX)) {
      problems.put(WHITE_BOX, "requires sessions that stay on one node");
    }
  }

  private static String names(Set<OpKind.Type> types) {
    return String.join(
        ", ", types.stream().map(type -> type.name().toLowerCase(Locale.ROOT)).sorted().toList());
  }

  /** What keeps a run from being decided while it goes on, or null. */
  private static String notDecidedWhileItRuns(RunConfig config) {
    Optional<Level> named = config.get(LEVEL).stream().filter(Level::isDecidedByName).findFirst();
    if (named.isPresent()) {
      return "--" + LEVEL + ": that " + named.get() + " is violated is found when the run is over";
    }
    return config.text(WORKLOAD).equals(WorkloadKind.CAS.id())
        ? "--"
            + WORKLOAD
            + " "
            + WorkloadKind.CAS.id()
            + ": some of it is judged when the run is over"
        : notWhileItRuns(config);
  }

  /** What keeps a run from being judged while it goes on, or null. */
  public static String notWhileItRuns(RunConfig config) {
    if (config.isSet(WHITE_BOX)) {
      return "--" + WHITE_BOX + ": the log is read when the run is over";
    }
    if (config.has(INFER)) {
      return "--" + INFER + ": assumptions need the whole history";
    }
    if (config.has(ISOLATION) && config.given(ISOLATION).contains(SHARE)) {
      return "a mix of isolation levels: it is judged as a whole when the run is over";
    }
    String workload = config.text(WORKLOAD);
    boolean inWindows =
        Stream.of(PredicateWorkload.ID, WorkloadKind.COUNTER.id(), WorkloadKind.VERSIONS.id())
            .noneMatch(workload::equals);
    if (!inWindows) {
      return "--" + WORKLOAD + " " + workload + ": it is judged as a whole when the run is over";
    }
    return null;
  }

  /**
   * The isolation level of a database, by its own name or by the level that it claims; or several
   * with their shares, such as {@code serializable:80+read-committed:20}.
   */
  public static Isolation isolation(Client database, String name) {
    if (name.contains(SHARE)) {
      List<Isolation> parts = new ArrayList<>();
      List<Integer> shares = new ArrayList<>();
      for (String part : name.split("\\+")) {
        String[] pair = part.split(SHARE, 2);
        parts.add(isolation(database, pair[0]));
        shares.add(share(pair.length == 2 ? pair[1] : "", name));
      }
      return new IsolationMix(parts, shares);
    }
    List<String> known = database.isolations().stream().map(one -> one.name()).toList();
    for (Isolation one : database.isolations()) {
      if (one.name().equalsIgnoreCase(name)) {
        return one;
      }
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

  private static int share(String text, String whole) {
    if (!text.matches("[1-9][0-9]{0,5}")) {
      throw new UsageException(
          "'"
              + whole
              + "' needs a share for each level, such as serializable:80+read-committed:20");
    }
    return Integer.parseInt(text);
  }

  /** Isolation levels and their shares, {@code 80:20}, as one level. */
  public static String mixed(List<String> names, String shares) {
    List<String> each = List.of(shares.split(SHARE));
    if (names.size() < 2 || each.size() != names.size()) {
      throw new UsageException(
          "--mix %s needs as many levels: --isolation serializable,read-committed --mix 80:20"
              .formatted(shares));
    }
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      parts.add(names.get(i) + SHARE + each.get(i));
    }
    return String.join("+", parts);
  }

  /** The names of the isolation levels that a list asks for. */
  public static List<String> isolations(Client database, List<String> names) {
    if (names.isEmpty()) {
      return List.of(database.strongest().name());
    }
    if (names.size() == 1 && names.get(0).equalsIgnoreCase(Names.ALL)) {
      return database.isolations().stream().map(one -> one.name()).toList();
    }
    return names.stream().map(name -> isolation(database, name).name()).toList();
  }
}
