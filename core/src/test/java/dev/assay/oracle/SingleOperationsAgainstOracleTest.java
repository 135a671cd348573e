package dev.assay.oracle;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Linearizability of keys and sequential consistency against a brute force over all orders. */
class SingleOperationsAgainstOracleTest {
  private static final Set<Level> LEVELS = Set.of(Level.LINEARIZABLE, Level.SEQUENTIAL);

  private final Disagreements disagreements = new Disagreements();

  private void compare(SmallHistory history, boolean mayStayOpen) {
    Report report = Assay.check(history.toHistory(), LEVELS, Budget.unlimited());
    compare(history, report, Level.SEQUENTIAL, OperationOracle.isSequential(history), mayStayOpen);
    if (history.hasTimes()) {
      boolean holds = OperationOracle.isLinearizable(history);
      compare(history, report, Level.LINEARIZABLE, holds, mayStayOpen);
    } else if (!report.verdict(Level.LINEARIZABLE).id().equals("unknown")) {
      // What is violated without times is violated with any.
      if (report.holds(Level.LINEARIZABLE)) {
        disagreements.add("linearizable holds without times", history.text());
      }
    }
  }

  private void compare(
      SmallHistory history, Report report, Level level, boolean holds, boolean mayStayOpen) {
    Verdict verdict = report.verdict(level);
    boolean right =
        switch (verdict.id()) {
          case "holds" -> holds;
          case "violated" -> !holds;
          default -> mayStayOpen;
        };
    if (!right) {
      disagreements.add(
          level + " is " + verdict.id() + ", oracle: " + (holds ? "holds" : "violated"),
          history.text());
    }
  }

  private void compareRandom(
      int count, Function<RandomHistories, SmallHistory> next, boolean open) {
    for (Shape shape :
        List.of(
            Shape.committed(4, 2, 1).withTimes(),
            Shape.committed(4, 2, 2).withTimes().withOutcomes(),
            Shape.committed(5, 1, 2).withTimes())) {
      RandomHistories histories = new RandomHistories(shape, 71);
      for (int i = 0; i < count; i++) {
        compare(next.apply(histories), open);
      }
    }
  }

  @Test
  void registersMatchTheOracleOnAllSmallHistories() {
    Random random = new Random(5);
    for (Size size : List.of(Size.committed(2, 2, 2), Size.committed(3, 1, 1))) {
      SmallHistories.forEach(
          size,
          history -> {
            compare(history, false);
            compare(timed(history, random), false);
          });
    }
    SmallHistories.forEach(
        Size.ofAnyOutcome(3, 1, 2).every(40), history -> compare(timed(history, random), false));
    disagreements.assertNone();
  }

  private static SmallHistory timed(SmallHistory history, Random random) {
    List<Txn> txns = new ArrayList<>();
    long[] clock = new long[history.txns().size() + 2];
    for (Txn txn : history.txns()) {
      long start = clock[txn.session()] + 1 + random.nextInt(4);
      long end = start + 1 + random.nextInt(5);
      clock[txn.session()] = end;
      txns.add(txn.during(start, end));
    }
    return new SmallHistory(txns);
  }

  @Test
  void everyTypeMatchesTheOracleOnRandomHistories() {
    compareRandom(700, RandomHistories::registers, false);
    compareRandom(700, RandomHistories::lists, false);
    compareRandom(700, RandomHistories::sets, false);
    compareRandom(200, RandomHistories::counters, true);
    disagreements.assertNone();
  }

  @Test
  void conditionsMatchTheOracleOnRandomHistories() {
    compareRandom(
        300,
        histories -> {
          SmallHistory history = histories.conditions();
          while (Resolution.count(history) > 64) {
            history = histories.conditions();
          }
          return history;
        },
        false);
    disagreements.assertNone();
  }
}
