package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Part;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link Assay#check} against the oracles: on all small histories and on seeded random ones it
 * finds the same read-consistency anomalies and never a wrong verdict. Where values are written
 * twice, it must report only what no choice of writers explains away.
 */
class CheckerAgainstOracleTest {
  /** How many histories to show of each kind of disagreement. */
  private static final int SHOWN = 3;

  private final TreeMap<String, List<SmallHistory>> disagreements = new TreeMap<>();

  private void compare(SmallHistory history, boolean ambiguous) {
    Report report;
    try {
      report =
          Verifier.sample(
              Assay.check(history.toHistory(), LevelOracle.DECIDED, Budget.unlimited()),
              Given.NOTHING);
    } catch (RuntimeException e) {
      disagree("the checker throws " + e + " at " + e.getStackTrace()[0], history);
      return;
    }
    compareReads(history, report, ambiguous);
    compareLevels(history, report);
  }

  private void compareReads(SmallHistory history, Report report, boolean ambiguous) {
    Set<AnomalyType> expected = ReadOracle.certain(history);
    Set<AnomalyType> defensible = ambiguous ? ReadOracle.defensible(history) : expected;
    Set<AnomalyType> actual = EnumSet.noneOf(AnomalyType.class);
    report.anomalies().stream()
        .map(Anomaly::type)
        .filter(ReadOracle.DECIDED::contains)
        .forEach(actual::add);
    if (!expected.contains(AnomalyType.NON_REPEATABLE_READ) && arePatternsOnly(report)) {
      // Also the label of a causality violation by a transaction that reads one key from two.
      actual.remove(AnomalyType.NON_REPEATABLE_READ);
    }
    for (AnomalyType type : ReadOracle.DECIDED) {
      if (actual.contains(type) && !defensible.contains(type)) {
        disagree("reports " + type + ", which the oracle does not find", history);
      }
      if (!ambiguous && expected.contains(type) && !actual.contains(type)) {
        disagree("misses " + type + ", which the oracle finds", history);
      }
    }
  }

  /** Whether the non-repeatable reads found are only instances of the pattern over CO and CM. */
  private static boolean arePatternsOnly(Report report) {
    return report.anomalies().stream()
        .filter(anomaly -> anomaly.type() == AnomalyType.NON_REPEATABLE_READ)
        .noneMatch(anomaly -> anomaly.violates().contains(Level.CUT_ISOLATION));
  }

  /** Nothing stays open that the oracle decides, but what needs times that are not there. */
  private void compareLevels(SmallHistory history, Report report) {
    Set<Level> holding = LevelOracle.holding(history);
    for (Level level : LevelOracle.DECIDED) {
      Verdict verdict = report.verdict(level);
      boolean lacksTime = LevelOracle.REAL_TIME.contains(level) && !history.hasTimes();
      boolean wrong =
          switch (verdict.id()) {
            case "holds" -> !holding.contains(level) || lacksTime;
            case "violated" -> holding.contains(level);
            default -> !lacksTime;
          };
      if (wrong) {
        String oracle = holding.contains(level) ? "holds" : "violated";
        disagree(
            level + " is " + verdict.id() + " (" + verdict.why() + "), oracle: " + oracle, history);
      }
    }
  }

  private synchronized void disagree(String what, SmallHistory history) {
    disagreements.computeIfAbsent(what, w -> new ArrayList<>()).add(history);
  }

  private void assertAgreement() {
    StringBuilder text = new StringBuilder();
    disagreements.forEach(
        (what, histories) -> {
          text.append(what).append(" (").append(histories.size()).append(" histories)\n");
          histories.stream()
              .sorted(
                  Comparator.comparingInt((SmallHistory h) -> h.text().length())
                      .thenComparing(SmallHistory::text))
              .limit(SHOWN)
              .forEach(history -> text.append(history).append('\n'));
        });
    assertThat(text.toString()).isEmpty();
  }

  private void compareRandom(
      int count, long seed, Shape shape, Function<RandomHistories, SmallHistory> next) {
    RandomHistories histories = new RandomHistories(shape, seed);
    for (int i = 0; i < count; i++) {
      compare(next.apply(histories), shape.twice());
    }
  }

  private void compareSets(int txns, int keys, List<Outcome> outcomes, int step) {
    SmallSets.forEach(txns, keys, outcomes, step, history -> compare(history, false));
  }

  @Test
  void readsAndLevelsMatchTheOracleOnAllHistoriesOfThreeCommittedTransactions() {
    for (int txns = 1; txns <= 3; txns++) {
      SmallHistories.forEach(Size.committed(txns, 2, 2), history -> compare(history, false));
    }
    assertAgreement();
  }

  @Test
  void readsAndLevelsMatchTheOracleOnSmallHistoriesOfAnyOutcome() {
    SmallHistories.forEach(Size.ofAnyOutcome(2, 2, 2), history -> compare(history, false));
    SmallHistories.forEach(
        Size.ofAnyOutcome(3, 1, 2).every(15), history -> compare(history, false));
    assertAgreement();
  }

  @Test
  void readsAndLevelsMatchTheOracleOnRandomRegisterHistories() {
    compareRandom(4_000, 1, Shape.committed(5, 3, 3), RandomHistories::registers);
    compareRandom(4_000, 2, Shape.committed(5, 3, 3).withOutcomes(), RandomHistories::registers);
    compareRandom(
        4_000, 3, Shape.committed(5, 2, 3).withTimes().withOutcomes(), RandomHistories::registers);
    assertAgreement();
  }

  @Test
  void readsAndLevelsMatchTheOracleOnRandomListHistories() {
    compareRandom(4_000, 4, Shape.committed(5, 2, 3), RandomHistories::lists);
    compareRandom(4_000, 5, Shape.committed(5, 2, 3).withOutcomes(), RandomHistories::lists);
    compareRandom(
        4_000, 6, Shape.committed(5, 2, 3).withTimes().withOutcomes(), RandomHistories::lists);
    assertAgreement();
  }

  @Test
  void readsAndLevelsMatchTheOracleOnSmallHistoriesOfSets() {
    compareSets(2, 2, List.of(Outcome.values()), 1);
    compareSets(3, 1, List.of(Outcome.COMMITTED), 11);
    compareSets(3, 1, List.of(Outcome.values()), 401);
    compareSets(3, 2, List.of(Outcome.COMMITTED), 97);
    assertAgreement();
  }

  @Test
  void readsAndLevelsMatchTheOracleOnRandomHistoriesOfSets() {
    Shape shape = Shape.committed(5, 2, 3);
    compareRandom(4_000, 12, shape, RandomHistories::sets);
    compareRandom(4_000, 14, shape.withOutcomes(), RandomHistories::sets);
    compareRandom(4_000, 15, shape.withTimes().withOutcomes(), RandomHistories::sets);
    assertAgreement();
  }

  @Test
  void readsAndLevelsMatchTheOracleOnRandomHistoriesOfSetsAndRegisters() {
    Shape shape = Shape.committed(5, 2, 2);
    compareRandom(4_000, 16, shape, RandomHistories::setsAndRegisters);
    compareRandom(4_000, 17, shape.withOutcomes(), RandomHistories::setsAndRegisters);
    compareRandom(4_000, 18, shape.withTimes().withOutcomes(), RandomHistories::setsAndRegisters);
    assertAgreement();
  }

  @Test
  void levelsMatchTheOracleWhereElementsAreAddedTwice() {
    Shape shape = Shape.committed(4, 2, 3).withDuplicates();
    compareRandom(3_000, 19, shape, RandomHistories::sets);
    compareRandom(3_000, 20, shape.withOutcomes().withTimes(), RandomHistories::sets);
    Shape mixed = Shape.committed(4, 2, 2).withDuplicates();
    compareRandom(
        1_000, 25, mixed, histories -> ofFewChoices(histories, h -> h.setsAndRegisters()));
    compareRandom(
        1_000,
        26,
        mixed.withOutcomes().withTimes(),
        histories -> ofFewChoices(histories, h -> h.setsAndRegisters()));
    assertAgreement();
  }

  @Test
  void levelsMatchTheOracleWhereElementsAreAppendedTwice() {
    Shape shape = Shape.committed(4, 1, 3).withDuplicates();
    compareRandom(1_500, 21, shape, CheckerAgainstOracleTest::listsOfFewChoices);
    compareRandom(1_500, 22, shape.withOutcomes(), CheckerAgainstOracleTest::listsOfFewChoices);
    compareRandom(
        1_500, 23, shape.withOutcomes().withTimes(), CheckerAgainstOracleTest::listsOfFewChoices);
    assertAgreement();
  }

  private static SmallHistory listsOfFewChoices(RandomHistories histories) {
    return ofFewChoices(histories, RandomHistories::lists);
  }

  private static SmallHistory ofFewChoices(
      RandomHistories histories, Function<RandomHistories, SmallHistory> next) {
    SmallHistory history = next.apply(histories);
    while (Resolution.count(history) > 32) {
      history = next.apply(histories);
    }
    return history;
  }

  @Test
  void levelsMatchTheOracleWhereConditionsFailed() {
    Function<RandomHistories, SmallHistory> next =
        histories -> ofFewChoices(histories, RandomHistories::conditions);
    int count = Integer.getInteger("assay.oracle.conditions", 500);
    Shape shape = Shape.committed(4, 2, 3).withDuplicates();
    compareRandom(count, 31, shape, next);
    compareRandom(count, 32, shape.withOutcomes(), next);
    compareRandom(count, 33, shape.withOutcomes().withTimes(), next);
    assertAgreement();
  }

  @Test
  void levelsMatchTheOracleOnAllSmallHistoriesWhereConditionsFailed() {
    SmallHistories.forEach(Size.committed(2, 1, 2), this::compareFailing);
    SmallHistories.forEach(Size.ofAnyOutcome(2, 1, 2).every(60), this::compareFailing);
    SmallHistories.forEach(Size.committed(2, 2, 2).every(200), this::compareFailing);
    SmallHistories.forEach(Size.committed(3, 1, 2).every(2_000), this::compareFailing);
    assertAgreement();
  }

  @Test
  @Tag("extended")
  void levelsMatchTheOracleOnMoreSmallHistoriesWhereConditionsFailed() {
    SmallHistories.forEach(Size.ofAnyOutcome(2, 1, 2), this::compareFailing);
    SmallHistories.forEach(Size.committed(2, 2, 2), this::compareFailing);
    SmallHistories.forEach(Size.committed(3, 1, 2).every(20), this::compareFailing);
    assertAgreement();
  }

  private void compareFailing(SmallHistory history) {
    FailedConditions.forEach(
        history,
        failing -> {
          if (Resolution.count(failing) <= 32) {
            compare(failing, true);
          }
        });
  }

  @Test
  void levelsMatchTheOracleWhereRegistersHaveTwoValues() {
    Function<RandomHistories, SmallHistory> next =
        histories -> {
          SmallHistory history = histories.registersOfTwoValues();
          while (Resolution.count(history) > 500) {
            history = histories.registersOfTwoValues();
          }
          return history;
        };
    Shape shape = Shape.committed(4, 2, 4).withDuplicates();
    compareRandom(300, 27, shape, next);
    compareRandom(300, 28, shape.withOutcomes().withTimes(), next);
    Shape oneKey = Shape.committed(5, 1, 4).withDuplicates();
    compareRandom(200, 29, oneKey.withOutcomes().withTimes(), next);
    assertAgreement();
  }

  @Test
  void levelsMatchTheOracleWhereValuesAreWrittenTwice() {
    compareRandom(3_000, 7, Shape.committed(4, 2, 3).withDuplicates(), RandomHistories::registers);
    compareRandom(
        3_000,
        8,
        Shape.committed(4, 2, 3).withDuplicates().withOutcomes(),
        RandomHistories::registers);
    compareRandom(
        3_000,
        13,
        Shape.committed(4, 2, 3).withDuplicates().withTimes(),
        RandomHistories::registers);
    compareRandom(
        3_000,
        24,
        Shape.committed(4, 2, 3).withDuplicates().withTimes().withOutcomes(),
        RandomHistories::registers);
    assertAgreement();
  }

  /**
   * There are 24,595,521 of them. {@code -Dassay.oracle.every=50} looks at one in fifty, {@code
   * -Dassay.oracle.part=2/8} at the second of eight parts, so that machines can share the work.
   */
  @Test
  @Tag("extended")
  void readsAndLevelsMatchTheOracleOnHistoriesOfFourTransactions() {
    Size size = Size.committed(4, 2, 2).every(Integer.getInteger("assay.oracle.every", 1));
    Part part = Part.parse(System.getProperty("assay.oracle.part", "1/1"));
    SmallHistories.forEachInParallel(size, part, history -> compare(history, false));
    assertAgreement();
  }

  /** There are 3,963,280 of them. */
  @Test
  @Tag("extended")
  void readsAndLevelsMatchTheOracleOnAllHistoriesOfSetsOfThreeTransactions() {
    int step = Integer.getInteger("assay.oracle.every", 1);
    compareSets(3, 1, List.of(Outcome.values()), step);
    compareSets(3, 1, List.of(Outcome.COMMITTED), step);
    compareSets(3, 2, List.of(Outcome.COMMITTED), step);
    assertAgreement();
  }

  @Test
  @Tag("extended")
  void readsAndLevelsMatchTheOracleOnManyRandomHistories() {
    List<Function<RandomHistories, SmallHistory>> types =
        List.of(RandomHistories::registers, RandomHistories::lists, RandomHistories::sets);
    for (Function<RandomHistories, SmallHistory> type : types) {
      compareRandom(50_000, 9, Shape.committed(6, 3, 3), type);
      compareRandom(50_000, 10, Shape.committed(6, 3, 3).withTimes().withOutcomes(), type);
    }
    compareRandom(
        30_000,
        11,
        Shape.committed(5, 2, 3).withDuplicates().withOutcomes(),
        RandomHistories::registers);
    assertAgreement();
  }
}
