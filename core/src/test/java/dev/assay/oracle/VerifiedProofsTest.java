package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Mutants;
import dev.assay.proof.Verifier;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every verdict about random histories has a proof that the verifier accepts, and proofs with a
 * mistake in them are refused.
 */
class VerifiedProofsTest {
  private final Verifier verifier = new Verifier();

  private void verify(
      int count, long seed, Shape shape, Function<RandomHistories, SmallHistory> next) {
    RandomHistories histories = new RandomHistories(shape, seed);
    for (int i = 0; i < count; i++) {
      SmallHistory history = next.apply(histories);
      verifier.accepts(report(history), history);
    }
  }

  private static SmallHistory listsOfFewChoices(RandomHistories histories) {
    SmallHistory history = histories.lists();
    while (Resolution.count(history) > 16) {
      history = histories.lists();
    }
    return history;
  }

  private static Report report(SmallHistory history) {
    return Assay.check(history.toHistory(), LevelOracle.DECIDED, Budget.unlimited());
  }

  @Test
  void verdictsAboutRandomHistoriesAreProven() {
    verifyAll(40);
    assertThat(verifier.accepted()).isGreaterThan(40 * 10 * 20);
  }

  @Test
  @Tag("extended")
  void verdictsAboutManyRandomHistoriesAreProven() {
    verifyAll(2_000);
  }

  private void verifyAll(int count) {
    Shape shape = Shape.committed(5, 2, 3);
    verify(count, 1, Shape.committed(5, 3, 3), RandomHistories::registers);
    verify(count, 2, shape.withOutcomes(), RandomHistories::registers);
    verify(
        count, 3, Shape.committed(6, 2, 3).withTimes().withOutcomes(), RandomHistories::registers);
    verify(count, 4, shape, RandomHistories::lists);
    verify(count, 5, shape.withOutcomes(), RandomHistories::lists);
    verify(count, 6, shape.withTimes().withOutcomes(), RandomHistories::lists);
    verify(count, 12, shape, RandomHistories::sets);
    verify(count, 15, shape.withTimes().withOutcomes(), RandomHistories::sets);
    verify(count, 18, shape.withTimes().withOutcomes(), RandomHistories::setsAndRegisters);
    Shape twice = Shape.committed(4, 2, 3).withDuplicates();
    verify(count / 2, 7, twice, RandomHistories::registers);
    verify(count / 2, 24, twice.withTimes().withOutcomes(), RandomHistories::registers);
    verify(count / 2, 21, twice.withOutcomes().withTimes(), VerifiedProofsTest::listsOfFewChoices);
    assertThat(verifier.unproven()).as(verifier::toString).isZero();
  }

  @Test
  void proofsWithAMistakeAreRefused() {
    Mutants mutants = new Mutants();
    Shape shape = Shape.committed(5, 2, 3).withTimes().withOutcomes();
    RandomHistories histories = new RandomHistories(shape, 30);
    for (int i = 0; i < 15; i++) {
      mutants.tryAll(report(histories.registers()));
      mutants.tryAll(report(histories.lists()));
      mutants.tryAll(report(histories.setsAndRegisters()));
    }
    assertThat(mutants.refused()).isGreaterThan(5_000);
  }
}
