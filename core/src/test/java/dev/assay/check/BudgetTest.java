package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.explain.Smallest;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whoever works looks at the budget, and stops soon after it is over. */
class BudgetTest {
  /** Looks after the end of the time: those of loops that unwind, whatever the history. */
  private static final long FEW_LOOKS = 200;

  /** A pair of keys written by one session, and reads of old versions by others. */
  private static History crowd(int half) {
    HistoryBuilder b = new HistoryBuilder();
    Random random = new Random(1);
    for (int i = 1; i <= half; i++) {
      b.begin(b.session(0), Outcome.COMMITTED);
      b.write("x", i);
      b.write("y", i);
    }
    for (int i = 0; i < half; i++) {
      b.begin(b.session(1 + random.nextInt(20)), Outcome.COMMITTED);
      b.read("x", 1 + random.nextInt(half));
      b.read("y", 1 + random.nextInt(half));
    }
    return b.build();
  }

  @Test
  void aCheckStopsSoonAfterAnyMoment() {
    History history = crowd(400);
    AtomicLong all = new AtomicLong();
    Assay.check(history, Level.surveyed(), Budget.by(all::incrementAndGet, Long.MAX_VALUE));
    assertThat(all.get()).isGreaterThan(50);
    long step = Math.max(1, all.get() / 12);
    for (long end = 1; end < all.get(); end += step) {
      AtomicLong looks = new AtomicLong();
      Report report =
          Assay.check(history, Level.surveyed(), Budget.by(looks::incrementAndGet, end));
      assertThat(looks.get()).as("the end after %d looks", end).isLessThan(end + FEW_LOOKS);
      assertThat(report.holds(Level.READ_COMMITTED)).isFalse();
    }
  }

  @Test
  void whatShrinksStopsSoonWithAPart() {
    History history = crowd(200);
    Report report = Assay.check(history, Set.of(Level.CAUSAL), Budget.unlimited());
    for (long end : new long[] {1, 10, 100, 1_000}) {
      AtomicLong looks = new AtomicLong();
      Budget budget = Budget.by(looks::incrementAndGet, end);
      Smallest part = Assay.shrink(report, Level.CAUSAL, Set.of(), budget);
      assertThat(looks.get()).as("the end after %d looks", end).isLessThan(end + FEW_LOOKS);
      assertThat(part.history().transactionCount()).isLessThan(50);
    }
  }

  @Test
  void aBudgetThatIsEndedEndsThoseMadeFromIt() {
    Budget budget = Budget.unlimited();
    Budget half = budget.atMost(Duration.ofHours(1)).withWitnesses(1);
    assertThat(half.expired()).isFalse();
    budget.end();
    assertThat(half.expired()).isTrue();
    Report report = Assay.check(crowd(5), Set.of(Level.CAUSAL), half);
    assertThat(report.verdict(Level.CAUSAL)).isInstanceOf(Verdict.Unknown.class);
  }
}
