package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Lines;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.oracle.Disagreements;
import dev.assay.oracle.Names;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Predicate histories without a certificate: what the checker says of serializability and snapshot
 * isolation is what trying all orders says.
 */
class BlackBoxAgainstOracleTest {
  private final Disagreements disagreements = new Disagreements();
  private final Map<Level, Integer> unknown = new EnumMap<>(Level.class);
  private final Map<Level, Integer> violated = new EnumMap<>(Level.class);
  private int compared;

  private void compare(PredicateHistory history) {
    Set<Level> holding = SerialOracle.holding(history.committed());
    // What may have committed may also not have: whichever explains more.
    holding.addAll(SerialOracle.holding(history.possible()));
    compare(history, holding, SerialOracle.DECIDED, "");
  }

  /** With some pairs of versions in an order that a certificate gives. */
  private void compareOrdered(PredicateHistory history, Random random) {
    List<SerialOracle.Overwrite> given = new ArrayList<>();
    StringBuilder certificate = new StringBuilder();
    for (int a = 0; a < history.size(); a++) {
      for (int b = 0; b < history.size(); b++) {
        for (Map.Entry<String, Row> write : history.finalWrites(a).entrySet()) {
          Row later = a == b ? null : history.finalWrites(b).get(write.getKey());
          if (write.getValue() != null && later != null && random.nextInt(3) == 0) {
            given.add(new SerialOracle.Overwrite(a, b));
            certificate.append(
                "{\"key\":\"%s\",\"pairs\":[[%s,%s]]}%n"
                    .formatted(write.getKey(), write.getValue().text(), later.text()));
          }
        }
      }
    }
    if (!given.isEmpty()) {
      Set<Level> holding = SerialOracle.holding(history, given);
      compare(history, holding, SerialOracle.DECIDED, certificate.toString());
    }
  }

  private void compareWeaker(PredicateHistory history) {
    Set<Level> holding = new ItemReads(history).arePlain() ? AnyCertificate.holding(history) : null;
    if (holding != null) {
      compare(history, holding, AdyaOracle.levels(), "");
    }
  }

  private void compare(
      PredicateHistory small, Set<Level> holding, Set<Level> levels, String certificate) {
    String text = small.text() + certificate;
    Report report;
    try {
      History history = small.toHistory();
      Given given =
          certificate.isEmpty()
              ? Given.NOTHING
              : new Given(Assumption.DEFAULT, Lines.certificate(certificate, history));
      report = Assay.check(history, levels, given, Budget.unlimited());
    } catch (RuntimeException | ParseException e) {
      disagreements.add("throws " + e + " at " + e.getStackTrace()[0], text);
      return;
    }
    compared++;
    Names.compare(report, disagreements, text);
    for (Level level : levels) {
      boolean holds = holding.contains(level);
      violated.merge(level, holds ? 0 : 1, Integer::sum);
      boolean lacksTime = level.needsRealTime() && !small.isTimed();
      String verdict = report.verdict(level).id();
      boolean wrong =
          switch (verdict) {
            case "holds" -> !holds || lacksTime;
            case "violated" -> holds;
            default -> false;
          };
      if (wrong) {
        disagreements.add(
            level + " is said to be " + verdict + ": " + report.verdict(level).why(), text);
      }
      unknown.merge(level, verdict.equals("unknown") && !lacksTime ? 1 : 0, Integer::sum);
    }
  }

  /** At most so many of a hundred histories may be left undecided at any level. */
  private void finish(int maxUnknown) {
    disagreements.assertNone();
    assertThat(unknown.values())
        .as("of %d histories %s are violated, and unknown %s", compared, violated, unknown)
        .allMatch(count -> count * 100 <= compared * maxUnknown);
  }

  @Test
  void historiesOfTwoTransactionsAreJudgedAsByTrying() {
    PredicateHistories.forEach(2, 1, false, 1, Programs.FEW, this::compare);
    PredicateHistories.forEach(2, 1, true, 1, Programs.FEW, this::compare);
    PredicateHistories.forEach(2, 2, false, 7, Programs.FEW, this::compare);
    PredicateHistories.forEach(2, 2, true, 7, Programs.FEW, this::compare);
    finish(0);
  }

  @Test
  void historiesOfThreeTransactionsAreJudgedAsByTrying() {
    PredicateHistories altered = new PredicateHistories(5);
    PredicateHistories.forEach(3, 1, false, 1, Programs.FEW, this::compare);
    PredicateHistories.forEach(
        3, 1, false, 1, Programs.FEW, history -> compare(altered.mutated(history)));
    PredicateHistories.forEach(
        3, 1, true, 3, Programs.FEW, history -> compare(altered.mutated(history)));
    finish(0);
  }

  @Test
  void theOtherLevelsOfAdyaAreJudgedAsByTryingAllCertificates() {
    PredicateHistories.forEach(2, 2, false, 61, Programs.FEW, this::compareWeaker);
    PredicateHistories histories = new PredicateHistories(2);
    for (int i = 0; i < 700; i++) {
      compareWeaker(histories.next(3, 2, false));
      compareWeaker(histories.next(3, 2, true));
    }
    finish(14);
  }

  @Test
  void randomHistoriesWithPartOfTheirVersionOrdersAreJudgedAsByTrying() {
    PredicateHistories histories = new PredicateHistories(3);
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      compareOrdered(histories.next(3, 2, false), random);
      compareOrdered(histories.next(4, 2, true), random);
    }
    finish(0);
  }

  @Test
  void randomHistoriesAreJudgedAsByTrying() {
    PredicateHistories histories = new PredicateHistories(1);
    for (int i = 0; i < 1_500; i++) {
      compare(histories.next(4, 3, false));
      compare(histories.next(4, 2, true));
      compare(histories.ended(histories.next(3, 2, false), Outcome.ABORTED));
      compare(histories.ended(histories.next(3, 2, false), Outcome.INDETERMINATE));
    }
    finish(0);
  }
}
