package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.Map;
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
    compare(history, holding, SerialOracle.DECIDED);
  }

  private void compareWeaker(PredicateHistory history) {
    Set<Level> holding = new ItemReads(history).arePlain() ? AnyCertificate.holding(history) : null;
    if (holding != null) {
      compare(history, holding, AdyaOracle.levels());
    }
  }

  private void compare(PredicateHistory history, Set<Level> holding, Set<Level> levels) {
    Report report;
    try {
      report = Assay.check(history.toHistory(), levels, Budget.unlimited());
    } catch (RuntimeException e) {
      disagreements.add("throws " + e + " at " + e.getStackTrace()[0], history.text());
      return;
    }
    compared++;
    for (Level level : levels) {
      boolean holds = holding.contains(level);
      violated.merge(level, holds ? 0 : 1, Integer::sum);
      boolean lacksTime = level.needsRealTime() && !history.isTimed();
      String verdict = report.verdict(level).id();
      boolean wrong =
          switch (verdict) {
            case "holds" -> !holds || lacksTime;
            case "violated" -> holds;
            default -> false;
          };
      if (wrong) {
        disagreements.add(
            level + " is said to be " + verdict + ": " + report.verdict(level).why(),
            history.text());
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
