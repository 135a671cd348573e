package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Mutants;
import dev.assay.proof.ProofWriter;
import dev.assay.proof.Proofs;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Proofs about serializability with linearizable keys: what is right is proven, and the verifier
 * accepts an order or an argument exactly where the oracle agrees.
 */
class VerifiedSerialKeysTest {
  private static final Level LEVEL = Level.SERIALIZABLE_LINEARIZABLE_KEYS;

  private final Verifier verifier = new Verifier();
  private final Mutants mutants = new Mutants();
  private int refused;
  private int right;
  private int weaker;

  private static Report report(SmallHistory small) {
    return Assay.check(small.toHistory(), Set.of(LEVEL), Budget.unlimited());
  }

  private void accepted(int count, Supplier<SmallHistory> next) {
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      Report report = report(small);
      verifier.accepts(report, small);
      if (i < 30) {
        mutants.tryAll(report, Given.NOTHING);
      }
    }
  }

  @Test
  void verdictsAreProven() {
    Shape few = Shape.committed(5, 3, 2).withTimes();
    Shape open = Shape.committed(5, 2, 2).withTimes().withOutcomes();
    for (Shape shape : List.of(few, open)) {
      RandomHistories histories = new RandomHistories(shape, 111);
      accepted(150, histories::registers);
      accepted(150, histories::lists);
      accepted(150, histories::setsAndRegisters);
      RandomHistories twice = new RandomHistories(shape.withDuplicates(), 112);
      accepted(100, twice::registers);
    }
    assertThat(verifier.unproven()).isEmpty();
    RandomHistories counters = new RandomHistories(few, 113);
    accepted(100, counters::counters);
    assertThat(verifier.unproven().keySet())
        .allMatch(reason -> reason.endsWith("argument about sums was found"));
    assertThat(verifier.accepted()).isGreaterThan(1_000);
    assertThat(mutants.refused()).isGreaterThan(1_000);
  }

  /** Claims every order, and the arguments against other histories. */
  @Test
  void whatIsAcceptedIsSo() {
    RandomHistories timed = new RandomHistories(Shape.committed(4, 3, 2).withTimes(), 114);
    agree(150, timed::registers);
    agree(100, timed::lists);
    agree(100, timed::setsAndRegisters);
    RandomHistories open =
        new RandomHistories(Shape.committed(4, 2, 2).withTimes().withOutcomes(), 115);
    agree(150, open::registers);
    Random random = new Random(116);
    agree(300, () -> SerialKeysAgainstOracleTest.serial(random, 4, 4));
    assertThat(refused).isGreaterThan(10_000);
    assertThat(right).isGreaterThan(200);
    assertThat(weaker).as("orders against real time between others").isPositive();
  }

  private void agree(int count, Supplier<SmallHistory> next) {
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      History history = small.toHistory();
      String text = Verifier.text(history);
      boolean holds = SerialKeysOracle.holds(small);
      int accepted = 0;
      for (List<Integer> counting : counting(history)) {
        for (int[] place : Orders.of(counting.size())) {
          List<Integer> order = Arrays.stream(place).mapToObj(counting::get).toList();
          accepted += isAccepted(text, claim(history, order), holds) ? 1 : 0;
        }
      }
      assertThat(accepted > 0).as("orders of %s", small).isEqualTo(holds);
      weaker += accepted > 0 && !SerialKeysOracle.isStrict(small) ? 1 : 0;
      for (String argument : arguments) {
        isAccepted(text, argument, !holds);
      }
      if (!holds) {
        arguments.add(
            ProofWriter.text(Proofs.of(report(small), Given.NOTHING, Budget.unlimited())));
        arguments.subList(0, Math.max(0, arguments.size() - 20)).clear();
      }
    }
  }

  private boolean isAccepted(String history, String proof, boolean may) {
    List<String> answers = Verifier.answers(history, proof);
    boolean accepted = answers.stream().anyMatch(answer -> answer.contains(": accepted"));
    assertThat(accepted && !may).as("%s\n%s\n%s", answers, history, proof).isFalse();
    refused += accepted ? 0 : 1;
    right += accepted ? 1 : 0;
    return accepted;
  }

  /** The committed transactions, with any of unknown outcome. */
  private static List<List<Integer>> counting(History history) {
    int[] all = IntStream.range(0, history.transactionCount()).toArray();
    int[] open =
        Arrays.stream(all).filter(t -> history.outcome(t) == Outcome.INDETERMINATE).toArray();
    List<List<Integer>> some = new ArrayList<>();
    for (int set = 0; set < 1 << open.length; set++) {
      List<Integer> counting = new ArrayList<>();
      Arrays.stream(all).filter(history::isCommitted).forEach(counting::add);
      for (int i = 0; i < open.length; i++) {
        if ((set & 1 << i) != 0) {
          counting.add(open[i]);
        }
      }
      some.add(counting);
    }
    return some;
  }

  private static String claim(History history, List<Integer> order) {
    return """
        {"assay-proof":1,"transactions":%d,"orders":[{"order":%s}],"arguments":[],
        "levels":[{"level":"%s","verdict":"holds","order":0}]}
        """
        .formatted(history.transactionCount(), order, LEVEL.id());
  }
}
