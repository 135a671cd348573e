package dev.assay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlGoldenTest {
  private static String sql(SqlDialect dialect, HistoryBuilder builder) throws IOException {
    StringBuilder out = new StringBuilder();
    new SqlRenderer(dialect, out).render(builder.build(), "not serializable: an example");
    return out.toString();
  }

  private static int begin(HistoryBuilder b, Object session, String id, Outcome outcome) {
    int txn = b.begin(b.session(session), outcome);
    b.id(txn, b.scalars().of(id));
    return txn;
  }

  private static HistoryBuilder writeSkew() {
    HistoryBuilder b = new HistoryBuilder();
    b.metadata("level", "serializable");
    begin(b, 3, "T71", Outcome.COMMITTED);
    b.readList("x", List.of(1));
    b.append("y", 9);
    begin(b, 8, "T74", Outcome.COMMITTED);
    b.readList("y", List.of());
    b.append("x", 5);
    begin(b, 1, "T90", Outcome.COMMITTED);
    b.readList("x", List.of(1, 5));
    begin(b, 2, "T60", Outcome.COMMITTED);
    b.append("x", 1);
    return b;
  }

  @Test
  void aWriteSkewOfListsAsSql() throws IOException {
    Golden.check("write-skew.sql", sql(SqlDialect.POSTGRESQL, writeSkew()));
    Golden.check("write-skew-mysql.sql", sql(SqlDialect.MYSQL, writeSkew()));
  }

  @Test
  void registersSetsAndCountersOfAnyOutcomeAsSql() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    int lost = begin(b, "a", "lost", Outcome.ABORTED);
    b.error(lost, "could not\nserialize");
    b.write("it's", "v\\1");
    begin(b, "b", "dirty", Outcome.COMMITTED);
    b.read("it's", "v\\1");
    b.read("other", null);
    b.add("s", 1);
    b.increment("c", 2);
    begin(b, "a", "late", Outcome.INDETERMINATE);
    b.readSet("s", List.of(1));
    b.readCounter("c", 2);
    b.op(OpKind.READ, b.scalars().of("other"), RawScalars.UNKNOWN);
    b.write("other", 7);
    b.predicate(OpKind.SELECT, "{\"where\":[\"=\",\"v\",7]}");
    Golden.check("any-outcome.sql", sql(SqlDialect.POSTGRESQL, b));
  }

  @Test
  void keysThatLookTheSameStayApartAndLongTextsFit() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    begin(b, 1, "t", Outcome.COMMITTED);
    b.write(1, 1);
    b.write("1", "v".repeat(256));
    b.write("k".repeat(300), null);
    b.append("l", "e".repeat(4000));
    assertThat(sql(SqlDialect.POSTGRESQL, b))
        .contains("(k VARCHAR(300) PRIMARY KEY, v VARCHAR(256))")
        .contains("v VARCHAR(4001) NOT NULL")
        .contains("SET v = '1' WHERE k = '1';")
        .contains("v' WHERE k = '1 (2)';");
  }

  /** As they are left once nothing but items of a history with predicates is. */
  @Test
  void rowsStayRowsWithoutPredicates() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    b.metadata("columns", "val,ver");
    begin(b, 1, "t", Outcome.COMMITTED);
    b.write(1, List.of(60L, 2337L));
    b.read(2, null);
    assertThat(sql(SqlDialect.POSTGRESQL, b))
        .contains("(k BIGINT PRIMARY KEY, val BIGINT, ver BIGINT)")
        .contains("INSERT INTO registers VALUES (1, 60, 2337) ON CONFLICT")
        .contains("SELECT val, ver FROM registers WHERE k = 2;");
  }

  @Test
  void whatHappenedToTheServerIsSaid() throws IOException {
    HistoryBuilder b = writeSkew();
    b.metadata("fault.1", "kill at 700 ns");
    b.metadata("fault.2", "pause at 900 ns");
    assertThat(sql(SqlDialect.POSTGRESQL, b))
        .contains("-- What happened to the server is not in the statements: kill, pause\n");
  }

  @Test
  void realTimesDecideTheOrder() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    b.zeroIsInitial(true);
    b.metadata("level", "snapshot-isolation");
    int reader = begin(b, 1, "stale", Outcome.COMMITTED);
    b.start(reader, 30);
    b.end(reader, 40);
    b.read(1, 0);
    int writer = begin(b, 2, "writer", Outcome.COMMITTED);
    b.start(writer, 10);
    b.end(writer, 20);
    b.write(1, 5);
    Golden.check("stale-read.sql", sql(SqlDialect.POSTGRESQL, b));
  }

  @Test
  void everyEventComesOnceAndInTheOrderOfItsTransaction() {
    History history = writeSkew().build();
    List<Interleaving.Event> events = Interleaving.of(history);
    assertThat(events).hasSize(history.operationCount() + 2 * history.transactionCount());
    assertThat(events).doesNotHaveDuplicates();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int own = txn;
      List<Interleaving.Event> mine = events.stream().filter(e -> e.txn() == own).toList();
      assertThat(mine.get(0).kind()).isEqualTo(Interleaving.Event.Kind.BEGIN);
      assertThat(mine.get(mine.size() - 1).kind()).isEqualTo(Interleaving.Event.Kind.END);
      assertThat(mine.subList(1, mine.size() - 1))
          .isSortedAccordingTo((a, c) -> Integer.compare(a.op(), c.op()));
    }
  }
}
