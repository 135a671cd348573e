package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Names agree with verdicts: no anomaly is listed of a type that a level forbids which the history
 * has.
 */
class NamesAgainstOracleTest {
  private static final Shape PLAIN = Shape.committed(5, 2, 3);
  private static final Shape TIMED = PLAIN.withTimes().withOutcomes();

  private final Disagreements wrong = new Disagreements();

  private int named;

  @Test
  void noNameIsForbiddenByALevelThatHolds() {
    lookAtAll(150, 1);
  }

  @Test
  @Tag("extended")
  void noNameIsForbiddenByALevelThatHoldsInManyHistories() {
    lookAtAll(20_000, 100);
  }

  private void lookAtAll(int count, int seed) {
    for (Shape shape : List.of(PLAIN, TIMED)) {
      look(new RandomHistories(shape, seed)::registers, count);
      look(new RandomHistories(shape, seed + 1)::lists, count);
      look(new RandomHistories(shape, seed + 2)::sets, count);
      look(new RandomHistories(shape, seed + 3)::setsAndRegisters, count);
      look(new RandomHistories(shape.withDuplicates(), seed + 4)::registers, count);
    }
    wrong.assertNone();
    assertThat(named).isGreaterThan(count);
  }

  /** All levels together, and one of them alone. */
  private void look(Supplier<SmallHistory> histories, int count) {
    List<Level> all = Level.surveyed();
    for (int i = 0; i < count; i++) {
      SmallHistory history = histories.get();
      Set<Level> holding = LevelOracle.holding(history);
      look(history, all, holding);
      look(history, Set.of(all.get(i % all.size())), holding);
    }
  }

  private void look(SmallHistory history, Collection<Level> levels, Set<Level> holding) {
    Report report =
        Verifier.sample(
            Assay.check(history.toHistory(), levels, Budget.unlimited()), Given.NOTHING);
    for (Anomaly anomaly : report.anomalies()) {
      named++;
      Set<Level> forbidding = EnumSet.copyOf(anomaly.type().forbiddenBy());
      forbidding.retainAll(holding);
      if (!history.hasTimes()) {
        forbidding.removeAll(LevelOracle.REAL_TIME);
      }
      if (!forbidding.isEmpty()) {
        String what = anomaly.type() + " though " + Level.minimal(forbidding) + " holds";
        wrong.add(what, history.text());
      }
    }
  }
}
