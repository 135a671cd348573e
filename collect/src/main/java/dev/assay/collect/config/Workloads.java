package dev.assay.collect.config;

import static dev.assay.collect.config.Parameters.ABORTS;
import static dev.assay.collect.config.Parameters.DISTRIBUTION;
import static dev.assay.collect.config.Parameters.KEYS;
import static dev.assay.collect.config.Parameters.OPERATIONS;
import static dev.assay.collect.config.Parameters.READS;
import static dev.assay.collect.config.Parameters.SEED;
import static dev.assay.collect.config.Parameters.SESSIONS;
import static dev.assay.collect.config.Parameters.TRANSACTIONS;
import static dev.assay.collect.config.Parameters.WORKLOAD;
import static dev.assay.collect.config.Parameters.WRITES_PER_KEY;

import dev.assay.collect.Generator;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Topology;
import dev.assay.collect.config.ValueType.Range;
import dev.assay.collect.db.Database;
import dev.assay.collect.record.FaultPlan;
import dev.assay.collect.record.Routing;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.OpKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a configuration means: the workload, how it is run, and what generates it. */
public final class Workloads {
  private static final int WRITES_PER_LIVE_KEY = 32;
  private static final long KEPT_OF_ENDLESS_RUNS = 2L << 30;

  private Workloads() {}

  /** The application of a configuration, if its workload is one. */
  public static Optional<Application> application(RunConfig config) {
    String workload = config.get(WORKLOAD);
    return Stream.of(Application.values()).filter(one -> one.id().equals(workload)).findFirst();
  }

  /** The nodes of a configuration, those that take writes first; none if Assay starts them. */
  public static List<Node> nodes(RunConfig config) {
    String urls = config.given(Parameters.URL).strip();
    List<Node> nodes = new ArrayList<>();
    for (String word : urls.isEmpty() ? new String[0] : urls.split("\\s+")) {
      nodes.add(Node.parse(word));
    }
    nodes.sort(Comparator.comparing(Node::isReadOnly));
    return nodes;
  }

  /** The data types that a workload uses. */
  static Set<OpKind.Type> types(RunConfig config) {
    String workload = config.get(WORKLOAD);
    if (workload.equals(PredicateWorkload.ID)) {
      return Set.of(OpKind.Type.PREDICATE);
    }
    for (WorkloadKind kind : WorkloadKind.values()) {
      if (kind.id().equals(workload)) {
        return Set.copyOf(kind.types());
      }
    }
    return Set.of(OpKind.Type.LIST, OpKind.Type.REGISTER);
  }

  /** The configuration with a workload that the client can run, if it names none itself. */
  public static RunConfig fitting(RunConfig config, Client client) {
    if (config.has(WORKLOAD) || client.types().containsAll(types(config))) {
      return config;
    }
    for (WorkloadKind kind : WorkloadKind.values()) {
      if (client.types().containsAll(kind.types())) {
        return config.with(WORKLOAD, kind.id());
      }
    }
    return config;
  }

  /** What clients do on a database. */
  public static LiveWorkload live(RunConfig config) {
    WorkloadSpec.Builder spec = spec(config);
    Optional<Application> application = application(config);
    if (application.isPresent()) {
      return application.get().workload(spec.build().keys());
    }
    boolean predicates = config.get(WORKLOAD).equals(PredicateWorkload.ID);
    if (!config.has(WRITES_PER_KEY)) {
      spec.writesPerKey(predicates ? WorkloadSpec.UNLIMITED : WRITES_PER_LIVE_KEY);
    }
    if (predicates) {
      PredicateShares shares = config.get(Parameters.SHARES);
      return new PredicateWorkload(
          spec.build(), shares == null ? PredicateShares.standard() : shares);
    }
    return new ParametricWorkload(spec.build());
  }

  /** The numbers of a workload; for workloads of another kind, as if it were of registers. */
  public static WorkloadSpec.Builder spec(RunConfig config) {
    Integer transactions = config.get(TRANSACTIONS);
    Range operations = config.get(OPERATIONS);
    WorkloadSpec.Builder spec =
        WorkloadSpec.builder()
            .sessions(config.get(SESSIONS))
            .transactionsPerSession(transactions == null ? 1 : transactions)
            .operations(operations.least(), operations.most())
            .keys(config.get(KEYS))
            .readRatio(config.get(READS))
            .distribution(config.get(DISTRIBUTION))
            .abortRate(config.get(ABORTS))
            .seed(config.get(SEED));
    Stream.of(WorkloadKind.values())
        .filter(kind -> kind.id().equals(config.get(WORKLOAD)))
        .forEach(spec::kind);
    if (config.has(WRITES_PER_KEY)) {
      spec.writesPerKey(config.get(WRITES_PER_KEY));
    }
    return spec;
  }

  /** What generates the history of a simulated store. */
  public static Generator generator(RunConfig config, WorkloadSpec spec) {
    Generator generator = new Generator(spec, config.get(Parameters.STORE));
    List<String> planted = config.get(Parameters.PLANT);
    if (planted != null) {
      planted.forEach(generator::plant);
    }
    return generator;
  }

  /** How much of a recording is kept, in bytes; null for all of it. */
  public static Long kept(RunConfig config) {
    boolean endless = config.get(Parameters.DURATION).equals(ValueType.WITHOUT_END);
    Long keep = config.get(Parameters.KEEP);
    return keep == null && endless ? Long.valueOf(KEPT_OF_ENDLESS_RUNS) : keep;
  }

  /** How a workload is run on a database. */
  public static RunSpec run(RunConfig config, Client client) {
    Integer transactions = config.get(TRANSACTIONS);
    boolean upserts = config.get(Parameters.WRITES).equals("upsert");
    return new RunSpec(
        config.has(Parameters.ISOLATION)
            ? RunRules.isolation(client, config.get(Parameters.ISOLATION))
            : client.strongest(),
        config.get(SESSIONS),
        transactions == null ? Integer.MAX_VALUE : transactions,
        config.get(Parameters.DURATION),
        config.get(Parameters.RETRIES),
        config.get(ABORTS),
        config.isSet(Parameters.FOR_UPDATE),
        upserts && !(client instanceof Database one && !one.dialect().hasUpsert()),
        routing(config),
        config.has(Parameters.RATE) ? config.get(Parameters.RATE) : 0,
        config.has(Parameters.WARMUP) ? config.get(Parameters.WARMUP) : Duration.ZERO,
        config.has(Parameters.QUIESCE) ? config.get(Parameters.QUIESCE) : Duration.ZERO,
        config.get(SEED));
  }

  /** What is done to the store. */
  public static FaultPlan faults(RunConfig config) {
    List<FaultKind> kinds = config.get(Parameters.FAULTS);
    Duration lasting = config.get(Parameters.FAULTS_FOR);
    List<FaultPlan.Step> steps =
        config.has(Parameters.FAULT_PLAN)
            ? FaultSteps.read(config.given(Parameters.FAULT_PLAN), lasting)
            : List.of();
    if (kinds == null && config.has(Parameters.FAULT_COMMAND)) {
      kinds = List.of(FaultKind.COMMAND);
    }
    return new FaultPlan(
        kinds == null ? List.of() : kinds,
        config.get(Parameters.FAULTS_EVERY),
        lasting,
        steps,
        config.get(SEED));
  }

  /** The kinds of faults that a configuration asks for. */
  static Set<FaultKind> kinds(RunConfig config) {
    FaultPlan plan = faults(config);
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    kinds.addAll(plan.kinds());
    plan.steps().forEach(step -> kinds.add(step.kind()));
    return kinds;
  }

  /** The nodes that Assay starts. */
  public static Topology topology(RunConfig config) {
    Integer nodes = config.get(Parameters.NODES);
    return new Topology(
        config.get(Parameters.REPLICAS),
        config.get(Parameters.REPLICATION),
        nodes == null ? config.get(Parameters.DATABASE).usualNodes() : nodes,
        kinds(config));
  }

  private static Routing routing(RunConfig config) {
    if (config.isSet(Parameters.WANDER)) {
      return Routing.WANDER;
    }
    return config.isSet(Parameters.SPLIT_READS) ? Routing.SPLIT : Routing.STAY;
  }
}
