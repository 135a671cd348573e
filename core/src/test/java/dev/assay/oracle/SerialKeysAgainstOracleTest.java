package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Serializability with linearizable keys against a brute force over all orders. */
class SerialKeysAgainstOracleTest {
  private static final Level LEVEL = Level.SERIALIZABLE_LINEARIZABLE_KEYS;

  private final Disagreements disagreements = new Disagreements();
  private int held;
  private int violatedByKeys;
  private int heldWithoutStrict;

  private void compare(SmallHistory history, boolean mayStayOpen) {
    Report report =
        Verifier.sample(
            Assay.check(history.toHistory(), Set.of(LEVEL), Budget.unlimited()), Given.NOTHING);
    boolean holds = SerialKeysOracle.holds(history);
    String verdict = report.verdict(LEVEL).id();
    boolean right =
        switch (verdict) {
          case "holds" -> holds && history.hasTimes();
          case "violated" -> !holds;
          default -> mayStayOpen || !history.hasTimes();
        };
    if (!right) {
      disagreements.add("is " + verdict + ", oracle: " + holds, history.text());
    }
    if (report.violated(LEVEL)) {
      verify(history, report);
    }
    held += holds && history.hasTimes() ? 1 : 0;
    boolean byKeys = report.anomalies().stream().anyMatch(a -> a.type().id().endsWith("-realtime"));
    violatedByKeys += byKeys ? 1 : 0;
    heldWithoutStrict += holds && !SerialKeysOracle.isStrict(history) ? 1 : 0;
  }

  // ---- witnesses

  /** Every cycle is closed, and the orders that it rests on are those of a common key. */
  private void verify(SmallHistory small, Report report) {
    if (report.anomalies().isEmpty()) {
      disagreements.add("no witness", small.text());
    }
    History history = report.history();
    for (Anomaly anomaly : report.anomalies()) {
      assertThat(anomaly.violates()).containsExactly(LEVEL);
      for (Evidence witness : anomaly.witnesses()) {
        boolean cycle = anomaly.type().cycleKind() != null;
        boolean sound = !cycle || (isClosed(witness.edges()) && !witness.edges().isEmpty());
        List<Edge> all = new ArrayList<>();
        Edge.forEachReason(witness.edges(), all::add);
        for (Edge edge : all) {
          sound &= isSound(history, edge);
        }
        if (!sound) {
          disagreements.add(
              anomaly.type() + " is no cycle of orders on keys: " + witness, small.text());
        }
      }
    }
  }

  private static boolean isClosed(List<Edge> cycle) {
    return IntStream.range(0, cycle.size())
        .allMatch(i -> cycle.get(i).to() == cycle.get((i + 1) % cycle.size()).from());
  }

  private static boolean isSound(History history, Edge edge) {
    int from = edge.from();
    int to = edge.to();
    int transactions = history.transactionCount();
    if (from < Edge.INITIAL || from >= transactions || to < Edge.INITIAL || to >= transactions) {
      return false;
    }
    boolean inTime = edge.kind() == EdgeKind.RT;
    if (!inTime && edge.kind() != EdgeKind.SO) {
      return edge.kind() != EdgeKind.WR
          || edge.toOp() >= 0 && history.transactionOf(edge.toOp()) == to;
    }
    boolean inOrder =
        inTime
            ? history.knownEnd(from) != History.ABSENT && history.end(from) < history.start(to)
            : history.session(from) == history.session(to) && from < to;
    return inOrder && accesses(history, from, edge.key()) && accesses(history, to, edge.key());
  }

  private static boolean accesses(History history, int txn, int key) {
    return IntStream.range(history.firstOp(txn), history.endOp(txn))
        .anyMatch(op -> history.key(op) == key);
  }

  // ---- histories

  private static SmallHistory timed(SmallHistory history, Random random) {
    return timed(history, random, 1);
  }

  /**
   * With times.
   *
   * @param gap how long after the end of a transaction the next one of its session begins at least;
   *     they overlap if it is negative
   */
  private static SmallHistory timed(SmallHistory history, Random random, int gap) {
    List<Txn> txns = new ArrayList<>();
    long[] clock = new long[history.txns().size() + 2];
    for (Txn txn : history.txns()) {
      long start = clock[txn.session()] + gap + random.nextInt(4);
      long end = start + 1 + random.nextInt(5);
      clock[txn.session()] = end;
      txns.add(txn.during(start, end));
    }
    return new SmallHistory(txns);
  }

  @Test
  void allSmallHistoriesMatchTheOracle() {
    Random random = new Random(5);
    for (Size size :
        List.of(Size.committed(2, 2, 2), Size.committed(3, 1, 1), Size.committed(3, 2, 1))) {
      SmallHistories.forEach(
          size,
          history -> {
            compare(history, false);
            compare(timed(history, random), false);
            compare(timed(history, random, -3), false);
          });
    }
    disagreements.assertNone();
  }

  @Test
  void allHistoriesOfThreeTransactionsMatchTheOracle() {
    Random random = new Random(6);
    SmallHistories.forEach(
        Size.committed(3, 2, 2).every(Integer.getInteger("assay.keys.every", 41)),
        history -> compare(timed(history, random), false));
    SmallHistories.forEach(
        Size.ofAnyOutcome(3, 1, 2).every(50),
        history -> compare(timed(history, random, -3), false));
    disagreements.assertNone();
    assertThat(held).isGreaterThan(100);
    assertThat(violatedByKeys).isGreaterThan(100);
  }

  private void compareRandom(
      int count, Function<RandomHistories, SmallHistory> next, boolean open) {
    for (Shape shape :
        List.of(
            Shape.committed(5, 3, 2).withTimes(),
            Shape.committed(5, 2, 2).withTimes().withOutcomes(),
            Shape.committed(6, 3, 1).withTimes(),
            Shape.committed(6, 2, 1).withTimes().withOutcomes())) {
      RandomHistories histories = new RandomHistories(shape, 73);
      Random random = new Random(74);
      for (int i = 0; i < count; i++) {
        SmallHistory history = next.apply(histories);
        compare(i % 3 == 0 ? timed(history, random, -2) : history, open);
      }
    }
  }

  @Test
  void everyTypeMatchesTheOracleOnRandomHistories() {
    compareRandom(600, RandomHistories::registers, false);
    compareRandom(600, RandomHistories::lists, false);
    compareRandom(400, RandomHistories::sets, false);
    compareRandom(150, SerialKeysAgainstOracleTest::counters, true);
    disagreements.assertNone();
    assertThat(held).isGreaterThan(300);
    assertThat(violatedByKeys).isGreaterThan(300);
    assertThat(heldWithoutStrict).isPositive();
  }

  /** What increments of unknown outcome were read with says nothing about whether they applied. */
  private static SmallHistory counters(RandomHistories histories) {
    List<Txn> txns = new ArrayList<>();
    for (Txn txn : histories.counters().txns()) {
      boolean known = txn.outcome() != Outcome.INDETERMINATE;
      txns.add(txn.with(txn.ops().stream().filter(op -> known || op.isWrite()).toList()));
    }
    return new SmallHistory(txns);
  }

  @Test
  void repeatedValuesAndConditionsMatchTheOracleOnRandomHistories() {
    for (Shape shape :
        List.of(
            Shape.committed(5, 2, 2).withTimes().withDuplicates(),
            Shape.committed(5, 2, 2).withTimes().withOutcomes().withDuplicates())) {
      RandomHistories histories = new RandomHistories(shape, 75);
      for (int i = 0; i < 300; i++) {
        compare(histories.registers(), true);
        SmallHistory conditions = histories.conditions();
        if (Resolution.count(conditions) <= 64) {
          compare(conditions, writesInitial(conditions));
        }
      }
    }
    disagreements.assertNone();
  }

  /** Whether a transaction may have loaded what others may have written too. */
  private static boolean writesInitial(SmallHistory history) {
    return history.txns().stream()
        .flatMap(txn -> txn.ops().stream())
        .anyMatch(op -> op instanceof Op.Write write && write.value() == 0);
  }

  /** Transactions that ran one after another, with other times. */
  static SmallHistory serial(Random random, int transactions, int keys) {
    List<List<Op>> ops = new ArrayList<>();
    int[] now = new int[keys];
    int written = 0;
    for (int t = 0; t < transactions; t++) {
      List<Op> own = new ArrayList<>();
      for (int i = 1 + random.nextInt(2); i > 0; i--) {
        int key = random.nextInt(keys);
        if (random.nextBoolean()) {
          own.add(new Op.Read(key, now[key]));
        } else {
          now[key] = ++written;
          own.add(new Op.Write(key, now[key]));
        }
      }
      ops.add(own);
    }
    List<Txn> txns = new ArrayList<>();
    for (int t = 0; t < transactions; t++) {
      boolean known = random.nextInt(6) > 0;
      // Long ones overlap with many, and let short ones change places.
      boolean isLong = random.nextInt(3) == 0;
      long start = isLong ? random.nextInt(4) : 2L * t + random.nextInt(9);
      txns.add(
          Txn.of(random.nextInt(4), known ? Outcome.COMMITTED : Outcome.INDETERMINATE, ops.get(t))
              .during(start, start + 1 + random.nextInt(isLong ? 20 : 2)));
    }
    txns.sort(Comparator.comparingLong(Txn::start));
    return new SmallHistory(txns);
  }

  @Test
  void serialHistoriesMatchTheOracle() {
    Random random = new Random(77);
    for (int i = 0; i < 6_000; i++) {
      compare(serial(random, 3 + i % 4, 2 + i % 5), false);
    }
    disagreements.assertNone();
    assertThat(held).isGreaterThan(1_000);
    assertThat(List.of(violatedByKeys, heldWithoutStrict)).allMatch(count -> count > 20);
  }

  // ---- laws

  /**
   * Strict serializability implies it; it implies serializability and linearizability of each key.
   */
  @Test
  void itIsBetweenStrictSerializabilityAndWhatItIsNamedAfter() {
    int[] weaker = new int[1];
    for (Shape shape :
        List.of(
            Shape.committed(5, 2, 2).withTimes(),
            Shape.committed(5, 2, 2).withTimes().withOutcomes())) {
      RandomHistories histories = new RandomHistories(shape, 76);
      for (int i = 0; i < 3_000; i++) {
        SmallHistory history = i % 2 == 0 ? histories.registers() : histories.lists();
        Set<Level> levels = LevelOracle.holding(history);
        boolean holds = SerialKeysOracle.holds(history);
        boolean both =
            levels.contains(Level.SERIALIZABLE) && OperationOracle.isLinearizable(history);
        boolean wrong = levels.contains(Level.STRICT_SERIALIZABLE) && !holds || holds && !both;
        if (wrong) {
          disagreements.add("holds: " + holds + ", among " + levels, history.text());
        }
        weaker[0] += both && !holds ? 1 : 0;
      }
    }
    disagreements.assertNone();
    assertThat(weaker[0]).as("histories with both verdicts but no common order").isPositive();
  }
}
