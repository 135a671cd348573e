package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.workload.Access;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.SplitMix;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.OpKind;
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
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    // A client whose last outcome is unknown had no use for another session.
    assertThat(history.sessionCount()).isBetween(unknown + 1, SESSIONS + unknown + 1);
    for (int session = 0; session < history.sessionCount(); session++) {
      assertThat(history.sessionSize(session)).isPositive();
    }
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

  @ParameterizedTest
  @EnumSource(names = {"HANGS", "HANGS_FOR_GOOD"})
  @Timeout(60)
  void clientsThatHangAreGivenUpWithTheirTransactionOnRecord(FaultyDriver.Fault hangs)
      throws Exception {
    test.duration = Duration.ofSeconds(2);
    test.patience = Duration.ofMillis(300);
    History history = record(hangs);
    assertThat(test.run.tally().count(Outcome.INDETERMINATE)).isBetween(1L, (long) SESSIONS);
    assertNothingIsWrong(history);
  }

  @Test
  void whatAClientDoesAfterItWasGivenUpDoesNotTakeEffect() throws Exception {
    Sleeper workload = new Sleeper();
    RunSpec spec =
        new RunSpec(JdbcIsolation.SERIALIZABLE, 1, 1, Duration.ofMillis(100), 0, 0, false, true, 7);
    Path file = folder.resolve("run.assay");
    try (Connector connector = faulty();
        Recorder recorder = new Recorder(file, Map.of())) {
      LiveRun run = new LiveRun(connector, spec, workload, recorder, test.stop);
      run.patience(Duration.ofMillis(100));
      run.run();
    }
    History history = Formats.read(Input.of(file));
    assertThat(history.text(0)).isEqualTo("read 1 -> nil");
    assertThat(history.outcome(0)).isEqualTo(Outcome.INDETERMINATE);
    assertThat(history.text(history.firstOp(1))).isEqualTo("read 1 -> nil");
  }

  /** A client that reads, sleeps until it is given up, and writes then. */
  private static final class Sleeper implements LiveWorkload {
    private final CountDownLatch asleep = new CountDownLatch(1);
    private volatile Thread thread;

    @Override
    public Client client(SplitMix random) {
      return new Client() {
        @Override
        public void draw(boolean onlyReads) {
          thread = Thread.currentThread();
        }

        @Override
        public boolean onlyReads() {
          return false;
        }

        @Override
        public void run(Access access) throws ClientException {
          access.read(OpKind.Type.REGISTER, 1);
          try {
            asleep.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          access.write(OpKind.Type.REGISTER, 1);
        }
      };
    }

    /** Asked for when all clients are done or given up. */
    @Override
    public void forEachKey(KeyVisitor visitor) {
      asleep.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      visitor.visit(OpKind.Type.REGISTER, 1);
    }

    @Override
    public String describe() {
      return "a sleeper";
    }
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
        .startsWith("at the end of the run, ")
        .contains(" keys could not be read")
        .endsWith(": connection refused, password=***");
    assertNothingIsWrong(history);
  }

  @Test
  @Timeout(60)
  void aServerThatNoLongerAnswersDoesNotKeepARunFromEnding() throws Exception {
    test.duration = Duration.ofSeconds(1);
    test.patience = Duration.ofMillis(300);
    History history = record(FaultyDriver.Fault.STOPS);
    // Nor is it waited for afterwards, to drop what is in it.
    test.store.close();
    assertThat(test.run.unread())
        .isEqualTo(history.metadata().get(History.UNREAD_IN_THE_END))
        .contains("keys could not be read")
        .endsWith("the server has been gone for 300 ms: it did not answer");
    assertNothingIsWrong(history);
  }

  @Test
  void aServerThatCouldBeReadInTheEndNeedsNoRemark() throws Exception {
    History history = record(FaultyDriver.Fault.REFUSED);
    assertThat(history.metadata()).doesNotContainKey(History.UNREAD_IN_THE_END);
    assertThat(test.run.unread()).isNull();
  }

  @Test
  void sessionsThatNeverRanAreSaid() throws Exception {
    test.sessions = 8;
    test.transactions = Integer.MAX_VALUE;
    test.duration = Duration.ofSeconds(1);
    Database h2 = Databases.standard();
    Database full = new StandInDriver.Behind(h2, h2, FullDriver.class);
    Map<String, String> options = TestDatabases.sound(h2.id());
    Target target = new Target(full, null, List.of(), null, null, options);
    History history;
    try (Connector connector = TestDatabases.start(target)) {
      JdbcIsolation isolation = TestDatabases.isolation(connector, "read-committed");
      history = test.on(connector, isolation, folder.resolve("run.assay"));
    }
    Tally tally = test.run.tally();
    // One connection keeps the database alive.
    assertThat(tally.clients()).isEqualTo(FullDriver.MOST - 1);
    assertThat(history.sessionCount()).isEqualTo(tally.clients() + 1);
    assertThat(tally.refusedConnections()).isPositive();
    assertThat(tally.errors())
        .containsEntry("cannot connect: 53300 (0)", tally.refusedConnections());
    assertThat(history.metadata())
        .containsEntry("run.sessionsAsked", "8")
        .containsEntry("run.sessionsRun", "2")
        .containsEntry("run.connectionsRefused", "" + tally.refusedConnections())
        .containsEntry("run.error.cannot connect: 53300 (0)", "" + tally.refusedConnections());
    assertThat(history.metadata().get("note.sessions"))
        .startsWith("6 of 8 sessions never ran: ")
        .endsWith(" connections could not be made");
  }

  @Test
  void refusalsAndRetriesAreCounted() throws Exception {
    test.retries = 2;
    History history = record(FaultyDriver.Fault.REFUSED);
    Tally tally = test.run.tally();
    assertThat(tally.refusals()).isPositive();
    assertThat(tally.retries()).isBetween(1L, tally.refusals());
    assertThat(history.metadata())
        .containsEntry("run.refused", "" + tally.refusals())
        .containsEntry("run.retries", "" + tally.retries())
        .doesNotContainKey("note.sessions");
  }

  private History record(FaultyDriver.Fault fault) throws Exception {
    FaultyDriver.fault = fault;
    FaultyDriver.dead = false;
    test.sessions = SESSIONS;
    test.upserts = false;
    try (Connector connector = faulty()) {
      return test.on(connector, connector.database().strongest(), folder.resolve("run.assay"));
    }
  }

  private static Connector faulty() throws IOException {
    Database h2 = Databases.standard();
    Database database = new StandInDriver.Behind(h2, h2, FaultyDriver.class);
    Map<String, String> options = TestDatabases.sound(h2.id());
    return TestDatabases.start(new Target(database, null, List.of(), null, "hunter2", options));
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
