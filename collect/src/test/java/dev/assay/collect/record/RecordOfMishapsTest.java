package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever goes wrong between clients and a strictly serializable database, the record says what
 * happened, and accuses no client.
 */
class RecordOfMishapsTest {
  private static final int SESSIONS = 4;
  private static final int TRANSACTIONS = 25;

  private static final int RUNS = 4;

  private static final Map<Mishap, Long> HAPPENED = new EnumMap<>(Mishap.class);

  @TempDir Path folder;

  @AfterAll
  static void everyMishapHappened() {
    assertThat(HAPPENED).containsOnlyKeys(Mishap.values());
  }

  static Stream<String> workloads() {
    // What a conditional operation does depends on what was seen, which TrackedWorkload cannot
    // tell; and databases give no version numbers.
    Stream<String> kinds =
        Stream.of(WorkloadKind.values())
            .filter(kind -> kind != WorkloadKind.CAS && kind != WorkloadKind.VERSIONS)
            .map(WorkloadKind::id);
    Stream<String> applications = Stream.of(Application.values()).map(Application::id);
    return Stream.of(kinds, applications, Stream.of(PredicateWorkload.ID)).flatMap(ids -> ids);
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void theRecordSaysWhatHappened(String workload) throws Exception {
    int first = workloads().toList().indexOf(workload) * RUNS;
    for (int run = first; run < first + RUNS; run++) {
      compare(workload, run);
    }
  }

  @Tag("extended")
  @ParameterizedTest
  @MethodSource("workloads")
  void theRecordSaysWhatHappenedOnEveryDatabaseMoreThanOnce(String workload) throws Exception {
    for (int run = 0; run < 3 * Databases.all().size(); run++) {
      compare(workload, run);
    }
  }

  /** The run's number decides all that is not the workload, so that it names what happens. */
  private void compare(String workloadId, int run) throws Exception {
    List<Database> databases = Databases.all();
    Database posed = databases.get(run % databases.size());
    Database real = Databases.byId(run % 2 == 0 ? "h2" : "sqlite").orElseThrow();
    boolean closingCommits = posed.id().equals("jdbc");
    Mishaps mishaps = new Mishaps(posed.id(), run, closingCommits);
    UnreliableDriver.mishaps = mishaps;
    TrackedWorkload workload = tracked(workloadId);
    Database database = new StandInDriver.Behind(real, posed, UnreliableDriver.class);
    Target target =
        new Target(database, null, List.of(), null, null, TestDatabases.sound(real.id()));
    Path file = folder.resolve("run.assay");
    Stop stop = new Stop();
    try (Connector connector = TestDatabases.start(target);
        Recorder recorder = new Recorder(file, Map.of())) {
      mishaps.begin(recorder::now);
      new LiveRun(connector, spec(database, run), workload, recorder, stop).run();
    }
    mishaps.counts().forEach((mishap, count) -> HAPPENED.merge(mishap, count, Long::sum));
    String what = "%s, like %s, run %d".formatted(workloadId, posed.title(), run);
    assertThat(stop.failure()).as(what).isNull();
    History history = Formats.read(Input.of(file));
    Comparison comparison = new Comparison(what, history, workload.attempts(), database.dialect());
    comparison.run();
    assertNothingIsWrong(what, history);
    assertThat(check(comparison.toldAll()).holds(Level.STRICT_SERIALIZABLE)).as(what).isTrue();
  }

  private static RunSpec spec(Database database, int run) {
    Duration duration = Duration.ofSeconds(30);
    int retries = run / 2 % 2;
    boolean forUpdate = run / 3 % 2 == 0;
    boolean upserts = run / 4 % 2 == 0;
    return new RunSpec(
        database.strongest(),
        SESSIONS,
        TRANSACTIONS,
        duration,
        retries,
        0.05,
        forUpdate,
        upserts,
        run);
  }

  private static TrackedWorkload tracked(String id) {
    for (Application application : Application.values()) {
      if (application.id().equals(id)) {
        return tracked(application.workload(1), OpKind.Type.REGISTER);
      }
    }
    WorkloadSpec.Builder spec = WorkloadSpec.builder().sessions(SESSIONS).operations(1, 4);
    if (id.equals(PredicateWorkload.ID)) {
      PredicateShares shares = PredicateShares.standard();
      return tracked(new PredicateWorkload(spec.keys(12).build(), shares), OpKind.Type.REGISTER);
    }
    WorkloadKind kind = WorkloadKind.valueOf(id.replace('-', '_').toUpperCase(Locale.ROOT));
    return tracked(
        new ParametricWorkload(spec.kind(kind).keys(5).writesPerKey(12).build()),
        kind == WorkloadKind.COUNTER ? OpKind.Type.COUNTER : OpKind.Type.REGISTER);
  }

  private static TrackedWorkload tracked(LiveWorkload workload, OpKind.Type marks) {
    return new TrackedWorkload(workload, marks, SESSIONS);
  }

  /** Of counters and conditions, commits of unknown outcome may leave open whether it holds. */
  private static void assertNothingIsWrong(String what, History history) {
    Report report = check(history);
    assertThat(report.anomalies()).as(what).isEmpty();
    if (!history.uses(OpKind.Type.COUNTER) && !history.uses(OpKind.Type.PREDICATE)) {
      assertThat(report.holds(Level.STRICT_SERIALIZABLE)).as(what).isTrue();
    }
  }

  private static Report check(History history) {
    Budget budget = Budget.of(Duration.ofMinutes(1));
    return Assay.check(history, List.of(Level.STRICT_SERIALIZABLE), budget);
  }

  /** The record of a run beside what happened in it. */
  private record Comparison(String what, History history, List<Attempt> attempts, Dialect dialect) {
    void run() {
      Map<Long, Integer> recorded = recorded();
      assertThat(recorded).as(what).hasSameSizeAs(attempts);
      Integer[] lastOf = new Integer[SESSIONS];
      Set<Integer> sessions = new HashSet<>();
      for (Attempt attempt : attempts) {
        int txn = recorded.get(attempt.id);
        compare(attempt, txn);
        Integer last = lastOf[attempt.client];
        if (last != null && history.outcome(last) != Outcome.INDETERMINATE) {
          assertThat(history.session(txn)).as(what).isEqualTo(history.session(last));
        } else {
          assertThat(sessions.add(history.session(txn))).as(what).isTrue();
        }
        lastOf[attempt.client] = txn;
      }
    }

    /** Where the transactions of clients are; all others are to be committed. */
    private Map<Long, Integer> recorded() {
      Map<Long, Integer> recorded = new HashMap<>();
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        Object key = history.operation(history.firstOp(txn)).key();
        if (key instanceof Long id && id >= TrackedWorkload.FIRST_ID) {
          assertThat(recorded.put(id, txn)).as(what).isNull();
        } else {
          assertThat(history.outcome(txn)).as(what).isEqualTo(Outcome.COMMITTED);
        }
      }
      return recorded;
    }

    /** The history as if every client had learned the outcome of its commits, and when. */
    History toldAll() {
      HistoryBuilder builder = new HistoryBuilder();
      OperationCopy copy = new OperationCopy(history, builder);
      history.metadata().forEach(builder::metadata);
      for (int session = 0; session < history.sessionCount(); session++) {
        builder.session(history.sessionName(session));
      }
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        copy.begin(txn);
        for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
          copy.add(op);
        }
      }
      Map<Long, Integer> recorded = recorded();
      for (Attempt attempt : attempts) {
        int txn = recorded.get(attempt.id);
        if (history.outcome(txn) == Outcome.INDETERMINATE) {
          builder.outcome(txn, attempt.committed ? Outcome.COMMITTED : Outcome.ABORTED);
          builder.end(txn, attempt.committed ? attempt.commitEnded : History.ABSENT);
        }
      }
      return builder.build();
    }

    private void compare(Attempt attempt, int txn) {
      String which = what + ", T" + txn + ", " + history.error(txn);
      Outcome outcome = history.outcome(txn);
      assertThat(outcome).as(which).isEqualTo(outcome(attempt));
      if (outcome != Outcome.INDETERMINATE) {
        assertThat(attempt.committed).as(which).isEqualTo(outcome == Outcome.COMMITTED);
      }
      List<Operation> operations = new ArrayList<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        operations.add(history.operation(op));
      }
      assertThat(operations).as(which).isEqualTo(attempt.expected(dialect));
      assertThat(history.start(txn)).as(which).isLessThanOrEqualTo(attempt.firstCall);
      if (outcome == Outcome.INDETERMINATE) {
        assertThat(history.end(txn)).as(which).isEqualTo(History.ABSENT);
      } else {
        assertThat(history.end(txn)).as(which).isGreaterThanOrEqualTo(attempt.lastCall);
      }
      if (attempt.committed) {
        assertThat(attempt.commitBegan).as(which).isGreaterThanOrEqualTo(history.start(txn));
      }
    }

    private static Outcome outcome(Attempt attempt) {
      return switch (attempt.answer) {
        case DONE -> Outcome.COMMITTED;
        case UNCLEAR -> Outcome.INDETERMINATE;
        case NONE, REFUSED -> Outcome.ABORTED;
      };
    }
  }
}
