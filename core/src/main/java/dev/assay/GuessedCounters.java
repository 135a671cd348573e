package dev.assay;

import dev.assay.check.Budget;
import dev.assay.check.LikelyOrder;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Assumption;
import dev.assay.infer.CounterOrder;
import dev.assay.infer.Given;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Settles what stays open because of counters, where it holds by some order of the increments: one
 * that is guessed, and then checked as if it were given for registers.
 */
final class GuessedCounters {
  private GuessedCounters() {}

  static Report settle(
      Report report,
      ReadsFrom reads,
      VersionOrders versions,
      Budget budget,
      Map<String, Long> stages) {
    Set<Level> open = open(report);
    boolean guessing = !versions.isGiven() && report.history().uses(OpKind.Type.COUNTER);
    if (!guessing || open.isEmpty() || budget.expired()) {
      return report;
    }
    long start = System.nanoTime();
    budget.enter("counters");
    History items = versions.setItems().history();
    CounterOrder.Guess guess =
        CounterOrder.of(
            items,
            items == report.history() ? reads : reads.like(items),
            LikelyOrder.of(report.history()),
            budget::expired);
    Set<Level> asked = guess == null ? Set.of() : asked(open, guess.explains());
    if (asked.isEmpty()) {
      return report;
    }
    Given given = new Given(Assumption.DEFAULT, guess.certificate());
    Report guessed = Assay.check(guess.history(), asked, given, budget);
    Map<Level, Verdict> verdicts = new EnumMap<>(report.verdicts());
    for (Level level : open) {
      if (guessed.strongest().stream().anyMatch(holding -> holding.implies(level))) {
        verdicts.put(level, new Verdict.Holds("an order of the increments satisfies it"));
      }
    }
    Assay.lap(stages, "counters", start);
    return report.with(verdicts);
  }

  private static Set<Level> open(Report report) {
    Set<Level> open = EnumSet.noneOf(Level.class);
    report
        .verdicts()
        .forEach(
            (level, verdict) -> {
              if (verdict instanceof Verdict.Unknown unknown
                  && unknown.reason() == Verdict.Reason.UNSUPPORTED) {
                open.add(level);
              }
            });
    return open;
  }

  private static Set<Level> asked(Set<Level> open, boolean explainsReads) {
    Set<Level> asked = EnumSet.copyOf(open);
    // Operation by operation, sums would be others.
    if (asked.remove(Level.CAUSAL_NON_TRANSACTIONAL)) {
      asked.add(Level.CAUSAL);
    }
    if (!explainsReads) {
      asked.retainAll(Level.STRONG_READ_UNCOMMITTED.andWeaker());
    }
    return asked;
  }
}
