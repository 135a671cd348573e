package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Target;
import dev.assay.collect.db.TestDatabases;
import dev.assay.format.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailuresOnRecordTest {
  private static final int SESSIONS = 4;

  @TempDir Path folder;
  private final TestRun test = new TestRun();

  @Test
  void afterACommitOfUnknownOutcomeAClientGoesOnUnderANewSession() throws Exception {
    History history = record(FaultyDriver.Fault.COMMITTED_AND_LOST);
    int unknown = 0;
    Set<Integer> ended = new HashSet<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      assertThat(ended).doesNotContain(history.session(txn));
      if (history.outcome(txn) == Outcome.INDETERMINATE) {
        unknown++;
        ended.add(history.session(txn));
        assertThat(history.end(txn)).isEqualTo(History.ABSENT);
      }
    }
    assertThat(unknown).isGreaterThan(SESSIONS);
    assertThat(history.sessionCount()).isEqualTo(SESSIONS + unknown + 1);
    assertNothingIsWrong(history);
  }

  @Test
  void errorsAreOnRecordWithoutPasswords() throws Exception {
    History history = record(FaultyDriver.Fault.COMMITTED_AND_LOST);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.INDETERMINATE) {
        assertThat(history.error(txn)).isEqualTo("connection reset, password=***");
      }
    }
  }

  @Test
  void aRefusedCommitIsAbortedAndTheSessionGoesOn() throws Exception {
    History history = record(FaultyDriver.Fault.REFUSED);
    int refused = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      assertThat(history.outcome(txn)).isNotEqualTo(Outcome.INDETERMINATE);
      if ("could not serialize access".equals(history.error(txn))) {
        assertThat(history.outcome(txn)).isEqualTo(Outcome.ABORTED);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(SESSIONS);
    assertThat(history.sessionCount()).isEqualTo(SESSIONS + 1);
    assertNothingIsWrong(history);
  }

  @Test
  void clientsThatHangAreGivenUpWithTheirTransactionOnRecord() throws Exception {
    test.duration = Duration.ofSeconds(2);
    test.patience = Duration.ofMillis(300);
    History history = record(FaultyDriver.Fault.HANGS);
    assertThat(test.run.tally().count(Outcome.INDETERMINATE)).isBetween(1L, (long) SESSIONS);
    assertNothingIsWrong(history);
  }

  @Test
  void aClientWhoseDriverFallsApartLeavesItsTransactionOnRecord() throws Exception {
    History history = record(FaultyDriver.Fault.COMMITTED_AND_BROKEN);
    assertThat(test.stop.failure()).isInstanceOf(LinkageError.class);
    assertThat(test.run.tally().count(Outcome.INDETERMINATE)).isPositive();
    assertNothingIsWrong(history);
  }

  @Test
  void thatAServerDiedAndCouldNotBeReadInTheEndIsOnRecord() throws Exception {
    test.duration = Duration.ofSeconds(2);
    test.patience = Duration.ofMillis(300);
    History history = record(FaultyDriver.Fault.DIES);
    assertThat(test.run.tally().count(Outcome.COMMITTED)).isPositive();
    assertThat(history.metadata().get("note.final-reads"))
        .startsWith("when all clients were done, ")
        .contains(" keys could not be read")
        .endsWith(": connection refused, password=***");
    assertNothingIsWrong(history);
  }

  @Test
  void aServerThatCouldBeReadInTheEndNeedsNoRemark() throws Exception {
    History history = record(FaultyDriver.Fault.REFUSED);
    assertThat(history.metadata()).doesNotContainKey("note.final-reads");
  }

  private History record(FaultyDriver.Fault fault) throws Exception {
    FaultyDriver.fault = fault;
    FaultyDriver.dead = false;
    test.sessions = SESSIONS;
    test.upserts = false;
    Target target =
        new Target(
            new FaultyDriver.FaultyH2(),
            null,
            List.of(),
            null,
            "hunter2",
            TestDatabases.sound("h2"));
    try (Connector connector = TestDatabases.start(target)) {
      return test.on(connector, connector.database().strongest(), folder.resolve("run.assay"));
    }
  }

  private static void assertNothingIsWrong(History history) {
    Report report = Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(1)));
    assertThat(report.violated(Level.CAUSAL)).as("%s", report.anomalies()).isFalse();
  }

  @Test
  void aHistoryThatCannotBeWrittenSaysSoOnce() {
    assertThatThrownBy(
            () -> {
              try (Recorder recorder = new Recorder("run.assay", fullDisk(), Map.of(), false)) {
                recorder.metadata("text", "x".repeat(1_000));
                recorder.flush();
                recorder.failIfAny();
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot write run.assay: No space left on device");
  }

  @Test
  void whyARecordingFailedIsNotHiddenByWhatFailsAfterIt() {
    assertThatThrownBy(
            () -> {
              try (Recorder recorder = new Recorder("run.assay", fullDisk(), Map.of(), false)) {
                AssayBinaryJournal journal = recorder.journal();
                int session = recorder.newSession();
                for (int i = 0; i < 3; i++) {
                  journal.begin(session);
                  journal.error("x".repeat(1_000));
                  recorder.end(journal, Outcome.ABORTED);
                  recorder.flush();
                }
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot write run.assay: No space left on device");
  }

  private static OutputStream fullDisk() {
    return new OutputStream() {
      private int left = 100;

      @Override
      public void write(int b) throws IOException {
        if (left-- <= 0) {
          throw new IOException("No space left on device");
        }
      }
    };
  }
}
