package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code mixed} against its oracle, with levels that are drawn for each transaction. */
class MixedAgainstOracleTest {
  private static final int SHOWN = 3;

  private final List<String> disagreements = new ArrayList<>();
  private int holding;
  private int violated;

  private void compare(SmallHistory history, List<Level> levels) {
    Report report =
        Assay.check(
            history.toHistory((builder, t) -> builder.level(t, levels.get(t).id())),
            Set.of(Level.MIXED),
            Budget.unlimited());
    Verifier.sample(report, Given.NOTHING);
    boolean holds = MixedOracle.holds(history, levels);
    holding += holds ? 1 : 0;
    violated += holds ? 0 : 1;
    String verdict = report.verdict(Level.MIXED).id();
    if (!verdict.equals(holds ? "holds" : "violated")) {
      disagreements.add(
          "%s (%s), oracle %s, at %s:%n%s"
              .formatted(verdict, report.verdict(Level.MIXED).why(), holds, levels, history));
    }
  }

  private void compareRandom(
      int count, long seed, Shape shape, Function<RandomHistories, SmallHistory> next) {
    RandomHistories histories = new RandomHistories(shape, seed);
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      SmallHistory history = next.apply(histories);
      compare(history, levels(history, random));
    }
  }

  /** Mostly few different levels, as databases run them. */
  static List<Level> levels(SmallHistory history, Random random) {
    List<Level> possible = new ArrayList<>(MixedOracle.LEVELS);
    if (history.hasTimes()) {
      possible.addAll(MixedOracle.TIMED);
    }
    List<Level> offered = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      offered.add(possible.get(random.nextInt(possible.size())));
    }
    List<Level> levels = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      levels.add(offered.get(random.nextInt(offered.size())));
    }
    return levels;
  }

  private void assertAgreement() {
    assertThat(disagreements.stream().limit(SHOWN).toList())
        .as("%d disagreements", disagreements.size())
        .isEmpty();
    assertThat(holding).isPositive();
    assertThat(violated).isPositive();
  }

  @Test
  void allHistoriesOfThreeTransactions() {
    Random random = new Random(1);
    SmallHistories.forEach(
        Size.committed(3, 2, 2).every(9), history -> compare(history, levels(history, random)));
    assertAgreement();
  }

  @Test
  void randomRegisters() {
    compareRandom(2_000, 2, Shape.committed(5, 3, 3), RandomHistories::registers);
    compareRandom(2_000, 3, Shape.committed(5, 2, 3).withOutcomes(), RandomHistories::registers);
    compareRandom(
        2_000, 4, Shape.committed(5, 2, 3).withTimes().withOutcomes(), RandomHistories::registers);
    assertAgreement();
  }

  @Test
  void randomLists() {
    compareRandom(2_000, 5, Shape.committed(5, 2, 3), RandomHistories::lists);
    compareRandom(
        2_000, 6, Shape.committed(5, 2, 3).withTimes().withOutcomes(), RandomHistories::lists);
    assertAgreement();
  }

  @Test
  void randomSets() {
    compareRandom(1_000, 7, Shape.committed(5, 2, 3), RandomHistories::sets);
    compareRandom(
        1_000, 8, Shape.committed(4, 2, 3).withTimes().withOutcomes(), RandomHistories::sets);
    assertAgreement();
  }

  @Test
  void valuesWrittenTwice() {
    compareRandom(1_000, 9, Shape.committed(4, 2, 3).withDuplicates(), RandomHistories::registers);
    assertAgreement();
  }

  @Test
  void whereAllLevelsAreEqualTheOracleAgreesWithThatOfTheLevel() {
    RandomHistories histories =
        new RandomHistories(Shape.committed(4, 2, 3).withTimes().withOutcomes(), 10);
    for (int i = 0; i < 1_000; i++) {
      SmallHistory history = i % 2 == 0 ? histories.registers() : histories.lists();
      Set<Level> expected = LevelOracle.holding(history);
      List<Level> all = new ArrayList<>(MixedOracle.LEVELS);
      all.addAll(MixedOracle.TIMED);
      for (Level level : all) {
        List<Level> equal = history.txns().stream().map(txn -> level).toList();
        assertThat(MixedOracle.holds(history, equal))
            .as(level + "\n" + history)
            .isEqualTo(expected.contains(level));
      }
    }
  }

  @Test
  @Tag("extended")
  void manyRandomHistories() {
    Shape shape = Shape.committed(6, 3, 3).withTimes().withOutcomes();
    compareRandom(30_000, 11, shape, RandomHistories::registers);
    compareRandom(30_000, 12, shape, RandomHistories::lists);
    compareRandom(30_000, 13, shape, RandomHistories::sets);
    assertAgreement();
  }
}
