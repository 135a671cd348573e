package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.proof.Mutants;
import dev.assay.proof.ProofWriter;
import dev.assay.proof.Proofs;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proofs about kinds of operations beyond plain registers, lists and sets: what is right is
 * accepted, and where the oracle disagrees nothing is.
 */
class VerifiedKindsTest {
  private final Verifier verifier = new Verifier();
  private final Mutants mutants = new Mutants();
  private int refused;

  private static Report report(SmallHistory small) {
    return Assay.check(small.toHistory(), LevelOracle.DECIDED, Budget.unlimited());
  }

  /** Verdicts about histories are accepted, and mutants of the proofs of some are refused. */
  private void accepted(int count, int ofMutants, Supplier<SmallHistory> next) {
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      Report report = report(small);
      verifier.accepts(report, small);
      if (i < ofMutants) {
        mutants.tryAll(report, Given.NOTHING);
      }
    }
  }

  /**
   * Orders are refused, by any choice of writers, where the oracle finds none; and arguments
   * against levels that hold, here those of other histories.
   */
  private void nothingWrongIsAccepted(
      int count, Supplier<SmallHistory> next, Function<SmallHistory, Set<Level>> oracle) {
    List<String> known = new ArrayList<>();
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      Set<Level> holding = oracle.apply(small);
      History history = small.toHistory();
      String text = Verifier.text(history);
      for (String proof : known) {
        for (String answer : Verifier.answers(text, proof)) {
          notWrong(holding, answer, text, proof);
        }
      }
      for (int[] order : Orders.of(history.transactionCount())) {
        String proof = claims(history, order, random);
        for (String answer : Verifier.answers(text, proof)) {
          notWrong(holding, answer, text, proof);
        }
      }
      known.add(ProofWriter.text(Proofs.of(report(small), Given.NOTHING, Budget.unlimited())));
      known.subList(0, Math.max(0, known.size() - 20)).clear();
    }
  }

  private void notWrong(Set<Level> holding, String answer, String history, String proof) {
    Level level = Level.find(answer.substring(0, answer.indexOf(':'))).orElseThrow();
    String wrong = level.id() + (holding.contains(level) ? ": violated: " : ": holds: ");
    if (answer.startsWith(wrong)) {
      assertThat(answer).as("%s\n%s", history, proof).contains(": refused: ");
      refused++;
    }
  }

  /** The claim that all levels hold by an order, and by some choice of the writes behind reads. */
  private static String claims(History history, int[] order, Random random) {
    List<String> from = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      for (int place = 0; place < 3 && !history.kind(op).isWrite(); place++) {
        List<Integer> same = new ArrayList<>();
        for (int write = 0; write < history.operationCount(); write++) {
          boolean written = history.kind(write).isWrite();
          if (written && history.key(write) == history.key(op)) {
            same.add(write);
          }
        }
        same.add(-1);
        from.add("[%d,%d,%d]".formatted(op, place, same.get(random.nextInt(same.size()))));
      }
    }
    List<String> levels = new ArrayList<>();
    for (Level level : LevelOracle.DECIDED) {
      boolean operations = level == Level.CAUSAL_NON_TRANSACTIONAL;
      levels.add(
          "{\"level\":\"%s\",\"verdict\":\"holds\",\"order\":%d}"
              .formatted(level.id(), operations ? 1 : 0));
    }
    List<Integer> operations = new ArrayList<>();
    for (int txn : order) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        operations.add(op);
      }
    }
    return """
        {"assay-proof":1,"transactions":%d,"orders":[{"order":%s,"from":%s},
        {"order":%s,"from":%s}],"arguments":[],"levels":%s}
        """
        .formatted(
            history.transactionCount(), Arrays.toString(order), from, operations, from, levels);
  }

  private static SmallHistory numbered(RandomHistories some, int values, Random random) {
    SmallHistory small = NumberedVersions.random(some.registers(), values, random);
    while (Resolution.count(small) > 16) {
      small = NumberedVersions.random(some.registers(), values, random);
    }
    return small;
  }

  /** A transaction with operations as a file has them, for keys and values that repeat. */
  private static String conditional(int session, Random random) {
    List<String> ops = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String key = random.nextBoolean() ? "\"x\"" : "true";
      String old = List.of("null", "1", "2").get(random.nextInt(3));
      int value = 1 + random.nextInt(3);
      boolean done = random.nextBoolean();
      ops.add(
          switch (random.nextInt(6)) {
            case 0 -> "[\"w\",%s,%d]".formatted(key, value);
            case 1 -> "[\"r\",%s,%s]".formatted(key, old);
            case 2 -> "[\"cas\",%s,%s,%d,%s]".formatted(key, old, value, done);
            case 3 -> "[\"put-if-absent\",%s,%d,%s]".formatted(key, value, done);
            case 4 -> "[\"delete\",%s]".formatted(key);
            default -> "[\"delete\",%s,%s]".formatted(key, done);
          });
    }
    return "{\"session\":%d,\"ops\":%s}%n".formatted(session, ops);
  }

  /** The verifier reads a file itself, so it must take such operations apart as Assay does. */
  @Test
  void conditionalOperationsAreProvenAsTheyAreWritten(@TempDir Path folder) throws Exception {
    Random random = new Random(67);
    int accepted = 0;
    for (int i = 0; i < 400; i++) {
      String text = conditional(1, random) + conditional(2, random) + conditional(1, random);
      History history = Assay.read(Files.writeString(folder.resolve("h.jsonl"), text));
      Report report = Assay.check(history, LevelOracle.DECIDED, Budget.unlimited());
      if (report.shows(AnomalyType.THIN_AIR_READ)) {
        continue; // Nothing was written that a failed condition allows: no database does that.
      }
      String proof = ProofWriter.text(Proofs.of(report, Given.NOTHING, Budget.unlimited()));
      List<String> answers = Verifier.answers(text, proof);
      assertThat(answers).isEqualTo(Verifier.answers(Verifier.text(history), proof));
      for (String answer : answers) {
        assertThat(answer).as("%s\n%s", text, proof).doesNotContain(": refused: ");
        accepted += answer.contains(": accepted") ? 1 : 0;
      }
    }
    assertThat(accepted).isGreaterThan(1_000);
  }

  @Test
  void versionNumbersAreProven() {
    Random random = new Random(61);
    RandomHistories plain = new RandomHistories(Shape.committed(5, 2, 3), 62);
    accepted(120, 15, () -> numbered(plain, 0, random));
    accepted(80, 5, () -> numbered(plain, 2, random));
    Shape shape = Shape.committed(5, 2, 3).withOutcomes().withTimes();
    RandomHistories timed = new RandomHistories(shape, 63);
    accepted(120, 10, () -> numbered(timed, 0, random));
    accepted(80, 0, () -> numbered(timed, 2, random));
    assertThat(verifier.unproven()).isEmpty();
    assertThat(verifier.accepted()).isGreaterThan(8_000);
    assertThat(mutants.refused()).isGreaterThan(2_000);
  }

  /** Sets with few elements, so that several transactions add the same. */
  private static SmallHistory repeated(RandomHistories some, boolean registers) {
    SmallHistory small = registers ? some.setsAndRegisters() : some.sets();
    while (Resolution.count(small) == 1 || Resolution.count(small) > 64) {
      small = withFewElements(registers ? some.setsAndRegisters() : some.sets());
    }
    return small;
  }

  private static SmallHistory withFewElements(SmallHistory small) {
    return new SmallHistory(
        small.txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(VerifiedKindsTest::ofFewElements).toList()))
            .toList());
  }

  private static Op ofFewElements(Op op) {
    if (op instanceof Op.SetRead read) {
      return new Op.SetRead(
          op.key(), read.elements().stream().map(e -> 1 + e % 3).distinct().toList());
    }
    return op instanceof Op.Add add ? new Op.Add(op.key(), 1 + add.value() % 3) : op;
  }

  @Test
  void setsToWhichAnElementWasAddedTwiceAreProven() {
    RandomHistories plain = new RandomHistories(Shape.committed(5, 2, 3), 71);
    accepted(120, 10, () -> repeated(plain, false));
    Shape shape = Shape.committed(4, 1, 3).withOutcomes().withTimes();
    RandomHistories timed = new RandomHistories(shape, 72);
    accepted(120, 10, () -> repeated(timed, false));
    RandomHistories mixed = new RandomHistories(Shape.committed(4, 1, 2), 73);
    accepted(60, 5, () -> repeated(mixed, true));
    assertThat(verifier.unproven()).isEmpty();
    assertThat(verifier.accepted()).isGreaterThan(7_000);
    assertThat(mutants.refused()).isGreaterThan(1_500);
  }

  @Test
  void nothingWrongIsAcceptedOfSetsToWhichAnElementWasAddedTwice() {
    RandomHistories plain = new RandomHistories(Shape.committed(3, 2, 3), 74);
    nothingWrongIsAccepted(40, () -> repeated(plain, false), LevelOracle::holding);
    Shape shape = Shape.committed(3, 1, 3).withOutcomes().withTimes();
    RandomHistories timed = new RandomHistories(shape, 75);
    nothingWrongIsAccepted(40, () -> repeated(timed, false), LevelOracle::holding);
    assertThat(refused).isGreaterThan(3_000);
  }

  @Test
  void nothingWrongIsAcceptedOfVersionNumbers() {
    Random random = new Random(64);
    RandomHistories some = new RandomHistories(Shape.committed(3, 2, 3), 65);
    nothingWrongIsAccepted(60, () -> numbered(some, 0, random), LevelOracle::holding);
    nothingWrongIsAccepted(60, () -> numbered(some, 2, random), LevelOracle::holding);
    RandomHistories timed = new RandomHistories(Shape.committed(3, 1, 3).withTimes(), 66);
    nothingWrongIsAccepted(60, () -> numbered(timed, 0, random), LevelOracle::holding);
    assertThat(refused).isGreaterThan(10_000);
  }
}
