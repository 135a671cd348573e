package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.explain.Smallest;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  /** Versions of two keys, seen in two orders by many. */
  private static History forks(int quarter) {
    HistoryBuilder b = new HistoryBuilder();
    Random random = new Random(1);
    for (int i = 1; i <= quarter; i++) {
      b.begin(b.session(0), Outcome.COMMITTED);
      b.write("x", i);
      b.begin(b.session(1), Outcome.COMMITTED);
      b.write("y", i);
    }
    for (int i = 0; i < 2 * quarter; i++) {
      b.begin(b.session(2 + i), Outcome.COMMITTED);
      b.read("x", 1 + random.nextInt(quarter));
      b.read("y", 1 + random.nextInt(quarter));
    }
    return b.build();
  }

  /** Values that two transactions wrote, and reads of them; registers, lists and sets. */
  private static History repeated(int size) {
    HistoryBuilder b = new HistoryBuilder();
    for (int i = 0; i < size; i++) {
      b.begin(b.session(i % 3), i % 5 == 0 ? Outcome.INDETERMINATE : Outcome.COMMITTED);
      b.write("x", i / 2);
      b.append("l", i);
      b.add("s", i / 2);
    }
    for (int i = 0; i < size; i++) {
      b.begin(b.session(3 + i % 3), Outcome.COMMITTED);
      b.read("x", (size - i) / 2);
      b.readList("l", IntStream.range(0, i).boxed().toList());
      b.readSet("s", IntStream.range(0, i / 2).boxed().toList());
    }
    return b.build();
  }

  /** Counters whose increments have far too many orders to try. */
  private static History counters(int size) {
    HistoryBuilder b = new HistoryBuilder();
    for (int i = 0; i < size; i++) {
      b.begin(b.session(i % 7), Outcome.COMMITTED);
      b.readCounter("c", Math.max(0, 2 * i - 3 * (i % 2)));
      b.increment("c", 2 + i % 2);
    }
    return b.build();
  }

  static Stream<Arguments> histories() {
    return Stream.of(
        arguments("crowd", crowd(100)),
        arguments("forks", forks(60)),
        arguments("repeated", repeated(40)),
        arguments("counters", counters(30)));
  }

  private static long looks(History history) {
    AtomicLong all = new AtomicLong();
    Assay.check(history, Level.surveyed(), Budget.by(all::incrementAndGet, Long.MAX_VALUE));
    assertThat(all.get()).isGreaterThan(30);
    return all.get();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("histories")
  void aCheckStopsSoonAfterAnyMoment(String name, History history) {
    Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
    long all = looks(history);
    long step = Math.max(1, all / 12);
    for (long end = 1; end < all; end += step) {
      AtomicLong looks = new AtomicLong();
      Report report =
          Assay.check(history, Level.surveyed(), Budget.by(looks::incrementAndGet, end));
      assertThat(looks.get()).as("the end after %d looks", end).isLessThan(end + FEW_LOOKS);
      assertSaysNothingElse(report, whole);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("histories")
  void memoryThatRunsOutAtAnyMomentLeavesLevelsOpen(String name, History history) {
    Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
    long all = looks(history);
    long step = Math.max(1, all / 12);
    for (long end = 2; end < all; end += step) {
      Report report = Assay.check(history, Level.surveyed(), withMemoryUntil(end));
      assertSaysNothingElse(report, whole);
    }
  }

  /** No limit but that somebody who looks for this time has just run out of memory. */
  private static Budget withMemoryUntil(long look) {
    AtomicLong looks = new AtomicLong();
    LongSupplier clock =
        () -> {
          if (looks.incrementAndGet() == look) {
            throw new OutOfMemoryError("at look " + look);
          }
          return 0;
        };
    return Budget.by(clock, Long.MAX_VALUE);
  }

  /** What was cut short may leave a level open, but says nothing else of it. */
  private static void assertSaysNothingElse(Report report, Report whole) {
    for (Level level : Level.surveyed()) {
      if (!(report.verdict(level) instanceof Verdict.Unknown)) {
        assertThat(report.verdict(level)).as("%s", level).hasSameClassAs(whole.verdict(level));
      }
    }
  }

  @Test
  void memoryThatRunsOutInAStageIsTheReason() {
    History history = crowd(5);
    for (String stage : List.of("infer", "read-consistency", "weak-levels")) {
      Budget budget =
          Budget.unlimited()
              .watchedBy(
                  entered -> {
                    if (entered.equals(stage)) {
                      throw new OutOfMemoryError(stage);
                    }
                  });
      Report report = Assay.check(history, Set.of(Level.SERIALIZABLE), budget);
      assertThat(report.verdict(Level.SERIALIZABLE))
          .as(stage)
          .isInstanceOfSatisfying(
              Verdict.Unknown.class,
              unknown -> assertThat(unknown.reason()).isEqualTo(Verdict.Reason.MEMORY));
    }
  }

  @Test
  void aCheckerWithoutMemoryLeavesItsLevelsOpen() {
    LevelChecker greedy =
        new LevelChecker() {
          @Override
          public String name() {
            return "greedy";
          }

          @Override
          public Findings check(Subject subject) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    Report report =
        Assay.check(crowd(5), CheckOptions.of(Set.of(Level.CAUSAL)).onlyBy(List.of(greedy)));
    assertThat(report.verdict(Level.CAUSAL))
        .isInstanceOfSatisfying(
            Verdict.Unknown.class,
            unknown -> assertThat(unknown.reason()).isEqualTo(Verdict.Reason.MEMORY));
  }

  /** Refuted is refuted, even if there is no memory left to say why. */
  @Test
  void aViolationStandsWithoutTheMemoryToArgue() {
    HistoryBuilder b = new HistoryBuilder();
    // Each version of one key together with each of the other, in no known order.
    for (int i = 0; i < 4; i++) {
      b.begin(b.session(i), Outcome.COMMITTED);
      b.write(i < 2 ? "x" : "y", 1 + i % 2);
      b.begin(b.session(4 + i), Outcome.COMMITTED);
      b.read("x", 1 + i / 2);
      b.read("y", 1 + i % 2);
    }
    History square = b.build();
    Set<Level> asked = Set.of(Level.SERIALIZABLE);
    AtomicLong all = new AtomicLong();
    Assay.check(square, asked, Budget.by(all::incrementAndGet, Long.MAX_VALUE));
    boolean stands = false;
    for (long end = 2; end <= all.get(); end++) {
      Verdict verdict =
          Assay.check(square, asked, withMemoryUntil(end)).verdict(Level.SERIALIZABLE);
      assertThat(verdict).isNotInstanceOf(Verdict.Holds.class);
      stands |= verdict instanceof Verdict.Violated violated && violated.why().contains("memory");
    }
    assertThat(stands).isTrue();
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
