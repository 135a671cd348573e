package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("extended")
class ManySessionsTest {
  private static final int SESSIONS = 200;

  @TempDir Path folder;

  @Test
  void twoHundredClientsOfPostgresLoseNoRecord() throws Exception {
    TestRun test = new TestRun();
    test.sessions = SESSIONS;
    test.transactions = Integer.MAX_VALUE;
    test.duration = Duration.ofMinutes(1);
    test.kind = WorkloadKind.LIST_APPEND;
    test.keys = 10;
    test.writesPerKey = 32;
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    try (Connector connector = TestDatabases.start(target, SESSIONS)) {
      History history =
          test.on(connector, connector.database().strongest(), folder.resolve("run.assay"));

      assertThat(test.stop.failure()).isNull();
      assertThat(test.run.tally().connections()).isGreaterThanOrEqualTo(SESSIONS);
      assertThat(transactionsOfClients(history))
          .isEqualTo(
              test.run.tally().count(Outcome.COMMITTED)
                  + test.run.tally().count(Outcome.ABORTED)
                  + test.run.tally().count(Outcome.INDETERMINATE));
      assertThatValuesHaveNoGaps(history);
      Report report = Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(10)));
      assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isFalse();
    }
  }

  private static long transactionsOfClients(History history) {
    String last = history.metadata().get(History.FINAL_SESSION);
    long count = 0;
    for (int session = 0; session < history.sessionCount(); session++) {
      count += history.sessionText(session).equals(last) ? 0 : history.sessionSize(session);
    }
    return count;
  }

  /** A client counts its writes, and each number becomes a value. */
  private static void assertThatValuesHaveNoGaps(History history) {
    BitSet[] counts = new BitSet[SESSIONS];
    for (int client = 0; client < SESSIONS; client++) {
      counts[client] = new BitSet();
      counts[client].set(0);
    }
    Values values = history.values();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.APPEND) {
        long value = values.asLong(history.value(op));
        counts[(int) (value % SESSIONS)].set((int) (value / SESSIONS));
      }
    }
    for (BitSet count : counts) {
      assertThat(count.cardinality()).isGreaterThan(1).isEqualTo(count.length());
    }
  }
}
