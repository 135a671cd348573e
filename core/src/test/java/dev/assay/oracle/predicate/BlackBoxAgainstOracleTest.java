package dev.assay.oracle.predicate;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
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
    Set<Level> holding = SerialOracle.holding(history);
    Report report;
    try {
      report = Assay.check(history.toHistory(), SerialOracle.DECIDED, Budget.unlimited());
    } catch (RuntimeException e) {
      disagreements.add("throws " + e + " at " + e.getStackTrace()[0], history.text());
      return;
    }
    compared++;
    for (Level level : SerialOracle.DECIDED) {
      boolean holds = holding.contains(level);
      violated.merge(level, holds ? 0 : 1, Integer::sum);
      boolean lacksTime = level.needsRealTime() && !history.isTimed();
      switch (report.verdict(level).id()) {
        case "holds" -> {
          if (!holds || lacksTime) {
            disagreements.add(level + " is said to hold", history.text());
          }
        }
        case "violated" -> {
          if (holds) {
            disagreements.add(level + " is said to be violated", history.text());
          }
        }
        default -> unknown.merge(level, lacksTime ? 0 : 1, Integer::sum);
      }
    }
  }

  private void finish() {
    disagreements.assertNone();
    System.out.println(compared + " unknown " + unknown + " violated " + violated);
  }

  @Test
  void allHistoriesOfTwoTransactionsAreJudgedAsByTrying() {
    PredicateHistories.forEach(2, 1, false, 1, Programs.FEW, this::compare);
    PredicateHistories.forEach(2, 1, true, 1, Programs.FEW, this::compare);
    PredicateHistories.forEach(2, 2, false, 7, Programs.FEW, this::compare);
    PredicateHistories.forEach(2, 2, true, 7, Programs.FEW, this::compare);
    finish();
  }

  @Test
  void allHistoriesOfThreeTransactionsAreJudgedAsByTrying() {
    PredicateHistories.forEach(3, 1, false, 1, Programs.FEW, this::compare);
    PredicateHistories.forEach(3, 1, true, 3, Programs.FEW, this::compare);
    finish();
  }

  @Test
  void randomHistoriesAreJudgedAsByTrying() {
    PredicateHistories histories = new PredicateHistories(1);
    for (int i = 0; i < 3_000; i++) {
      compare(histories.next(4, 3, false));
      compare(histories.next(4, 2, true));
    }
    finish();
  }
}
