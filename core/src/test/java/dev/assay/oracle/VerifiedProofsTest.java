package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Mutants;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every verdict about random histories has a proof that the verifier accepts, and proofs with a
 * mistake in them are refused.
 */
class VerifiedProofsTest {
  private static final List<Assumption> ASSUMED =
      List.of(
          Assumption.WRITES_FOLLOW_READS, Assumption.SEQUENTIAL_KEYS, Assumption.LINEARIZABLE_KEYS);

  private final Verifier verifier = new Verifier();
  private final Mutants mutants = new Mutants();

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

  private static SmallHistory conditionsOfFewChoices(RandomHistories histories) {
    SmallHistory history = histories.conditions();
    while (Resolution.count(history) > 32) {
      history = histories.conditions();
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
    verify(count / 2, 27, Shape.committed(4, 2, 3), VerifiedProofsTest::conditionsOfFewChoices);
    verify(
        count / 2,
        28,
        Shape.committed(4, 1, 3).withTimes().withOutcomes(),
        VerifiedProofsTest::conditionsOfFewChoices);
    assertThat(verifier.unproven()).isEmpty();
  }

  @Test
  void lostWritesAreProven() {
    Shape shape = Shape.committed(6, 2, 3).withTimes().withOutcomes();
    RandomHistories histories = new RandomHistories(shape, 41);
    Set<AnomalyType> found = EnumSet.noneOf(AnomalyType.class);
    for (int i = 0; i < 150; i++) {
      SmallHistory small = i % 2 == 0 ? histories.lists() : histories.setsAndRegisters();
      History history =
          small.toHistory((builder, txn) -> builder.metadata(History.FINAL_SESSION, "1"));
      Report report = Assay.check(history, LevelOracle.DECIDED, Budget.unlimited());
      verifier.accepts(report, small);
      report.anomalies().forEach(anomaly -> found.add(anomaly.type()));
    }
    assertThat(found).contains(AnomalyType.LOST_WRITE);
    assertThat(verifier.unproven()).isEmpty();
  }

  @Test
  void verdictsThatRestOnAssumptionsAreProvenGivenWhatTheySay() {
    Shape shape = Shape.committed(5, 2, 3).withTimes().withOutcomes();
    RandomHistories histories = new RandomHistories(shape, 42);
    for (int i = 0; i < 200; i++) {
      SmallHistory small = histories.registers();
      History history = small.toHistory();
      Assumption assumption = ASSUMED.get(i % ASSUMED.size());
      Given given = new Given(Set.of(assumption), VersionCertificate.NONE);
      Report report = Assay.check(history, LevelOracle.DECIDED, given, Budget.unlimited());
      verifier.accepts(report, given, assumption + " of\n" + small);
      if (i < 20) {
        mutants.tryAll(report, given);
      }
    }
    assertThat(verifier.accepted()).isGreaterThan(2_000);
    assertThat(verifier.unproven().keySet())
        .containsExactly("what is given contradicts the history");
    assertThat(mutants.refused()).isGreaterThan(1_000);
  }

  @Test
  void verdictsThatRestOnASerialOrderAreProvenGivenThatOrder() {
    Shape shape = Shape.committed(4, 2, 3).withTimes();
    RandomHistories histories = new RandomHistories(shape, 43);
    int contradicted = 0;
    for (int i = 0; i < 60; i++) {
      SmallHistory small = histories.registers();
      History history = small.toHistory();
      List<int[]> some = Orders.of(history.transactionCount()).stream().limit(6).toList();
      for (int[] place : some) {
        Given given =
            new Given(Assumption.DEFAULT, new VersionCertificate(List.of(), place.clone()));
        Report report = Assay.check(history, LevelOracle.DECIDED, given, Budget.unlimited());
        verifier.accepts(report, given, Arrays.toString(place) + " of\n" + small);
        contradicted += report.shows(AnomalyType.CERTIFICATE_CONTRADICTION) ? 1 : 0;
        if (i < 3) {
          mutants.tryAll(report, given);
        }
      }
    }
    assertThat(contradicted).isGreaterThan(50);
    assertThat(verifier.unproven()).isEmpty();
    assertThat(mutants.refused()).isGreaterThan(1_000);
  }

  @Test
  void proofsWithAMistakeAreRefused() {
    Shape shape = Shape.committed(5, 2, 3).withTimes().withOutcomes();
    RandomHistories histories = new RandomHistories(shape, 30);
    for (int i = 0; i < 15; i++) {
      mutants.tryAll(report(histories.registers()), Given.NOTHING);
      mutants.tryAll(report(histories.lists()), Given.NOTHING);
      mutants.tryAll(report(histories.setsAndRegisters()), Given.NOTHING);
    }
    assertThat(mutants.refused()).isGreaterThan(5_000);
  }
}
