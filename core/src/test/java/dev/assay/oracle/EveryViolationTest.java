package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** No level is found violated without a witness that violates it. */
class EveryViolationTest {
  private static final Shape PLAIN = Shape.committed(6, 3, 3);
  private static final Shape TIMED = PLAIN.withTimes().withOutcomes();

  /** A history for each kind of violation without a witness. */
  private final TreeMap<String, SmallHistory> bare = new TreeMap<>();

  private int violated;

  @Test
  void everyLevelViolatedByRegistersHasAWitness() {
    look(new RandomHistories(PLAIN, 31)::registers, 1000);
    look(new RandomHistories(TIMED, 32)::registers, 1000);
    assertNoneIsBare();
  }

  @Test
  void everyLevelViolatedWhereValuesAreWrittenTwiceHasAWitness() {
    look(new RandomHistories(Shape.committed(5, 2, 3).withDuplicates(), 33)::registers, 1500);
    look(new RandomHistories(Shape.committed(7, 3, 3).withDuplicates(), 34)::registers, 1500);
    look(new RandomHistories(TIMED.withDuplicates(), 35)::registers, 1500);
    assertNoneIsBare();
  }

  @Test
  void everyLevelViolatedByListsHasAWitness() {
    look(new RandomHistories(PLAIN, 36)::lists, 1000);
    look(new RandomHistories(TIMED, 37)::lists, 1000);
    assertNoneIsBare();
  }

  @Test
  void everyLevelViolatedBySetsHasAWitness() {
    look(new RandomHistories(PLAIN, 38)::sets, 1000);
    look(new RandomHistories(TIMED, 39)::sets, 1000);
    RandomHistories more = new RandomHistories(Shape.committed(8, 2, 3), 40);
    for (int i = 0; i < 2000; i++) {
      look(more.sets(), List.of(Level.PREFIX));
    }
    assertNoneIsBare();
  }

  /** All levels together, and one of them alone. */
  private void look(Supplier<SmallHistory> histories, int count) {
    List<Level> all = Level.surveyed();
    for (int i = 0; i < count; i++) {
      SmallHistory history = histories.get();
      look(history, all);
      look(history, Set.of(all.get(i % all.size())));
    }
  }

  private void look(SmallHistory history, Collection<Level> levels) {
    Report report =
        Verifier.sample(
            Assay.check(history.toHistory(), levels, Budget.unlimited()), Given.NOTHING);
    for (Level level : levels) {
      if (report.verdict(level) instanceof Verdict.Violated verdict) {
        violated++;
        if (report.anomalies().stream().noneMatch(anomaly -> shows(anomaly, verdict, level))) {
          bare.putIfAbsent(level + ", of " + levels.size() + ": " + verdict.why(), history);
        }
      }
    }
  }

  private static boolean shows(Anomaly anomaly, Verdict.Violated verdict, Level level) {
    return verdict.anomalies().contains(anomaly.type())
        && anomaly.violates().stream().anyMatch(level::implies);
  }

  private void assertNoneIsBare() {
    assertThat(bare).isEmpty();
    assertThat(violated).isGreaterThan(1000);
  }
}
