package dev.assay.collect.config;

import dev.assay.collect.Planted;
import dev.assay.collect.client.Client;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Topology;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.ValueType.Range;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The table of parameters: everything that a run can be asked for, in one place. */
public final class Parameters {
  private static final Map<String, Parameter<?>> ALL = new LinkedHashMap<>();

  /** The built-in checkers: all methods in turn, then single ones. */
  public static final List<String> CHECKER_NAMES =
      List.of("assay", "weak-levels", "known-orders", "strong-levels");

  private static final Set<Source> SIMULATED = Set.of(Source.SYNTHETIC);
  private static final Set<Source> EXECUTED =
      Set.of(Source.DATABASE, Source.JDBC, Source.SYNTHETIC);
  private static final Set<Source> UPLOADED = Set.of(Source.UPLOAD);
  private static final int ANY = Integer.MAX_VALUE;

  // ---- which database, store or file

  public static final Parameter<Source> SOURCE =
      add("source", Group.TARGET, ValueType.oneOf("source", Source.class)).field("Source", "");
  public static final Parameter<Client> DATABASE =
      add("database", Group.TARGET, ValueType.oneOf("database", Clients::all, Client::id))
          .of(Source.LIVE)
          .field("Database", "");
  public static final Parameter<String> VERSION =
      add(
              "version",
              Group.TARGET,
              ValueType.text("[A-Za-z0-9][A-Za-z0-9._+-]{0,39}", "a version such as 12.3.0"))
          .of(Set.of(Source.DATABASE))
          .field("Version", "")
          .otherwise(Use.RUN, "the tested version");
  public static final Parameter<String> URL =
      add("url", Group.TARGET, ValueType.any())
          .of(Set.of(Source.JDBC))
          .field("JDBC URL", "")
          .otherwise(Use.RUN, "jdbc:postgresql://host:5432/database");
  public static final Parameter<String> USER =
      add(
              "user",
              Group.TARGET,
              ValueType.text(
                  "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}", "letters, digits and the characters _.@-"))
          .of(Set.of(Source.JDBC))
          .field("User", "")
          .option("NAME", "User to connect as");
  public static final Parameter<String> PASSWORD_ENV =
      add("password-env", Group.TARGET, ValueType.any())
          .of(Source.LIVE)
          .option("VAR", "Environment variable that holds the password");
  public static final Parameter<String> CLIENT =
      add("client", Group.TARGET, ValueType.any())
          .of(Source.LIVE)
          .option(
              "COMMAND", "Program that is the client of a store, by JSON lines (docs/clients.md)");
  public static final Parameter<String> DRIVER =
      add("driver", Group.TARGET, ValueType.any())
          .of(Set.of(Source.JDBC))
          .option("JAR", "JDBC driver for the URL, instead of the one that Assay knows");
  public static final Parameter<Map<String, String>> SERVER_OPTIONS =
      add("server-options", Group.TARGET, ValueType.pairs()).of(Source.LIVE);
  public static final Parameter<String> UPLOAD =
      add("upload", Group.TARGET, ValueType.any()).of(UPLOADED);
  public static final Parameter<String> LABEL = add("label", Group.TARGET, fileName()).of(UPLOADED);
  public static final Parameter<String> VERSION_ORDER =
      add("version-order", Group.TARGET, ValueType.any()).of(UPLOADED);
  public static final Parameter<String> CERTIFICATE_LABEL =
      add("certificate-label", Group.TARGET, fileName()).of(UPLOADED);
  public static final Parameter<HistoryFormat> FORMAT =
      add("format", Group.TARGET, ValueType.oneOf("format", Formats::all, HistoryFormat::id))
          .of(UPLOADED)
          .field("Format", "")
          .otherwise(Use.RUN, "by content");

  // ---- what clients do

  public static final Parameter<String> ISOLATION =
      add(
              "isolation",
              Group.WORKLOAD,
              ValueType.text("[A-Za-z][A-Za-z0-9:+-]{0,200}", "the name of an isolation level"))
          .of(Source.LIVE)
          .field("Isolation level", "if none is chosen: the strongest that it offers")
          .option("L", "Isolation level to request from the database, or all")
          .shortName("i")
          .otherwise(Use.RUN, "its strongest");
  public static final Parameter<String> MIX =
      add("mix", Group.WORKLOAD, ValueType.text("[0-9]+(:[0-9]+)+", "shares such as 80:20"))
          .of(Source.LIVE)
          .field("Mix", "several levels in one run, by shares such as 80:20")
          .option(
              "N:N", "Run transactions at all levels of --isolation in one run, in these shares");
  public static final Parameter<StoreLevel> STORE =
      add("store", Group.WORKLOAD, ValueType.oneOf("store", StoreLevel.class))
          .of(SIMULATED)
          .field("Simulated store", "")
          .option("LEVEL", "Level that the simulated store provides: …")
          .standard("serializable");
  public static final Parameter<String> WORKLOAD =
      add("workload", Group.WORKLOAD, ValueType.oneOf("workload", () -> workloads(Use.RUN)))
          .of(EXECUTED)
          .field("Workload", "")
          .option("W", "What transactions do: …")
          .shortName("w")
          .standard("mixed", "register", "register")
          .choices(Use.GENERATE, () -> workloads(Use.GENERATE))
          .choices(Use.BENCH, () -> workloads(Use.BENCH));
  public static final Parameter<Integer> SESSIONS =
      add("sessions", Group.WORKLOAD, ValueType.whole(1, 1_000_000))
          .of(EXECUTED)
          .field("Sessions", "")
          .option("N", "Concurrent clients")
          .standard("10", "10", "20");
  public static final Parameter<Integer> TRANSACTIONS =
      add("transactions", Group.WORKLOAD, ValueType.whole(1, ANY))
          .of(EXECUTED)
          .field(
              "Transactions per session", "empty: as many as the duration allows; simulated: 100")
          .option("N", "Transactions per client")
          .standard(null, "100", "100")
          .otherwise(Use.RUN, "as many as time allows");
  public static final Parameter<Range> OPERATIONS =
      add("operations", Group.WORKLOAD, ValueType.range())
          .of(EXECUTED)
          .field("Operations per transaction", "a number or a range")
          .option("N[-M]", "Operations per transaction")
          .standard("1-4", "1-5", "15");
  public static final Parameter<Integer> KEYS =
      add("keys", Group.WORKLOAD, ValueType.whole(1, ANY))
          .of(EXECUTED)
          .field("Keys", "")
          .option("N", "Keys in use at a time")
          .standard("10", "100", "10000");
  public static final Parameter<Double> READS =
      add("reads", Group.WORKLOAD, ValueType.share())
          .of(EXECUTED)
          .field("Share of reads", "")
          .option("SHARE", "Share of the operations that only read")
          .standard("0.5");
  public static final Parameter<Distribution> DISTRIBUTION =
      add("distribution", Group.WORKLOAD, ValueType.oneOf("distribution", Distribution.class))
          .of(EXECUTED)
          .field("Distribution", "")
          .option("D", "How operations spread over keys: …")
          .standard("uniform", "uniform", "zipf");
  public static final Parameter<Integer> WRITES_PER_KEY =
      add("writes-per-key", Group.WORKLOAD, ValueType.whole(1, ANY))
          .of(EXECUTED)
          .field("Writes per key", "before a new key replaces it")
          .option("N", "Writes to a key before a new one replaces it")
          .otherwise(Use.RUN, "32, and for predicates no limit")
          .otherwise(Use.GENERATE, "100 for lists, no limit for registers");
  public static final Parameter<Double> ABORTS =
      add("aborts", Group.WORKLOAD, ValueType.share())
          .of(EXECUTED)
          .field("Share of aborts", "")
          .option("SHARE", "Share of the transactions that their client rolls back")
          .standard("0");
  public static final Parameter<Long> SEED =
      add("seed", Group.WORKLOAD, ValueType.seed())
          .of(EXECUTED)
          .field("Seed", "")
          .option("N", "Seed of the generated workload")
          .standard("0");
  public static final Parameter<List<String>> PLANT =
      add(
              "plant",
              Group.WORKLOAD,
              ValueType.items(
                  ValueType.oneOf("anomaly to plant", () -> List.copyOf(Planted.ids()))))
          .of(SIMULATED)
          .field("Planted anomaly", "none; …")
          .option("ID[,ID...]", "Anomalies to plant, halfway through the run");
  public static final Parameter<Integer> RETRIES =
      add("retries", Group.WORKLOAD, ValueType.whole(0, ANY))
          .of(Source.LIVE)
          .field("Retries", "")
          .option("N", "Retries of a transaction that the database refuses")
          .standard("0");

  // ---- how a workload is run on a database

  public static final Parameter<Duration> DURATION =
      add("duration", Group.RECORDING, ValueType.timeOrForever())
          .of(Source.LIVE)
          .field("Duration", "")
          .option("T", "How long clients keep starting transactions, or forever")
          .shortName("d")
          .standard("5s");
  public static final Parameter<Long> KEEP =
      add("keep", Group.RECORDING, ValueType.size())
          .of(Source.LIVE)
          .field("Keep only the last", "")
          .option(
              "SIZE", "Keep the end of the recording, up to this size, and the violations found")
          .otherwise(Use.RUN, "all; with --duration forever 2GB");
  public static final Parameter<PredicateShares> SHARES =
      add("shares", Group.RECORDING, text -> PredicateShares.parse(text))
          .of(Source.LIVE)
          .field("Shares of predicate steps", "with the workload predicates")
          .option("STEP=N[,...]", "With --workload predicates: relative frequency of each step")
          .otherwise(
              Use.RUN,
              "insert=10,update=20,read=30,increment=10,range=15,minmax=5,predicate-update=8,"
                  + "predicate-delete=2");
  public static final Parameter<String> WRITES =
      add(
              "writes",
              Group.RECORDING,
              ValueType.oneOf("kind of write", () -> List.of("upsert", "update")))
          .of(Source.LIVE)
          .field("Writes", "")
          .option("HOW", "upsert, or update of rows that are inserted before the run")
          .standard("upsert");
  public static final Parameter<Boolean> FOR_UPDATE =
      add("for-update", Group.RECORDING, ValueType.flag())
          .of(Source.LIVE)
          .field("Reads", "with SELECT … FOR UPDATE")
          .option("", "Read with SELECT ... FOR UPDATE");
  public static final Parameter<Boolean> WANDER =
      add("wander", Group.RECORDING, ValueType.flag())
          .of(Source.LIVE)
          .field("Sessions", "move from node to node")
          .option("", "Run each transaction of a session on a node that is chosen at random");
  public static final Parameter<Boolean> SPLIT_READS =
      add("split-reads", Group.RECORDING, ValueType.flag())
          .of(Source.LIVE)
          .field("Transactions that only read", "run on a replica")
          .option("", "Run transactions that only read on a replica, all others on the primary");
  public static final Parameter<Integer> REPLICAS =
      add("replicas", Group.RECORDING, ValueType.whole(0, 8))
          .of(Set.of(Source.DATABASE))
          .field("Replicas", "of PostgreSQL")
          .option("N", "Start a primary with N replicas that are only read (postgres)")
          .standard("0");
  public static final Parameter<Integer> NODES =
      add("nodes", Group.RECORDING, ValueType.whole(1, 7))
          .of(Set.of(Source.DATABASE))
          .field("Nodes", "of a cluster: etcd or galera")
          .option("N", "Start a cluster of N nodes (etcd, galera)")
          .otherwise(Use.RUN, "3 for a cluster");
  public static final Parameter<Topology.Replication> REPLICATION =
      add(
              "replication",
              Group.RECORDING,
              ValueType.oneOf("kind of replication", Topology.Replication.class))
          .of(Set.of(Source.DATABASE))
          .field("Replication", "async, sync or apply")
          .option(
              "HOW",
              "When a commit is acknowledged: async (at once), sync (a replica has it), apply (a"
                  + " replica shows it)")
          .standard("async");
  public static final Parameter<Integer> RATE =
      add("rate", Group.RECORDING, ValueType.perSecond())
          .of(Source.LIVE)
          .field("Rate", "transactions per second")
          .option("N/s", "Transactions started per second, by all clients together")
          .otherwise(Use.RUN, "no limit");
  public static final Parameter<List<FaultKind>> FAULTS =
      add("faults", Group.RECORDING, ValueType.items(ValueType.oneOf("fault", FaultKind.class)))
          .of(Source.LIVE)
          .field("Inject faults", "")
          .option("F[,F...]", "Inject faults into what Assay starts, in turn: …")
          .otherwise(Use.RUN, "none");
  public static final Parameter<Duration> FAULTS_EVERY =
      add("faults-every", Group.RECORDING, ValueType.time())
          .of(Source.LIVE)
          .field("every", "")
          .option("T", "Time between two faults")
          .standard("2s");
  public static final Parameter<Duration> FAULTS_FOR =
      add("faults-for", Group.RECORDING, ValueType.time())
          .of(Source.LIVE)
          .field("for", "")
          .option("T", "How long a fault lasts")
          .standard("1s");
  public static final Parameter<String> FAULT_PLAN =
      add("fault-plan", Group.TARGET, ValueType.any())
          .of(Source.LIVE)
          .option("FILE", "Inject the faults of a plan, such as: at 5s partition replica 1 for 2s");
  public static final Parameter<List<String>> FAULT_COMMAND =
      add("fault-command", Group.TARGET, ValueType.texts()).of(Source.LIVE);
  public static final Parameter<Duration> WARMUP =
      add("warmup", Group.RECORDING, ValueType.time())
          .of(Source.LIVE)
          .field("Warm-up", "")
          .option("T", "Time that clients work before the duration and the faults begin")
          .otherwise(Use.RUN, "none");
  public static final Parameter<Duration> QUIESCE =
      add("quiesce", Group.RECORDING, ValueType.time())
          .of(Source.LIVE)
          .field("Wait before the final reads", "")
          .option("T", "Time between the last transaction and the final reads")
          .otherwise(Use.RUN, "none");
  public static final Parameter<Boolean> WHITE_BOX =
      add("white-box", Group.RECORDING, ValueType.flag())
          .of(Source.LIVE)
          .field("White box", "read the database's log and check with its version certificate")
          .option(
              "",
              "Also read the database's log and save the version certificate beside the history"
                  + " (postgres, mariadb; by URL also cockroachdb, tidb)");

  // ---- what becomes of a run that is judged while it goes on

  public static final Parameter<Boolean> UNTIL_VIOLATED =
      add("until-violated", Group.LIVE, ValueType.flag())
          .of(Source.LIVE)
          .field("Stop early", "at the first violation of a judged level")
          .option("", "Stop when a judged level is violated or a forbidden anomaly is found");
  public static final Parameter<Integer> REPEAT =
      add("repeat", Group.LIVE, ValueType.times())
          .of(Source.LIVE)
          .field("Repeat until violated", "maximum number of attempts, each with empty tables")
          .option(
              "N",
              "Run N times, or forever, each time with empty tables and the next seed; with"
                  + " --until-violated only the last run is kept")
          .standard("1");

  // ---- what to decide, and by which means

  public static final Parameter<List<Level>> LEVEL =
      add("level", Group.CHECK, Names::levels)
          .field("Levels to check", "")
          .option("L[,L...]", "Levels to decide and judge, or all")
          .shortName("l")
          .standard(Names.ALL);
  public static final Parameter<Level> EXPECT =
      add("expect", Group.CHECK, NamedTypes.level())
          .field("Level that must hold", "the level requested, else serializable")
          .option("L", "With --level all: the level that must hold")
          .otherwise(
              Use.RUN,
              "the level recorded in the history, which is the one requested from the database,"
                  + " else serializable");
  public static final Parameter<Set<Assumption>> INFER =
      add("infer", Group.CHECK, NamedTypes.assumptions())
          .field("Assumptions about registers", "")
          .option(
              "A[,A...]",
              """
              Assumptions about single registers
                initial: the initial version comes first;
                writes-follow-reads: a transaction's write is newer than what it read of the key;
                sequential-keys: a session sees the versions of a key in order;
                linearizable-keys: real time orders the versions of a key;
                transaction-order: the history's expected serialization order does;
                timestamps: the database's commit timestamps do\
              """)
          .otherwise(Use.RUN, "initial, which is always assumed");
  public static final Parameter<Integer> MAX_WITNESSES =
      add("max-witnesses", Group.CHECK, ValueType.whole(1, ANY))
          .field("Instances shown per anomaly", "")
          .option("N", "Show up to N instances of each anomaly")
          .otherwise(Use.RUN, "1 in text, 3 in json");
  public static final Parameter<Set<AnomalyType>> ANOMALY =
      add("anomaly", Group.CHECK, Names::anomalies)
          .field("Show only these anomalies", "")
          .option("ID[,ID...]", "Show only these anomalies; verdicts do not change")
          .otherwise(Use.RUN, "all");
  public static final Parameter<Set<AnomalyType>> FORBID =
      add("forbid", Group.CHECK, Names::anomalies)
          .field("Forbidden anomalies", "")
          .option(
              "ID[,ID...]",
              "Fail if one of these anomalies is found, whatever levels hold. Levels are then "
                  + "judged only if --level or --expect names them")
          .otherwise(Use.RUN, "none");
  public static final Parameter<Integer> THREADS =
      add("threads", Group.CHECK, ValueType.whole(1, 1024))
          .field("Threads per check", "")
          .option("N", "Maximum number of threads per check")
          .otherwise(Use.RUN, "one per processor");
  public static final Parameter<Duration> TIMEOUT =
      add("timeout", Group.CHECK, ValueType.time())
          .field("Time limit per check", "")
          .option("T", "Give up on checking a history after this long")
          .standard("10m");
  public static final Parameter<String> MEMORY =
      add(
              "memory",
              Group.CHECK,
              ValueType.text("[1-9]\\d{0,4}[mg]", "an amount such as 512m or 4g"))
          .field("Memory per step", "")
          .standard("2g");
  public static final Parameter<List<String>> CHECKERS =
      add(
              "checkers",
              Group.CHECK,
              ValueType.items(ValueType.text("[a-z0-9][a-z0-9.-]{0,39}", "names of checkers")))
          .field("Checkers", "")
          .standard(CHECKER_NAMES.get(0));

  // ---- what Assay notes about a run

  /** The product and version that the database said it is. */
  public static final Parameter<String> PRODUCT = record("product", ValueType.any());

  /** Says that the URL had more than its address, which is not kept. */
  public static final Parameter<String> URL_PARAMETERS = record("url-parameters", ValueType.any());

  /** Says that there was a password, which is not kept. */
  public static final Parameter<String> PASSWORD = record("password", ValueType.any());

  /** The command lines that do the same. */
  public static final Parameter<List<String>> COMMAND = record("command", ValueType.texts());

  /** The parameters that vary within the batch of the run. */
  public static final Parameter<List<String>> VARIED = record("varied", ValueType.texts());

  /** The first run of the batch, which says {@code first} itself. */
  public static final Parameter<String> BATCH = record("batch", ValueType.any());

  /** The file of an uploaded history. */
  public static final Parameter<String> FILE = record("file", ValueType.any());

  /** The file of an uploaded certificate. */
  public static final Parameter<String> CERTIFICATE = record("certificate", ValueType.any());

  private Parameters() {}

  private static <T> Parameter<T> add(String id, Group group, ValueType<T> type) {
    Parameter<T> parameter = new Parameter<>(id, group, type);
    ALL.put(id, parameter);
    return parameter;
  }

  private static <T> Parameter<T> record(String id, ValueType<T> type) {
    return add(id, Group.RECORD, type);
  }

  /** All parameters, in the order of the table. */
  public static List<Parameter<?>> all() {
    return new ArrayList<>(ALL.values());
  }

  /** The parameters of some groups. */
  public static List<Parameter<?>> of(Group... groups) {
    List<Group> wanted = List.of(groups);
    List<Parameter<?>> found = all();
    found.removeIf(parameter -> !wanted.contains(parameter.group()));
    return found;
  }

  public static Optional<Parameter<?>> find(String id) {
    return Optional.ofNullable(ALL.get(id));
  }

  /** Databases run all workloads, simulated stores some; applications are swept on H2. */
  private static List<String> workloads(Use use) {
    List<String> names = new ArrayList<>();
    Stream.of(use == Use.RUN ? WorkloadKind.values() : WorkloadKind.simulated())
        .forEach(kind -> names.add(kind.id()));
    if (use == Use.RUN) {
      names.add(PredicateWorkload.ID);
    }
    if (use != Use.GENERATE) {
      Stream.of(Application.values()).forEach(one -> names.add(one.id()));
    }
    return names;
  }

  private static ValueType<String> fileName() {
    return ValueType.text("[^\\p{Cntrl}]{0,100}", "a name of up to 100 characters");
  }
}
