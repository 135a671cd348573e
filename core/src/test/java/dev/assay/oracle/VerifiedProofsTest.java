package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Mutants;
import dev.assay.proof.ProofWriter;
import dev.assay.proof.Proofs;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
  void levelsOfSingleOperationsAreProven() {
    Set<Level> levels = EnumSet.of(Level.LINEARIZABLE, Level.SEQUENTIAL);
    Shape shape = Shape.committed(5, 2, 3).withTimes().withOutcomes();
    RandomHistories plain = new RandomHistories(shape, 51);
    RandomHistories twice = new RandomHistories(shape.withDuplicates(), 52);
    for (int i = 0; i < 200; i++) {
      SmallHistory small =
          switch (i % 4) {
            case 0 -> plain.registers();
            case 1 -> plain.lists();
            case 2 -> plain.setsAndRegisters();
            default -> twice.registers();
          };
      Report report = Assay.check(small.toHistory(), levels, Budget.unlimited());
      verifier.accepts(report, small);
      if (i < 40) {
        mutants.tryAll(report, Given.NOTHING);
      }
    }
    assertThat(verifier.unproven()).isEmpty();
    assertThat(verifier.accepted()).isGreaterThan(300);
    assertThat(mutants.refused()).isGreaterThan(300);
  }

  @Test
  void mixedLevelsAreProven() {
    Shape shape = Shape.committed(5, 2, 3);
    RandomHistories plain = new RandomHistories(shape, 53);
    RandomHistories timed = new RandomHistories(shape.withTimes().withOutcomes(), 54);
    Random random = new Random(55);
    for (int i = 0; i < 600; i++) {
      RandomHistories some = i % 2 == 0 ? plain : timed;
      SmallHistory small =
          switch (i / 2 % 3) {
            case 0 -> some.registers();
            case 1 -> some.lists();
            default -> some.setsAndRegisters();
          };
      List<Level> levels = MixedAgainstOracleTest.levels(small, random);
      History history = small.toHistory((builder, txn) -> builder.level(txn, levels.get(txn).id()));
      Report report = Assay.check(history, Set.of(Level.MIXED), Budget.unlimited());
      verifier.accepts(report, small);
      if (i < 60) {
        mutants.tryAll(report, Given.NOTHING);
      }
    }
    assertThat(verifier.unproven()).isEmpty();
    assertThat(verifier.accepted()).isGreaterThanOrEqualTo(600);
    assertThat(mutants.refused()).isGreaterThan(200);
  }

  /** Where the oracle finds no order, none is accepted; nor arguments where it finds one. */
  @Test
  void nothingWrongIsAcceptedOfSingleOperationsAndMixedLevels() {
    RandomHistories some = new RandomHistories(Shape.committed(3, 2, 2).withTimes(), 56);
    Random random = new Random(57);
    Map<Level, List<String>> arguments = new EnumMap<>(Level.class);
    int orders = 0;
    int others = 0;
    for (int i = 0; i < 300; i++) {
      SmallHistory small = i % 2 == 0 ? some.registers() : some.lists();
      List<Level> levels = MixedAgainstOracleTest.levels(small, random);
      History history = small.toHistory((builder, txn) -> builder.level(txn, levels.get(txn).id()));
      String text = Verifier.text(history);
      Map<Level, Boolean> holds =
          Map.of(
              Level.MIXED, MixedOracle.holds(small, levels),
              Level.SEQUENTIAL, OperationOracle.isSequential(small),
              Level.LINEARIZABLE, OperationOracle.isLinearizable(small));
      for (Level level : holds.keySet()) {
        List<String> known = arguments.computeIfAbsent(level, l -> new ArrayList<>());
        if (holds.get(level)) {
          for (String argument : known) {
            refused(level, text, argument);
            others++;
          }
        } else {
          for (String claim : claims(level, parts(history, level))) {
            refused(level, text, claim);
            orders++;
          }
          Report report = Assay.check(history, Set.of(level), Budget.unlimited());
          known.add(ProofWriter.text(Proofs.of(report, Given.NOTHING, Budget.unlimited())));
        }
      }
    }
    assertThat(orders).isGreaterThan(5_000);
    assertThat(others).isGreaterThan(5_000);
  }

  private static void refused(Level level, String history, String proof) {
    assertThat(Verifier.answers(history, proof))
        .as("%s\n%s", history, proof)
        .filteredOn(answer -> answer.startsWith(level.id() + ": "))
        .singleElement()
        .asString()
        .contains(": refused: ");
  }

  /** The numbers of the transactions, or of the parts that a level is about. */
  private static List<Integer> parts(History history, Level level) {
    List<Integer> parts = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      Set<Integer> keys = new HashSet<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean first = keys.add(history.key(op));
        boolean run = op == history.firstOp(txn) || history.key(op) != history.key(op - 1);
        if (level == Level.LINEARIZABLE ? first : level == Level.SEQUENTIAL && run) {
          parts.add(op);
        }
      }
      if (level == Level.MIXED) {
        parts.add(txn);
      }
    }
    return parts;
  }

  /** Every order of these as a proof that a level holds. */
  private static List<String> claims(Level level, List<Integer> parts) {
    List<String> claims = new ArrayList<>();
    for (int[] order : Orders.of(parts.size())) {
      claims.add(
          """
          {"assay-proof":1,"transactions":3,"orders":[{"order":%s}],"arguments":[],
          "levels":[{"level":"%s","verdict":"holds","order":0}]}
          """
              .formatted(Arrays.stream(order).mapToObj(parts::get).toList(), level.id()));
    }
    return claims;
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
