package dev.assay;

import dev.assay.check.Budget;
import dev.assay.check.LikelyOrder;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Assumption;
import dev.assay.infer.CounterOrder;
import dev.assay.infer.Given;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import java.util.Collections;
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
    Set<Level> open = report.open(Verdict.Reason.UNSUPPORTED);
    boolean counters = report.history().uses(OpKind.Type.COUNTER);
    if (!counters || open.isEmpty() || !isFree(versions.given()) || budget.expired()) {
      return report;
    }
    long start = System.nanoTime();
    budget.enter("counters");
    Set<Level> holding;
    try {
      holding = holding(report.history(), open, reads, versions, budget);
    } catch (OutOfMemoryError e) {
      // Memory is a budget like time: what was established before stays.
      return report;
    }
    Map<Level, Verdict> verdicts = new EnumMap<>(report.verdicts());
    for (Level level : open) {
      if (!Collections.disjoint(holding, level.andStronger())) {
        verdicts.put(level, new Verdict.Holds("an order of the increments satisfies it"));
      }
    }
    Assay.lap(stages, "counters", start);
    return report.with(verdicts);
  }

  private static Set<Level> holding(
      History history, Set<Level> open, ReadsFrom reads, VersionOrders versions, Budget budget) {
    History items = versions.setItems().history();
    CounterOrder.Guess guess =
        CounterOrder.of(
            items,
            items == history ? reads : reads.like(items),
            LikelyOrder.of(history),
            budget::expired);
    Set<Level> asked = guess == null ? Set.of() : asked(open, guess.explains());
    if (asked.isEmpty()) {
      return asked;
    }
    Given given = new Given(Assumption.DEFAULT, guess.certificate());
    Report guessed = Assay.check(guess.history(), asked, given, budget);
    asked.removeIf(level -> !guessed.holds(level));
    return asked;
  }

  /** Whether nothing is known of the order of versions that a guess might go against. */
  private static boolean isFree(Given given) {
    VersionCertificate certificate = given.certificate();
    return given.assumptions().equals(Assumption.DEFAULT)
        && certificate.chains().isEmpty()
        && certificate.order().length == 0;
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
