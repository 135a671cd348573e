package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RecordedFault;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveRunTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "hsqldb", "sqlite", "duckdb", "postgres"})
  void everyTransactionIsOnRecordAndItsStrongestLevelIsCausal(String id) throws Exception {
    try (Connector connector = TestDatabases.startSound(id)) {
      TestRun test = new TestRun();
      History history = test.on(connector, connector.database().strongest(), file());

      assertThat(test.stop.failure()).isNull();
      assertThat(count(history, Outcome.COMMITTED))
          .isEqualTo(test.run.tally().count(Outcome.COMMITTED) + finalReads(history));
      assertThat(count(history, Outcome.ABORTED))
          .isEqualTo(test.run.tally().count(Outcome.ABORTED));
      assertThat(test.run.tally().count(Outcome.COMMITTED)).isGreaterThan(50);
      assertValuesAreUnique(history);
      assertTimesAreInOrder(history);
      Report report = check(history);
      assertThat(report.violated(Level.CAUSAL)).as("%s", report.anomalies()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(WorkloadKind.class)
  void everyWorkloadRunsWithUpsertsAndWithUpdates(WorkloadKind kind) throws Exception {
    for (boolean upserts : new boolean[] {true, false}) {
      try (Connector connector = TestDatabases.startSound("h2")) {
        TestRun test = new TestRun();
        test.kind = kind;
        test.upserts = upserts;
        test.forUpdate = !upserts;
        test.transactions = 50;
        History history = test.on(connector, connector.database().strongest(), file());

        assertThat(test.stop.failure()).isNull();
        assertThat(count(history, Outcome.COMMITTED)).isGreaterThan(20);
        assertThat(check(history).violated(Level.READ_COMMITTED)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hsqldb", "sqlite", "duckdb", "postgres"})
  void conditionsAreRecordedWhetherTheySucceedOrNot(String id) throws Exception {
    try (Connector connector = TestDatabases.startSound(id)) {
      TestRun test = new TestRun();
      test.kind = WorkloadKind.CAS;
      History history = test.on(connector, connector.database().strongest(), file());

      assertThat(test.stop.failure()).isNull();
      assertThat(count(history, Outcome.COMMITTED)).isGreaterThan(20);
      assertThat(history.hasOtherReads()).isTrue();
      assertThat(check(history).violated(Level.ADYA_READ_COMMITTED)).isFalse();
    }
  }

  @Test
  void uncommittedReadsAreFoundWhereTheyAreAllowed() throws Exception {
    try (Connector connector = TestDatabases.startSound("h2")) {
      TestRun test = new TestRun();
      test.transactions = 1_000;
      test.aborts = 0.3;
      History history =
          test.on(connector, TestDatabases.isolation(connector, "read-uncommitted"), file());
      // Which of the two depends on the timing of the interrupt.
      assertThat(check(history).anomalies())
          .extracting(anomaly -> anomaly.type())
          .containsAnyOf(AnomalyType.ABORTED_READ, AnomalyType.INTERMEDIATE_READ);
    }
  }

  @Test
  void aRefusedTransactionIsRunAgainWhenAsked() throws Exception {
    try (Connector connector = TestDatabases.startSound("h2")) {
      TestRun test = new TestRun();
      test.aborts = 0.5;
      test.retries = 3;
      History history = test.on(connector, connector.database().strongest(), file());
      assertThat(history.transactionCount() - finalReads(history)).isGreaterThan(4 * 100);
    }
  }

  @Test
  void clientsReadKeysWhileTheyAreInUseAndOnceMoreThen() throws Exception {
    try (Connector connector = TestDatabases.startSound("h2")) {
      TestRun test = new TestRun();
      test.kind = WorkloadKind.LIST_APPEND;
      test.transactions = 2_000;
      History history = test.on(connector, connector.database().strongest(), file());
      int finals = history.sessionCount() - 1;
      long[] lastRead = new long[history.keys().count()];
      long[] lastWrite = new long[history.keys().count()];
      int[] reads = new int[2];
      // What came after the last write of a key is known when the history is read backwards.
      for (int txn = history.transactionCount() - 1; txn >= 0; txn--) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int key = history.key(op);
          if (history.kind(op).writesElement()) {
            lastWrite[key] = Math.max(lastWrite[key], history.end(txn));
          } else if (history.isCommitted(txn) && history.session(txn) != finals) {
            lastRead[key] = Math.max(lastRead[key], history.start(txn));
            reads[lastWrite[key] == 0 ? 1 : 0]++;
          }
        }
      }
      int then = 0;
      for (int key = 0; key < lastRead.length; key++) {
        then += lastRead[key] > lastWrite[key] ? 1 : 0;
      }
      assertThat(lastRead.length).isGreaterThan(50);
      assertThat(then).isGreaterThan(lastRead.length * 8 / 10);
      assertThat(reads[1]).as("reads of keys that are not in use").isLessThan(reads[0] / 2);
    }
  }

  @Test
  void aRunThatIsStoppedEarlyIsCheckable() throws Exception {
    try (Connector connector = TestDatabases.startSound("h2")) {
      TestRun test = new TestRun();
      test.transactions = Integer.MAX_VALUE;
      new Thread(
              () -> {
                while (test.run == null || test.run.tally().count(Outcome.COMMITTED) < 100) {
                  Thread.onSpinWait();
                }
                test.stop.because("interrupted");
              })
          .start();
      History history = test.on(connector, connector.database().strongest(), file());
      assertThat(test.stop.reason()).isEqualTo("interrupted");
      assertThat(check(history).violated(Level.CAUSAL)).isFalse();
    }
  }

  @Test
  void aServerThatIsKilledAndPausedLosesNothingThatItAcknowledged() throws Exception {
    try (Connector connector = TestDatabases.start("postgres")) {
      TestRun test = new TestRun();
      test.transactions = Integer.MAX_VALUE;
      test.duration = Duration.ofMinutes(1);
      long start = System.nanoTime();
      // A server that was killed is up again in a second, or in ten on a busy machine.
      test.enough =
          run ->
              System.nanoTime() - start > Duration.ofSeconds(4).toNanos()
                  && run.tally().connections() > test.sessions;
      test.faults =
          new FaultPlan(
              List.of(FaultKind.KILL, FaultKind.PAUSE),
              Duration.ofMillis(800),
              Duration.ofMillis(300),
              List.of(),
              7);
      test.warmup = Duration.ofSeconds(1);
      History history = test.on(connector, connector.database().strongest(), file());

      assertThat(test.stop.failure()).isNull();
      assertThat(RecordedFault.of(history).get(0).begin() - test.run.began())
          .isGreaterThanOrEqualTo(Duration.ofMillis(1800).toNanos());
      assertThat(test.run.tally().connections()).isGreaterThan(test.sessions);
      assertThat(finalReads(history)).isPositive();
      Report report = check(history);
      assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isFalse();
      assertThat(report.anomalies())
          .extracting(anomaly -> anomaly.type())
          .doesNotContain(AnomalyType.LOST_WRITE);
    }
  }

  private Path file() {
    return folder.resolve("run.assay");
  }

  private static Report check(History history) {
    return Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(1)));
  }

  private static long count(History history, Outcome outcome) {
    long count = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      count += history.outcome(txn) == outcome ? 1 : 0;
    }
    return count;
  }

  private static int finalReads(History history) {
    String name = history.metadata().get(History.FINAL_SESSION);
    int reads = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      reads += history.sessionText(history.session(txn)).equals(name) ? 1 : 0;
    }
    return reads;
  }

  private static void assertValuesAreUnique(History history) {
    Set<List<Integer>> seen = new HashSet<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE || history.kind(op) == OpKind.APPEND) {
        assertThat(seen.add(List.of(history.key(op), history.value(op)))).isTrue();
      }
    }
    assertThat(seen).isNotEmpty();
  }

  private static void assertTimesAreInOrder(History history) {
    for (int session = 0; session < history.sessionCount(); session++) {
      long last = -1;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        assertThat(history.start(txn)).isGreaterThanOrEqualTo(last);
        assertThat(history.end(txn)).isGreaterThanOrEqualTo(history.start(txn));
        last = history.end(txn);
      }
    }
  }
}
