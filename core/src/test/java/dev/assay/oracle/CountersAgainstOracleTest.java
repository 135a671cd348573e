package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories of counters against every order of their transactions: no verdict is wrong, and most of
 * what holds is found to. What is violated often stays open, for want of an argument.
 */
class CountersAgainstOracleTest {
  private int found;
  private int holding;

  private void compare(
      int count, long seed, Shape shape, Function<RandomHistories, SmallHistory> next) {
    RandomHistories histories = new RandomHistories(shape, seed);
    for (int i = 0; i < count; i++) {
      SmallHistory history = next.apply(histories);
      Set<Level> expected = CounterOracle.holding(history);
      Report report = Assay.check(history.toHistory(), Level.surveyed(), Budget.unlimited());
      for (Level level : Level.surveyed()) {
        boolean lacksTime = LevelOracle.REAL_TIME.contains(level) && !history.hasTimes();
        Verdict verdict = report.verdict(level);
        String wrong = expected.contains(level) && !lacksTime ? "violated" : "holds";
        if (!lacksTime || verdict instanceof Verdict.Holds) {
          assertThat(verdict.id()).as("%s of%n%s", level, history).isNotEqualTo(wrong);
        }
        if (expected.contains(level) && !lacksTime) {
          holding++;
          found += verdict instanceof Verdict.Holds ? 1 : 0;
        }
      }
    }
  }

  @Test
  void noVerdictOnCountersIsWrongAndMostOfWhatHoldsIsFound() {
    compare(1_500, 21, Shape.committed(4, 2, 3), RandomHistories::counters);
    compare(1_000, 22, Shape.committed(4, 1, 3).withTimes(), RandomHistories::counters);
    compare(500, 23, Shape.committed(4, 2, 3).withOutcomes(), RandomHistories::counters);
    assertThat(found).isGreaterThan(holding * 2 / 3);
  }

  @Test
  void noVerdictOnCountersAndRegistersIsWrong() {
    compare(1_500, 24, Shape.committed(4, 2, 2), RandomHistories::countersAndRegisters);
    assertThat(found).isGreaterThan(holding / 2);
  }

  @Test
  @Tag("extended")
  void noVerdictOnManyHistoriesOfCountersIsWrong() {
    int count = 30_000 / Integer.getInteger("assay.oracle.every", 1);
    compare(count, 25, Shape.committed(4, 2, 3).withTimes(), RandomHistories::counters);
    compare(count, 26, Shape.committed(4, 2, 3).withOutcomes(), RandomHistories::counters);
    compare(count, 27, Shape.committed(4, 2, 2), RandomHistories::countersAndRegisters);
    assertThat(found).isGreaterThan(holding / 2);
  }
}
