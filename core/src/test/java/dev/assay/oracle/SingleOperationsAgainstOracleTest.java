package dev.assay.oracle;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Linearizability of keys and sequential consistency against a brute force over all orders. */
class SingleOperationsAgainstOracleTest {
  private static final Set<Level> LEVELS = Set.of(Level.LINEARIZABLE, Level.SEQUENTIAL);

  private final Disagreements disagreements = new Disagreements();

  private void compare(SmallHistory history, boolean mayStayOpen) {
    Report report = Assay.check(history.toHistory(), LEVELS, Budget.unlimited());
    Verifier.sample(report, Given.NOTHING);
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

  /** Operations of one register with two values and nil, as their clients see them. */
  private static final List<List<Op>> ONE_REGISTER =
      List.of(
          List.of(new Op.Read(0, 0)),
          List.of(new Op.Read(0, 1)),
          List.of(new Op.Read(0, 2)),
          List.of(new Op.Write(0, 1)),
          List.of(new Op.Write(0, 2)),
          List.of(new Op.Delete(0)),
          List.of(new Op.OtherRead(0, 1)),
          List.of(new Op.OtherRead(0, 0)),
          List.of(new Op.Read(0, 1), new Op.Write(0, 2)),
          List.of(new Op.Read(0, 0), new Op.Write(0, 1)));

  private static final List<List<Op>> ONE_LIST =
      List.of(
          List.of(new Op.ListRead(0, List.of())),
          List.of(new Op.ListRead(0, List.of(1))),
          List.of(new Op.ListRead(0, List.of(1, 1))),
          List.of(new Op.ListRead(0, List.of(1, 2))),
          List.of(new Op.Append(0, 1)),
          List.of(new Op.Append(0, 2)),
          List.of(new Op.ListRead(0, List.of(1)), new Op.Append(0, 1)));

  private static final List<List<Op>> ONE_SET =
      List.of(
          List.of(new Op.SetRead(0, List.of())),
          List.of(new Op.SetRead(0, List.of(1))),
          List.of(new Op.SetRead(0, List.of(1, 2))),
          List.of(new Op.SetRead(0, List.of(2))),
          List.of(new Op.Add(0, 1)),
          List.of(new Op.Add(0, 2)),
          List.of(new Op.SetRead(0, List.of(1)), new Op.Add(0, 1)));

  private static final List<List<Op>> ONE_COUNTER =
      List.of(
          List.of(new Op.Read(0, 0)),
          List.of(new Op.Read(0, 1)),
          List.of(new Op.Read(0, 2)),
          List.of(new Op.Increment(0, 1)),
          List.of(new Op.Increment(0, -1)),
          List.of(new Op.Increment(0, 2)),
          List.of(new Op.Increment(0, 1), new Op.Read(0, 2)),
          List.of(new Op.Read(0, 1), new Op.Increment(0, 1)));

  /** All that three clients can see of a key, with all orders of their beginnings and ends. */
  @Test
  void searchesMatchTheOracleOnAllHistoriesOfThreeParts() {
    for (List<List<Op>> choices : List.of(ONE_REGISTER, ONE_LIST, ONE_SET, ONE_COUNTER)) {
      forEach(3, choices, 1, history -> compareLinearizable(history));
    }
    disagreements.assertNone();
  }

  @Test
  void searchesMatchTheOracleOnSomeHistoriesOfFourParts() {
    for (List<List<Op>> choices : List.of(ONE_REGISTER, ONE_LIST, ONE_SET, ONE_COUNTER)) {
      forEach(
          4,
          choices,
          Integer.getInteger("assay.parts.every", 3001),
          history -> compareLinearizable(history));
    }
    disagreements.assertNone();
  }

  private void compareLinearizable(SmallHistory history) {
    Report report =
        Assay.check(history.toHistory(), Set.of(Level.LINEARIZABLE), Budget.unlimited());
    compare(history, report, Level.LINEARIZABLE, OperationOracle.isLinearizable(history), false);
    if (report.violated(Level.LINEARIZABLE) && report.anomalies().isEmpty()) {
      disagreements.add("no witness", history.text());
    }
  }

  /**
   * All histories of some parts, the first two in one session and each other in its own.
   *
   * @param every one in this many is taken
   */
  private static void forEach(
      int count, List<List<Op>> choices, int every, Consumer<SmallHistory> action) {
    List<List<Long>> times = intervals(count);
    // Reads of unknown outcome say nothing.
    List<Txn> each = new ArrayList<>();
    for (List<Op> ops : choices) {
      each.add(Txn.of(0, Outcome.COMMITTED, ops));
      if (ops.stream().anyMatch(Op::isWrite)) {
        each.add(Txn.of(0, Outcome.INDETERMINATE, ops));
      }
    }
    int all = (int) Math.pow(each.size(), count);
    int number = 0;
    for (int code = 0; code < all; code++) {
      for (List<Long> time : times) {
        if (number++ % every == 0) {
          List<Txn> txns = new ArrayList<>();
          int rest = code;
          for (int i = 0; i < count; i++) {
            Txn txn = each.get(rest % each.size());
            rest /= each.size();
            txns.add(
                Txn.of(Math.max(0, i - 1), txn.outcome(), txn.ops())
                    .during(time.get(2 * i), time.get(2 * i + 1)));
          }
          action.accept(new SmallHistory(txns));
        }
      }
    }
  }

  /**
   * Starts and ends of intervals that precede each other in all different ways; the first is before
   * the second or overlaps it.
   */
  private static List<List<Long>> intervals(int count) {
    Map<List<Boolean>, List<Long>> found = new LinkedHashMap<>();
    int ends = 2 * count;
    for (int code = 0; code < Math.pow(ends, ends); code++) {
      List<Long> times = new ArrayList<>();
      int rest = code;
      boolean sane = true;
      for (int i = 0; i < ends; i++) {
        times.add((long) rest % ends);
        rest /= ends;
        sane &= i % 2 == 0 || times.get(i - 1) < times.get(i);
      }
      if (sane && times.get(0) <= times.get(2)) {
        List<Boolean> precedes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          for (int j = 0; j < count; j++) {
            precedes.add(times.get(2 * i + 1) < times.get(2 * j));
          }
        }
        found.putIfAbsent(precedes, times);
      }
    }
    return List.copyOf(found.values());
  }

  /** Values that repeat, some of them initial, some of unknown outcome. */
  @Test
  void repeatedValuesMatchTheOracleOnRandomHistories() {
    for (Shape shape :
        List.of(
            Shape.committed(6, 1, 1).withTimes().withOutcomes(),
            Shape.committed(6, 1, 2).withTimes().withOutcomes().withDuplicates(),
            Shape.committed(5, 2, 2).withTimes().withOutcomes().withDuplicates())) {
      RandomHistories histories = new RandomHistories(shape, 72);
      for (int i = 0; i < 400; i++) {
        compareLinearizable(histories.registersOfTwoValues());
        compareLinearizable(histories.registers());
        compareLinearizable(histories.conditions());
        compareLinearizable(histories.lists());
        compareLinearizable(histories.sets());
        compareLinearizable(histories.counters());
      }
    }
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

  /** A number orders what a transaction leaves, not what it overwrites in a later part. */
  @Test
  void numbersMatchTheOracleOnRandomHistories() {
    Random random = new Random(73);
    compareRandom(
        1_000, histories -> NumberedVersions.random(histories.registers(), 0, random), false);
    RandomHistories histories =
        new RandomHistories(Shape.committed(3, 2, 4).withTimes().withOutcomes(), 74);
    for (int i = 0; i < 3_000; i++) {
      compare(NumberedVersions.random(histories.registers(), 0, random), false);
    }
    disagreements.assertNone();
  }
}
