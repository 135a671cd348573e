package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.render.SqlDialect;
import dev.assay.render.SqlRenderer;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code assay shrink --sql} prints is followed on real databases, statement by statement. */
class SqlByHandTest {
  /** As a rule the first shows a violation. */
  private static final int MOST_RUNS = 50;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "hsqldb", "sqlite", "duckdb", "postgres"})
  void everyDatabaseUnderstandsWhatIsPrintedForIt(String id) throws Exception {
    try (Connector connector = TestDatabases.start(id)) {
      for (String level :
          List.of("serializable", "snapshot-isolation", "adya-read-committed", "")) {
        HistoryBuilder b = ofEveryType(connector.describe(), level);
        try (SqlSessions sessions = new SqlSessions(connector)) {
          sessions.follow(sql(b.build()));
        }
        try (SqlSessions sessions = new SqlSessions(connector)) {
          sessions.follow(sql(phantoms(connector.describe(), level).build()));
        }
      }
    }
  }

  @Test
  @Tag("extended")
  void mariadbUnderstandsWhatIsPrintedForIt() throws Exception {
    everyDatabaseUnderstandsWhatIsPrintedForIt("mariadb");
  }

  /** Parts of recordings, as {@code assay shrink --out} wrote them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "duckdb-snapshot-mixed",
        "h2-read-committed-register",
        "h2-serializable-list-append",
        "hsqldb-read-committed-mixed",
        "postgres-read-committed-counter",
        "postgres-read-committed-list-append",
        "postgres-read-committed-read-modify-write",
        "postgres-read-committed-set-insert",
        "postgres-repeatable-read-mixed"
      })
  void whatWasRecordedComesOutAgain(String name) throws Exception {
    URL recorded = getClass().getResource("recorded/" + name + ".jsonl");
    History history = Formats.read(Input.of(Path.of(recorded.toURI())));
    try (Connector connector = TestDatabases.startSound(name.substring(0, name.indexOf('-')))) {
      assertComesOutAgain(connector, history);
    }
  }

  @Test
  @Tag("extended")
  void whatMariadbDidComesOutAgain() throws Exception {
    whatWasRecordedComesOutAgain("mariadb-repeatable-read-mixed");
  }

  @ParameterizedTest
  @CsvSource({
    "h2, read-committed, READ_MODIFY_WRITE",
    "h2, read-uncommitted, MIXED",
    "h2, serializable, LIST_APPEND",
    "hsqldb, read-committed, MIXED",
    "hsqldb, serializable, MIXED",
    "duckdb, snapshot, MIXED",
    "postgres, read-committed, READ_MODIFY_WRITE",
    "postgres, read-committed, LIST_APPEND",
    "postgres, read-committed, SET_INSERT",
    "postgres, repeatable-read, MIXED"
  })
  @Tag("extended")
  void whatIsRecordedNowComesOutAgain(String id, String isolation, WorkloadKind kind)
      throws Exception {
    try (Connector connector = TestDatabases.startSound(id)) {
      History part = null;
      for (int run = 0; part == null && run < MOST_RUNS; run++) {
        part = violation(connector, isolation, kind);
      }
      assertThat(part).as("a violation in %s runs", MOST_RUNS).isNotNull();
      assertComesOutAgain(connector, part);
    }
  }

  private static void assertComesOutAgain(Connector connector, History part) throws Exception {
    String script = sql(part);
    try (SqlSessions sessions = new SqlSessions(connector)) {
      assertPromisesKept(script, sessions.follow(script));
    }
  }

  /** The smallest part of a recording that is not serializable, or null. */
  private History violation(Connector connector, String isolation, WorkloadKind kind)
      throws Exception {
    TestRun run = new TestRun();
    run.kind = kind;
    run.transactions = 400;
    run.keys = 3;
    run.writesPerKey = 6;
    History history =
        run.on(
            connector, TestDatabases.isolation(connector, isolation), folder.resolve("run.assay"));
    Budget budget = Budget.of(Duration.ofMinutes(1));
    Report report = Assay.check(history, Set.of(Level.SERIALIZABLE), budget);
    return report.violated(Level.SERIALIZABLE)
        ? Assay.shrink(report, Level.SERIALIZABLE, Set.of(), budget).history()
        : null;
  }

  @ParameterizedTest
  @CsvSource({
    "h2, snapshot",
    "h2, read-committed",
    "hsqldb, read-committed",
    "duckdb, snapshot",
    "postgres, read-committed",
    "postgres, repeatable-read"
  })
  void predicatesGiveWhatTheCommentsSay(String id, String isolation) throws Exception {
    try (Connector connector = TestDatabases.startSound(id)) {
      assertComesOutAgain(connector, phantoms(connector.describe(), isolation).build());
    }
  }

  private static void assertPromisesKept(String script, List<SqlSessions.Step> steps) {
    int promises = 0;
    for (SqlSessions.Step step : steps) {
      assertThat(step.waited()).as("%s waited in%n%s", step.sql(), script).isFalse();
      assertThat(words(step.got()))
          .as("%s in%n%s", step.sql(), script)
          .isEqualTo(words(step.promised()));
      promises += step.promised() == null ? 0 : 1;
    }
    assertThat(promises).isPositive();
  }

  /** Without the order of a set and without what marks lists, rows and nothing. */
  private static List<String> words(String result) {
    if (result == null) {
      return List.of();
    }
    List<String> words = new ArrayList<>(Arrays.asList(result.split("[^A-Za-z0-9-]+")));
    words.removeIf(word -> word.isEmpty() || List.of("NULL", "null", "no", "row").contains(word));
    words.sort(null);
    return words;
  }

  private static String sql(History history) throws IOException {
    StringBuilder out = new StringBuilder();
    new SqlRenderer(SqlDialect.of(history), out).render(history, "not serializable: an example");
    return out.toString();
  }

  /** Two transactions that each look for rows and insert what the other looked for. */
  private static HistoryBuilder phantoms(String database, String level) {
    HistoryBuilder b = new HistoryBuilder();
    b.metadata("database", database);
    b.metadata("isolation", level);
    b.metadata("columns", "val,ver,of it");
    begin(b, "a", "loader", Outcome.COMMITTED);
    b.write(1, List.of(5L, 1L, "it's"));
    b.write(2, List.of(6L, 2L, "x\\y"));
    b.write(3, List.of(7L, 3L, ""));
    begin(b, "a", "first", Outcome.COMMITTED);
    select(b, "{\"where\":[\"between\",\"val\",8,9]}");
    select(
        b,
        "{\"where\":[\"and\",[\"=\",[\"%\",\"val\",2],1],[\"=\",\"of it\",{\"text\":\"it's\"}]]}");
    row(b, 1, List.of(5L, 1L, "it's"));
    select(b, "{\"select\":[\"max\",\"val\"],\"where\":[\">=\",\"k\",-1]}");
    b.result(b.scalars().of(7));
    b.write(4, List.of(-8L, 4L, "new"));
    b.predicate(
        OpKind.UPDATE,
        "{\"where\":[\"=\",\"k\",1],\"set\":{\"val\":[\"+\",\"val\",1],\"ver\":10}}");
    row(b, 1, List.of(6L, 10L, "it's"));
    begin(b, "b", "second", Outcome.COMMITTED);
    select(b, "{\"where\":[\"<\",\"val\",0]}");
    b.read(3, List.of(7L, 3L, ""));
    b.read(9, null);
    b.write(5, List.of(9L, 5L, "new"));
    b.predicate(OpKind.UPDATE, "{\"where\":[\"=\",\"k\",3]}");
    row(b, 3, List.of(1L, 11L, "changed"));
    b.predicate(
        OpKind.UPDATE, "{\"where\":[\"=\",\"of it\",{\"text\":\"x\\\\y\"}],\"delete\":true}");
    row(b, 2, null);
    begin(b, "c", "last", Outcome.COMMITTED);
    select(b, "{}");
    row(b, 1, List.of(6L, 10L, "it's"));
    row(b, 3, List.of(1L, 11L, "changed"));
    row(b, 4, List.of(-8L, 4L, "new"));
    row(b, 5, List.of(9L, 5L, "new"));
    return b;
  }

  private static void select(HistoryBuilder b, String condition) {
    b.predicate(OpKind.SELECT, condition);
  }

  private static void row(HistoryBuilder b, Object key, Object value) {
    b.row(b.scalars().of(key), b.scalars().of(value));
  }

  private static HistoryBuilder ofEveryType(String database, String level) {
    HistoryBuilder b = new HistoryBuilder();
    b.metadata("database", database);
    if (!level.isEmpty()) {
      b.metadata("level", level);
    }
    int lost = begin(b, "a", "lost", Outcome.ABORTED);
    b.error(lost, "could not serialize");
    b.write("it's", "v\\1");
    begin(b, "b", "open", Outcome.COMMITTED);
    b.read("it's", null);
    b.write("other", 7);
    b.write("Other", true);
    b.append("l", 1);
    b.append("l", "it's");
    b.readList("l", List.of(1, "it's"));
    b.add("s", 1);
    b.add("s", "x");
    b.increment("c", -2);
    begin(b, "a", "late", Outcome.INDETERMINATE);
    b.readSet("s", List.of(1, "x"));
    b.readCounter("c", -2);
    b.read("other", 7);
    b.predicate(OpKind.SELECT, "{\"where\":[\"=\",\"v\",7]}");
    return b;
  }

  private static int begin(HistoryBuilder b, Object session, String id, Outcome outcome) {
    int txn = b.begin(b.session(session), outcome);
    b.id(txn, b.scalars().of(id));
    return txn;
  }
}
