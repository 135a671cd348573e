package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Evidence;
import dev.assay.explain.Minimizer;
import dev.assay.explain.Smallest;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import dev.assay.oracle.predicate.PredicateHistory.Txn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parts of histories with predicates: nothing is violated in them that was not in the whole. */
class PredicatePartsTest {
  private final PredicateHistories histories = new PredicateHistories(11);
  private int parts;
  private int withRowsLess;

  private interface Oracle {
    /** The levels that hold, or null where it cannot tell. */
    Set<Level> holding(PredicateHistory history);
  }

  /** Leaves things out at random and asks the oracle each time. */
  private void assertNothingIsPutIn(PredicateHistory whole, Random random, Oracle oracle) {
    Set<Level> held = oracle.holding(whole);
    if (held == null || held.isEmpty()) {
      return;
    }
    History history = whole.toHistory();
    List<History> tried = new ArrayList<>();
    Minimizer.Judge judge =
        (part, type) -> {
          tried.add(part);
          return random.nextInt(4) == 0;
        };
    new Minimizer(history, judge, Budget.unlimited()).of(anything(history, random));
    for (History part : tried) {
      PredicateHistory small = small(part);
      Set<Level> holding = small.txns().isEmpty() ? held : oracle.holding(small);
      if (holding != null) {
        assertThat(holding).as("%s%n is left of%n%s", small.text(), whole.text()).containsAll(held);
        parts++;
        withRowsLess += countPredicates(small) > 0 && small.size() < whole.size() ? 1 : 0;
      }
    }
  }

  /** An argument from some operations, whatever it may say. */
  private static List<Anomaly> anything(History history, Random random) {
    if (random.nextBoolean()) {
      return List.of();
    }
    List<Integer> some =
        IntStream.range(0, history.operationCount())
            .filter(op -> random.nextBoolean())
            .boxed()
            .toList();
    return List.of(Anomaly.of(AnomalyType.G2, 1, List.of(new Evidence(some, List.of()))));
  }

  private static long countPredicates(PredicateHistory history) {
    return history.txns().stream()
        .flatMap(txn -> txn.ops().stream())
        .filter(op -> op.predicate() != null)
        .count();
  }

  @Test
  void leavingOutPutsNoViolationOfSerializabilityOrSnapshotsIn() {
    Random random = new Random(3);
    for (int i = 0; i < 400; i++) {
      assertNothingIsPutIn(histories.next(4, 3, false), random, SerialOracle::holding);
      assertNothingIsPutIn(histories.next(4, 2, true), random, SerialOracle::holding);
      PredicateHistory aborted = histories.ended(histories.next(4, 2, false), Outcome.ABORTED);
      assertNothingIsPutIn(aborted, random, history -> SerialOracle.holding(history.committed()));
    }
    assertThat(parts).isGreaterThan(5_000);
    assertThat(withRowsLess).isGreaterThan(1_000);
  }

  @Test
  void leavingOutPutsNoViolationOfTheOtherLevelsOfAdyaIn() {
    Random random = new Random(4);
    Oracle oracle =
        history -> new ItemReads(history).arePlain() ? AnyCertificate.holding(history) : null;
    for (int i = 0; i < 150; i++) {
      assertNothingIsPutIn(histories.next(3, 2, false), random, oracle);
      assertNothingIsPutIn(histories.next(3, 2, true), random, oracle);
    }
    assertThat(parts).isGreaterThan(500);
  }

  @Test
  void whatIsLeftOfAViolationIsOne() {
    int shrunk = 0;
    int smaller = 0;
    for (int i = 0; i < 900; i++) {
      PredicateHistory whole = histories.next(4, 3, false);
      History history = whole.toHistory();
      Report report = Assay.check(history, Set.of(Level.SERIALIZABLE), Budget.unlimited());
      if (report.violated(Level.SERIALIZABLE)) {
        Smallest smallest = Assay.shrink(report, Level.SERIALIZABLE, Set.of(), Budget.unlimited());
        PredicateHistory part = small(smallest.history());
        assertThat(SerialOracle.holding(part))
            .as("%s%n is left of%n%s", part.text(), whole.text())
            .doesNotContain(Level.SERIALIZABLE);
        shrunk++;
        smaller += part.size() < whole.size() ? 1 : 0;
      }
    }
    assertThat(shrunk).isGreaterThan(100);
    assertThat(smaller).isGreaterThan(50);
  }

  /** What is written to 371 cannot match k = 370, and the other way round. */
  @Test
  void rowsThatCannotMatchAreNotNeeded() throws ParseException {
    String lines =
        """
        {"assay":1,"metadata":{"columns":"val"}}
        {"session":1,"ops":[["w",371,{"vector":[1]}],["select",{"where":["=","k",370]},[]]]}
        {"session":2,"ops":[["w",370,{"vector":[2]}],["select",{"where":["=","k",371]},[]]]}
        {"session":3,"ops":[["w",370,{"vector":[3]}],["w",371,{"vector":[4]}]]}
        """;
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    History history = Formats.read(Input.of("skew.jsonl", bytes));
    Report report = Assay.check(history, Set.of(Level.SERIALIZABLE), Budget.unlimited());
    Smallest smallest = Assay.shrink(report, Level.SERIALIZABLE, Set.of(), Budget.unlimited());
    assertThat(smallest.history().transactionCount()).isEqualTo(2);
  }

  // ---- the way back from a history

  private static PredicateHistory small(History history) {
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      List<Op> ops = new ArrayList<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        ops.add(small(history, op));
      }
      int session = Integer.parseInt(history.sessionText(history.session(txn)));
      txns.add(
          new Txn(session, ops)
              .timed(time(history.start(txn)), time(history.end(txn)))
              .ended(history.outcome(txn)));
    }
    return new PredicateHistory(txns);
  }

  private static long time(long recorded) {
    return recorded == History.ABSENT ? -1 : recorded;
  }

  private static Op small(History history, int op) {
    if (!history.kind(op).isPredicate()) {
      return history.kind(op) == OpKind.READ
          ? new Op.Read(key(history, op), row(history, op))
          : new Op.Write(key(history, op), row(history, op));
    }
    String condition = history.predicates().condition(history.value(op));
    Map<String, Row> rows = new LinkedHashMap<>();
    for (int row = op + 1; row < history.nextOp(op); row++) {
      rows.put(key(history, row), row(history, row));
    }
    if (history.kind(op) == OpKind.UPDATE) {
      return new Op.Update(condition, rows);
    }
    boolean aggregates = condition.startsWith("{\"select\"");
    return aggregates
        ? new Op.Aggregate(
            condition, history.values().get(history.predicates().result(history.value(op))))
        : new Op.Select(condition, rows);
  }

  private static String key(History history, int op) {
    return (String) history.keys().get(history.key(op));
  }

  private static Row row(History history, int op) {
    return Row.of(history.values().get(history.value(op)));
  }
}
