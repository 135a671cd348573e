package dev.assay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.level.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.postgresql.ds.PGSimpleDataSource;

/** H2 gives snapshot isolation where serializable is asked for; PostgreSQL keeps its word. */
class IsolationTestTest {
  @TempDir Path folder;

  private static DataSource h2() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:junit;DB_CLOSE_DELAY=-1");
    return source;
  }

  /** What a team writes. Not run by itself: the test below runs it. */
  static class OfTeam {
    @IsolationTest(sessions = 8, duration = "3s", expect = Level.SERIALIZABLE)
    void serializable(WorkloadRun run) {
      run.on(h2()).workload(Workload.listAppend().keys(3).operations(2, 4));
    }

    @IsolationTest(sessions = 4, duration = "500ms", expect = Level.ADYA_READ_COMMITTED)
    void readCommitted(WorkloadRun run) {
      run.on(h2()).workload(Workload.registers());
    }

    @IsolationTest(expect = Level.SERIALIZABLE)
    void withoutDatabase(WorkloadRun run) {}
  }

  /** Mistakes of a team. Not run by itself. */
  static class WithMistakes {
    @IsolationTest(duration = "", expect = Level.SERIALIZABLE)
    void noDuration(WorkloadRun run) {
      run.on(h2());
    }

    @IsolationTest(duration = "forever", expect = Level.SERIALIZABLE)
    void withoutEnd(WorkloadRun run) {
      run.on(h2());
    }

    @IsolationTest(sessions = 0, expect = Level.SERIALIZABLE)
    void nobody(WorkloadRun run) {
      run.on(h2());
    }

    @IsolationTest(isolation = "serialisable", expect = Level.SERIALIZABLE)
    void noSuchIsolation(WorkloadRun run) {
      run.on(h2());
    }
  }

  @Test
  void aTestFailsWithTheVerdictAPageAndTheSeed() throws Exception {
    Events tests = run(OfTeam.class);
    List<Throwable> failures = failures(tests);
    assertThat(tests.succeeded().count()).isEqualTo(1);
    assertThat(failures).hasSize(2);
    assertThat(failures)
        .anySatisfy(e -> assertThat(e).hasMessageContaining("call on(dataSource)"))
        .anySatisfy(
            e ->
                assertThat(e)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("H2 2")
                    .hasMessageContaining("violates serializable")
                    .hasMessageContaining("write skew")
                    .hasMessageContaining("seed:"));
    Throwable violated =
        failures.stream().filter(AssertionError.class::isInstance).findFirst().orElseThrow();
    Matcher page = Pattern.compile("report: (.*)").matcher(violated.getMessage());
    assertThat(page.find()).isTrue();
    assertThat(Files.readString(Path.of(URI.create(page.group(1))))).contains("<html");
  }

  private static Events run(Class<?> team) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(team))
        .execute()
        .testEvents();
  }

  private static List<Throwable> failures(Events tests) {
    return tests.failed().stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .map(result -> result.getThrowable().orElseThrow())
        .toList();
  }

  @Test
  void mistakesAreNamedByTheirAttributes() {
    assertThat(failures(run(WithMistakes.class)))
        .extracting(Throwable::getMessage)
        .allSatisfy(message -> assertThat(message).doesNotContain("--"))
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).contains("duration: '' is not a time; write 500ms"),
            message -> assertThat(message).contains("duration: a test needs an end"),
            message -> assertThat(message).contains("sessions: '0' is not a whole number"),
            message -> assertThat(message).contains("did you mean serializable?"));
  }

  @Test
  void mistakesAreNamedByTheirCalls() {
    Map<String, ThrowingCallable> mistakes =
        Map.of(
            "sessions: '0'", () -> WorkloadRun.of(h2()).sessions(0),
            "duration: '0ms'", () -> WorkloadRun.of(h2()).duration(Duration.ZERO),
            "transactions: '0'", () -> WorkloadRun.of(h2()).transactions(0),
            "seed: '9223372036854775807'", () -> WorkloadRun.of(h2()).seed(Long.MAX_VALUE),
            "keys: '0'", () -> Workload.listAppend().keys(0),
            "operations: the end", () -> Workload.registers().operations(4, 2),
            "reads: '1.5'", () -> Workload.registers().reads(1.5));
    mistakes.forEach(
        (start, mistake) ->
            assertThatThrownBy(mistake)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(start));
  }

  /** The code on the page, word for word: here it is compiled and run, there it is read. */
  @Test
  void theCodeOnThePageIsWhatIsRunHere() throws Exception {
    String page = Files.readString(Path.of("../docs/junit.md"));
    String own = Files.readString(Path.of("src/main/java/dev/assay/junit/HistoryRecorder.java"));
    String here = Files.readString(Path.of("src/test/java/dev/assay/junit/IsolationTestTest.java"));
    for (String code : List.of(example(page, "```"), example(own, "}</pre>"))) {
      assertThat(code).contains("recorder.check()");
      assertThat(withoutMargin(here)).contains(code);
    }
  }

  private static String example(String text, String end) {
    String shown = text.substring(text.indexOf("try (HistoryRecorder recorder"));
    return withoutMargin(shown.substring(0, shown.indexOf(end)));
  }

  private static String withoutMargin(String text) {
    return text.replaceAll("(?m)^\\s*(\\* )?\\s*", "");
  }

  @Test
  void theRecorderOfThePage() {
    try (HistoryRecorder recorder = HistoryRecorder.open()) {
      HistoryRecorder.Client client = recorder.client("alice"); // one for each thread
      client.begin();
      client.read("x", null); // nothing has been written yet
      client.write("y", 2);
      client.commit(); // or abort(), or unknown() if the answer to the commit was lost
      recorder.check().assertHolds(Level.SERIALIZABLE);
    }
  }

  @Test
  void aTestThatCommittedNothingDoesNotPass() {
    try (HistoryRecorder recorder = HistoryRecorder.open()) {
      HistoryRecorder.Client client = recorder.client("alice");
      client.begin();
      client.write("x", 1);
      client.abort();
      CheckedRun run = recorder.check();
      assertThatThrownBy(() -> run.assertHolds(Level.SERIALIZABLE))
          .isInstanceOf(AssertionError.class)
          .hasMessage("the recorded history: no transaction was committed, so nothing was tested");
    }
  }

  @Test
  void whatIsOpenAtTheEndMayHaveTakenEffect() {
    try (HistoryRecorder recorder = HistoryRecorder.open()) {
      HistoryRecorder.Client alice = recorder.client("alice");
      HistoryRecorder.Client bob = recorder.client("bob");
      alice.begin();
      alice.write("x", 1);
      bob.begin();
      bob.read("x", 1);
      bob.commit();
      recorder.check().assertHolds(Level.STRICT_SERIALIZABLE);
    }
  }

  @Test
  void callsInTheWrongOrderAreRefusedWithTheRightOne() {
    try (HistoryRecorder recorder = HistoryRecorder.open()) {
      HistoryRecorder.Client client = recorder.client("alice");
      assertThatThrownBy(() -> client.write("x", 1))
          .hasMessage("session alice has no transaction: call begin() first");
      assertThatThrownBy(client::commit).hasMessageContaining("call begin() first");
      client.begin();
      assertThatThrownBy(client::begin).hasMessageContaining("end it before begin()");
    }
  }

  /** Another version of the API alone than that of the project's engine stops it. */
  @Test
  void theVersionOfJUnitIsTheProjectsOwn() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(pom).containsPattern("junit-jupiter-api</artifactId>\\s*<scope>provided<");
  }

  /**
   * Not SERIALIZABLE, which PostgreSQL rarely breaks (docs/findings), once in these two seconds.
   */
  @Test
  void postgresKeepsItsWord() throws Exception {
    Drivers drivers = new Drivers(folder.resolve("kept"), remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    try (Connector server = Connector.open(target, drivers, 10)) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setURL(server.url());
      source.setUser(server.user());
      CheckedRun run =
          WorkloadRun.of(source)
              .isolation("serializable")
              .workload(Workload.listAppend().keys(5))
              .sessions(5)
              .duration(Duration.ofSeconds(2))
              .seed(7)
              .keepIn(folder)
              .check()
              .assertHolds(Level.SNAPSHOT_ISOLATION);
      assertThat(run.report().history().transactionCount()).isGreaterThan(20);
    }
  }

  @Test
  void anIsolationThatTheDatabaseDoesNotHaveIsRefusedWithItsNames() {
    assertThatThrownBy(() -> WorkloadRun.of(h2()).isolation("serialisable").check())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("serializable");
  }

  @Test
  void clientsWrittenByHandAreRecorded() {
    try (HistoryRecorder recorder = HistoryRecorder.open()) {
      HistoryRecorder.Client alice = recorder.client("alice");
      HistoryRecorder.Client bob = recorder.client("bob");
      alice.begin();
      bob.begin();
      alice.read("x", null);
      bob.read("y", null);
      alice.write("y", 1);
      bob.write("x", 1);
      alice.commit();
      bob.commit();
      CheckedRun run = recorder.check().assertHolds(Level.SNAPSHOT_ISOLATION);
      assertThatThrownBy(() -> run.assertHolds(Level.SERIALIZABLE))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("the recorded history violates serializable");
    }
  }
}
