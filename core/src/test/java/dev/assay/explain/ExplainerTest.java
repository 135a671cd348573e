package dev.assay.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainerTest {
  private final HistoryBuilder builder = new HistoryBuilder();
  private int ids;

  private int begin(Outcome outcome) {
    int txn = builder.begin(builder.session("s" + ids), outcome);
    builder.id(txn, builder.scalars().of(++ids));
    return txn;
  }

  private void committed() {
    begin(Outcome.COMMITTED);
  }

  private static Explanation explain(History history, AnomalyType type, Integer... ops) {
    return new Explainer(history).explain(type, Evidence.ofOperations(ops));
  }

  @Test
  void aThinAirReadNamesTheValueNobodyWrote() {
    committed();
    builder.read("x", 5);
    Explanation e = explain(builder.build(), AnomalyType.THIN_AIR_READ, 0);
    assertThat(e.headline()).isEqualTo("thin-air read: T1 read x = 5, which no transaction wrote");
    assertThat(e.sentences()).containsExactly("T1 read x = 5 (operation 1 of 1)");
  }

  @Test
  void aThinAirReadOfAListNamesTheElement() {
    committed();
    builder.append("x", 1);
    committed();
    builder.readList("x", List.of(1, 5));
    Explanation e = explain(builder.build(), AnomalyType.THIN_AIR_READ, 1);
    assertThat(e.headline())
        .isEqualTo("thin-air read: T2 read x = [1 5], with 5, which no transaction wrote");
  }

  @Test
  void anAbortedReadNamesTheWriter() {
    begin(Outcome.ABORTED);
    builder.write("x", 1);
    committed();
    builder.read("x", 1);
    Explanation e = explain(builder.build(), AnomalyType.ABORTED_READ, 1, 0);
    assertThat(e.headline())
        .isEqualTo("aborted read: T2 read x = 1, which T1 wrote and then aborted");
    assertThat(e.sentences())
        .containsExactly(
            "T1 wrote x = 1 (operation 1 of 1) and then aborted",
            "T2 read x = 1 (operation 1 of 1)");
    assertThat(e.transactions()).containsExactly(1, 0);
  }

  @Test
  void anIntermediateReadNamesTheLastWrite() {
    committed();
    builder.write("x", 1);
    builder.write("x", 2);
    committed();
    builder.read("x", 1);
    Explanation e = explain(builder.build(), AnomalyType.INTERMEDIATE_READ, 2, 0);
    assertThat(e.headline())
        .isEqualTo("intermediate read: T2 read x = 1 from T1, but T1 later wrote x = 2");
  }

  @Test
  void aForeignReadAfterAnOwnWriteNamesBothWriters() {
    committed();
    builder.write("x", 1);
    committed();
    builder.write("x", 2);
    builder.read("x", 1);
    Explanation e = explain(builder.build(), AnomalyType.NOT_MY_OWN_WRITE, 2, 1);
    assertThat(e.headline()).isEqualTo("not my own write: T2 wrote x = 2, then read x = 1 from T1");
  }

  @Test
  void anOwnReadOfAReplacedWriteNamesTheNewerOne() {
    committed();
    builder.write("x", 1);
    builder.write("x", 2);
    builder.read("x", 1);
    History history = builder.build();
    String expected = "not my last write: T1 wrote x = 2, then read its own earlier x = 1";
    assertThat(explain(history, AnomalyType.NOT_MY_LAST_WRITE, 2, 1).headline())
        .isEqualTo(expected);
    assertThat(explain(history, AnomalyType.NOT_MY_LAST_WRITE, 2, 0).headline())
        .isEqualTo(expected);
  }

  @Test
  void aNonRepeatableReadNamesBothVersionsInOrder() {
    committed();
    builder.read("x", 1);
    builder.read("x", 2);
    Explanation e = explain(builder.build(), AnomalyType.NON_REPEATABLE_READ, 1, 0);
    assertThat(e.headline())
        .isEqualTo(
            "non-repeatable read: T1 read x = 1 and then x = 2 without writing x in between");
    assertThat(e.sentences())
        .containsExactly("T1 read x = 1 (operation 1 of 2)", "T1 read x = 2 (operation 2 of 2)");
  }

  @Test
  void aFutureReadSaysThatTheWriteComesLater() {
    committed();
    builder.read("x", 1);
    builder.write("x", 1);
    Explanation e = explain(builder.build(), AnomalyType.FUTURE_READ, 0, 1);
    assertThat(e.headline()).isEqualTo("future read: T1 read x = 1, which it writes only later");
  }

  @Test
  void edgesOfListsSayWhichElementIsMissing() {
    committed();
    builder.readList("x", List.of(1));
    committed();
    builder.append("x", 5);
    committed();
    builder.readList("x", List.of(1, 5));
    Explainer explainer = new Explainer(builder.build());
    assertThat(explainer.sentence(Edge.of(0, 1, EdgeKind.RW, 0, 0, 1)))
        .isEqualTo("T1 read x = [1], without 5, which T2 appended next");
    assertThat(explainer.sentence(Edge.of(1, 2, EdgeKind.WR, 0, 1, 2)))
        .isEqualTo("T3 read x = [1 5], with 5, which T2 appended");
  }

  @Test
  void edgesOfRegistersSayWhatWasOverwritten() {
    committed();
    builder.write("x", 1);
    committed();
    builder.read("x", 1);
    builder.write("x", 2);
    committed();
    builder.read("x", null);
    Explainer explainer = new Explainer(builder.build());
    assertThat(explainer.sentence(Edge.of(0, 1, EdgeKind.WR, 0, 0, 1)))
        .isEqualTo("T2 read x = 1, which T1 wrote");
    assertThat(explainer.sentence(Edge.of(0, 1, EdgeKind.WW, 0, 0, 2)))
        .isEqualTo("T1 wrote x = 1, which T2 overwrote with 2");
    assertThat(explainer.sentence(Edge.of(2, 0, EdgeKind.RW, 0, 3, 0)))
        .isEqualTo("T3 read x = nil, which T1 overwrote with 1");
    assertThat(explainer.sentence(Edge.of(Edge.INITIAL, 2, EdgeKind.WR, 0, -1, 3)))
        .isEqualTo("T3 read x = nil, the initial version");
    assertThat(explainer.sentence(Edge.of(0, 1, EdgeKind.RT, -1, -1, -1)))
        .isEqualTo("T1 ended before T2 began");
    assertThat(explainer.sentence(Edge.of(0, 1, EdgeKind.SO, -1, -1, -1)))
        .isEqualTo("T1 came before T2 in session s1");
  }

  @Test
  void commitOrderRestsOnTheReadThatForcesIt() {
    committed();
    builder.write("x", 1);
    committed();
    builder.write("x", 2);
    builder.write("y", 1);
    committed();
    builder.read("y", 1);
    builder.read("x", 1);
    Edge seen = Edge.of(1, 2, EdgeKind.WR, 1, 2, 3);
    Edge stale = Edge.of(0, 2, EdgeKind.WR, 0, 0, 4);
    Edge forced = new Edge(1, 0, EdgeKind.CM, 0, 1, 0, List.of(stale, seen));
    Edge back = Edge.of(0, 1, EdgeKind.WW, 0, 0, 1);
    Explanation e =
        new Explainer(builder.build())
            .explain(AnomalyType.NON_MONOTONIC_READ_CM, Evidence.ofEdges(List.of(forced, back)));
    assertThat(e.headline())
        .isEqualTo(
            "non-monotonic read by commit order: T3 read x = 1 from T1, although it follows T2,"
                + " which replaced it");
    assertThat(e.sentences().get(0))
        .isEqualTo("T2 must commit before T1: both wrote x, T3 follows T2, yet read x from T1");
    assertThat(e.allSteps()).extracting(s -> s.number()).containsExactly("1", "1a", "1b", "2");
  }

  @Test
  void whatAnAmbiguousReadSawIsToldByRulingOutTheOtherWriters() {
    committed();
    builder.write("x", 1);
    committed();
    builder.write("x", 1);
    builder.write("y", 2);
    committed();
    builder.read("x", 1);
    Edge supposed = Edge.of(1, 2, EdgeKind.WR, 0, 1, 3);
    Edge after = Edge.of(2, 1, EdgeKind.RT, -1, -1, -1);
    Edge refuted = new Edge(1, 2, EdgeKind.WR, 0, 1, 3, List.of(supposed, after));
    Edge read = new Edge(0, 2, EdgeKind.WR, 0, 0, 3, List.of(refuted));
    Edge back = Edge.of(2, 0, EdgeKind.RT, -1, -1, -1);
    Explanation explanation =
        new Explainer(builder.build())
            .explain(AnomalyType.G1C_REALTIME, Evidence.ofEdges(List.of(read, back)));
    assertThat(explanation.allSteps().stream().map(step -> step.number() + " " + step.sentence()))
        .containsExactly(
            "1 T3 read x = 1 from T1, since it cannot have read it from T2",
            "1a if T3 had read x = 1 from T2, that would close a cycle too",
            "1a.1 suppose T3 read x = 1 from T2",
            "1a.2 T3 ended before T2 began",
            "2 T3 ended before T1 began");
    assertThat(explanation.allSteps().stream().map(Explanation.Step::supposed))
        .containsExactly(false, true, true, false, false);
  }

  @Test
  void longListsAndHostileNamesStayOnOneShortLine() {
    committed();
    builder.append("a\u001b[31m\nb", 1);
    Long[] many = new Long[1000];
    for (int i = 0; i < many.length; i++) {
      many[i] = (long) i;
    }
    builder.readList("x", List.of(many));
    Wording wording = new Wording(builder.build());
    assertThat(wording.operation(0)).isEqualTo("append a\\u001b[31m\\u000ab 1");
    assertThat(wording.operation(1)).isEqualTo("read x -> [0 1 2 … 995 996 997 998 999]");
  }
}
