package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where two checkers can answer the same question, each asked alone, their answers agree. */
class CheckersAgreeTest {
  private final Map<Level, Integer> answeredTwice = new EnumMap<>(Level.class);

  @Test
  void noCheckerContradictsAnother() {
    RandomHistories lists =
        new RandomHistories(Shape.committed(7, 3, 3).withTimes().withOutcomes(), 41);
    RandomHistories registers =
        new RandomHistories(Shape.committed(7, 3, 3).withTimes().withOutcomes(), 42);
    for (int i = 0; i < 1500; i++) {
      compare(lists.lists());
      compare(registers.registers());
    }
    assertThat(answeredTwice.keySet())
        .contains(Level.STRICT_SERIALIZABLE, Level.CAUSAL, Level.READ_COMMITTED);
  }

  private void compare(SmallHistory small) {
    History history = small.toHistory();
    ReadsFrom reads = ReadsFrom.of(history);
    Findings inReads = new ReadConsistency().check(subject(history, reads, Set.of()));
    Set<Level> violated = EnumSet.noneOf(Level.class);
    inReads.anomalies().forEach(anomaly -> violated.addAll(anomaly.violates()));
    List<Map<Level, String>> answers = new ArrayList<>();
    for (LevelChecker checker : Assay.checkers()) {
      answers.add(answers(checker.check(subject(history, reads, violated)), violated));
    }
    for (Level level : Level.surveyed()) {
      List<String> given =
          answers.stream().filter(a -> a.containsKey(level)).map(a -> a.get(level)).toList();
      assertThat(given.stream().distinct().count())
          .as("%s is %s in\n%s", level, given, small)
          .isLessThanOrEqualTo(1);
      if (given.size() > 1) {
        answeredTwice.merge(level, 1, Integer::sum);
      }
    }
  }

  private static LevelChecker.Subject subject(
      History history, ReadsFrom reads, Set<Level> violated) {
    return new LevelChecker.Subject(
        history,
        reads,
        new VersionOrders(history, reads, Given.NOTHING),
        EnumSet.copyOf(Level.surveyed()),
        violated,
        EnumSet.noneOf(Level.class),
        Budget.unlimited());
  }

  /** What one checker's verdicts and anomalies settle, by the lattice; reads aside. */
  private static Map<Level, String> answers(Findings found, Set<Level> violatedByReads) {
    Map<Level, String> answers = new EnumMap<>(Level.class);
    for (Level level : Level.surveyed()) {
      boolean violated =
          found.verdicts().entrySet().stream()
                  .anyMatch(
                      e -> e.getValue() instanceof Verdict.Violated && level.implies(e.getKey()))
              || found.anomalies().stream()
                  .map(Anomaly::violates)
                  .anyMatch(levels -> levels.stream().anyMatch(level::implies));
      boolean holds =
          found.verdicts().entrySet().stream()
              .anyMatch(e -> e.getValue() instanceof Verdict.Holds && e.getKey().implies(level));
      assertThat(violated && holds && !violatedByReads.contains(level)).as("%s", level).isFalse();
      if (!violatedByReads.contains(level) && (violated || holds)) {
        answers.put(level, violated ? "violated" : "holds");
      }
    }
    return answers;
  }
}
