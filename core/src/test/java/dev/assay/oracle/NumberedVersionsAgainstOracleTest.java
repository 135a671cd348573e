package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import dev.assay.resolve.NamedVersions;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories with version numbers against the oracle, level by level. Levels stay open only where a
 * read without a number may have seen several versions, or times are missing.
 */
class NumberedVersionsAgainstOracleTest {
  private final TreeMap<String, String> disagreements = new TreeMap<>();
  private int compared;

  private void compare(SmallHistory small) {
    History history = small.toHistory();
    Report report;
    try {
      report =
          Verifier.sample(
              Assay.check(history, LevelOracle.DECIDED, Budget.unlimited()), Given.NOTHING);
    } catch (RuntimeException e) {
      disagree("the checker throws " + e + " at " + e.getStackTrace()[0], small);
      return;
    }
    compared++;
    boolean unclear = history.hasVersionNumbers() && NamedVersions.of(history).unclear() >= 0;
    boolean open = unclear || Resolution.count(small) > 1;
    Set<Level> holding = LevelOracle.holding(small);
    for (Level level : LevelOracle.DECIDED) {
      boolean lacksTime = LevelOracle.REAL_TIME.contains(level) && !small.hasTimes();
      String verdict = report.verdict(level).id();
      boolean wrong =
          switch (verdict) {
            case "holds" -> !holding.contains(level) || lacksTime;
            case "violated" -> holding.contains(level);
            default -> !lacksTime && !open;
          };
      if (wrong) {
        disagree(level + " is " + verdict + ", unlike the oracle", small);
      }
    }
    if (!open) {
      compareReads(small, report);
    }
  }

  private void compareReads(SmallHistory small, Report report) {
    Set<AnomalyType> expected = ReadOracle.certain(small);
    Set<AnomalyType> actual = EnumSet.noneOf(AnomalyType.class);
    report.anomalies().stream()
        .filter(
            anomaly ->
                anomaly.type() != AnomalyType.NON_REPEATABLE_READ
                    || anomaly.violates().contains(Level.CUT_ISOLATION))
        .map(Anomaly::type)
        .filter(ReadOracle.DECIDED::contains)
        .forEach(actual::add);
    if (!actual.equals(expected)) {
      disagree("finds " + actual + ", the oracle " + expected, small);
    }
  }

  private void disagree(String what, SmallHistory small) {
    disagreements.merge(what, small.text(), (a, b) -> a.length() <= b.length() ? a : b);
  }

  private void assertAgreement() {
    StringBuilder text = new StringBuilder();
    disagreements.forEach((what, small) -> text.append(what).append('\n').append(small));
    assertThat(text.toString()).isEmpty();
    assertThat(compared).isPositive();
  }

  @Test
  void levelsMatchTheOracleOnAllSmallHistories() {
    SmallHistories.forEach(
        Size.committed(2, 1, 2), h -> NumberedVersions.forEach(h, this::compare));
    SmallHistories.forEach(
        Size.committed(3, 1, 2).every(400), h -> NumberedVersions.forEach(h, this::compare));
    SmallHistories.forEach(
        Size.committed(3, 2, 2).every(40_000), h -> NumberedVersions.forEach(h, this::compare));
    SmallHistories.forEach(
        Size.ofAnyOutcome(2, 1, 2).every(60), h -> NumberedVersions.forEach(h, this::compare));
    assertAgreement();
  }

  @Test
  @Tag("extended")
  void levelsMatchTheOracleOnMoreSmallHistories() {
    SmallHistories.forEach(
        Size.committed(3, 1, 2), h -> NumberedVersions.forEach(h, this::compare));
    SmallHistories.forEach(
        Size.committed(3, 2, 2).every(100), h -> NumberedVersions.forEach(h, this::compare));
    SmallHistories.forEach(
        Size.ofAnyOutcome(2, 2, 2).every(10), h -> NumberedVersions.forEach(h, this::compare));
    assertAgreement();
  }

  @Test
  void levelsMatchTheOracleOnRandomHistories() {
    compareRandom(1_000, 0, Shape.committed(5, 2, 3), 41);
    compareRandom(1_000, 0, Shape.committed(5, 2, 3).withOutcomes().withTimes(), 42);
    compareRandom(1_000, 2, Shape.committed(5, 2, 3), 43);
    compareRandom(1_000, 2, Shape.committed(4, 2, 3).withOutcomes().withTimes(), 44);
    assertAgreement();
  }

  private void compareRandom(int count, int values, Shape shape, long seed) {
    RandomHistories histories = new RandomHistories(shape, seed);
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      SmallHistory history = NumberedVersions.random(histories.registers(), values, random);
      if (Resolution.count(history) <= 32) {
        compare(history);
      }
    }
  }
}
