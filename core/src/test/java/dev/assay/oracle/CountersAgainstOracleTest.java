package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Histories of counters against every order of their transactions: no verdict is wrong, and none
 * stays open but that of operations which stand alone.
 */
class CountersAgainstOracleTest {
  private void compare(
      int count, long seed, Shape shape, Function<RandomHistories, SmallHistory> next) {
    RandomHistories histories = new RandomHistories(shape, seed);
    for (int i = 0; i < count; i++) {
      compare(next.apply(histories));
    }
  }

  private static void compare(SmallHistory history) {
    Set<Level> expected = CounterOracle.holding(history);
    Report report =
        Verifier.sample(
            Assay.check(history.toHistory(), Level.surveyed(), Budget.unlimited()), Given.NOTHING);
    for (Level level : Level.surveyed()) {
      boolean lacksTime = LevelOracle.REAL_TIME.contains(level) && !history.hasTimes();
      Verdict verdict = report.verdict(level);
      if (lacksTime) {
        assertThat(verdict.id()).as("%s of%n%s", level, history).isNotEqualTo("holds");
      } else if (level == Level.CAUSAL_NON_TRANSACTIONAL) {
        String wrong = expected.contains(level) ? "violated" : "holds";
        assertThat(verdict.id()).as("%s of%n%s", level, history).isNotEqualTo(wrong);
      } else {
        String right = expected.contains(level) ? "holds" : "violated";
        assertThat(verdict.id()).as("%s of%n%s", level, history).isEqualTo(right);
      }
    }
  }

  @Test
  void levelsOfCountersMatchTheOracle() {
    compare(600, 21, Shape.committed(4, 2, 3), RandomHistories::counters);
    compare(400, 22, Shape.committed(4, 1, 3).withTimes(), RandomHistories::counters);
    compare(400, 23, Shape.committed(4, 2, 3).withOutcomes(), RandomHistories::counters);
  }

  @Test
  void levelsOfCountersAndRegistersMatchTheOracle() {
    compare(500, 24, Shape.committed(4, 2, 2), RandomHistories::countersAndRegisters);
  }

  /** All histories of two transactions and two increments or reads of one counter or two. */
  @Test
  void levelsOfAllSmallHistoriesOfCountersMatchTheOracle() {
    List<List<Op>> shapes = new ArrayList<>();
    List<Op> ops = new ArrayList<>();
    for (int key = 0; key < 2; key++) {
      ops.add(new Op.Increment(key, 1));
      for (int value = 0; value <= 3; value++) {
        ops.add(new Op.Read(key, value));
      }
    }
    for (Op first : ops) {
      shapes.add(List.of(first));
      ops.forEach(second -> shapes.add(List.of(first, second)));
    }
    for (int session = 1; session <= 2; session++) {
      for (List<Op> one : shapes) {
        for (List<Op> other : shapes) {
          boolean increments =
              Stream.concat(one.stream(), other.stream()).anyMatch(Op.Increment.class::isInstance);
          if (increments) {
            compare(
                SmallHistory.of(
                    Txn.of(1, Outcome.COMMITTED, one), Txn.of(session, Outcome.COMMITTED, other)));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "c1.jsonl, strong-session-serializable, strict-serializable",
    "c2.jsonl, strong-session-serializable, strict-serializable",
    "c3.jsonl, cursor-stability, monotonic-atomic-view",
    "c4.jsonl, strong-session-snapshot-isolation, serializable",
    "c5.jsonl, cursor-stability, read-your-writes",
    "c6.jsonl, adya-read-committed, cursor-stability",
    "c7.jsonl, strong-session-serializable, strict-serializable",
  })
  void smallCountersAreDecided(String name, String holding, String violated) throws Exception {
    Path path = Path.of(getClass().getResource("/dev/assay/check/counters/" + name).toURI());
    Report report =
        Verifier.sample(
            Assay.check(Assay.read(path), Level.surveyed(), Budget.unlimited()), Given.NOTHING);
    assertThat(report.holds(Level.find(holding).orElseThrow())).isTrue();
    assertThat(report.violated(Level.find(violated).orElseThrow())).isTrue();
    for (Level level : Level.surveyed()) {
      if (report.history().hasTimes() || !level.needsRealTime()) {
        assertThat(report.verdict(level).id()).as(level.id()).isNotEqualTo("unknown");
      }
    }
  }

  @Test
  @Tag("extended")
  void levelsOfManyHistoriesOfCountersMatchTheOracle() {
    int count = 20_000 / Integer.getInteger("assay.oracle.every", 1);
    compare(count, 25, Shape.committed(4, 2, 3).withTimes(), RandomHistories::counters);
    compare(count, 26, Shape.committed(4, 2, 3).withOutcomes(), RandomHistories::counters);
    compare(count, 27, Shape.committed(4, 2, 2), RandomHistories::countersAndRegisters);
  }
}
