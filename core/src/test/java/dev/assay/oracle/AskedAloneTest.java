package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What else is asked changes no answer, though it changes which checkers run and how far. */
class AskedAloneTest {
  @Test
  void aLevelGetsTheVerdictThatItHasAmongAll() {
    RandomHistories plain = new RandomHistories(Shape.committed(6, 3, 3).withOutcomes(), 61);
    RandomHistories timed = new RandomHistories(Shape.committed(6, 2, 3).withTimes(), 62);
    RandomHistories twice = new RandomHistories(Shape.committed(5, 2, 3).withDuplicates(), 63);
    List<SmallHistory> histories = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      histories.add(plain.registers());
      histories.add(plain.lists());
      histories.add(plain.sets());
      histories.add(timed.registers());
      histories.add(timed.lists());
      histories.add(twice.registers());
      histories.add(twice.lists());
    }
    List<String> differences = new ArrayList<>();
    for (SmallHistory small : histories) {
      History history = small.toHistory();
      Map<Level, Verdict> together =
          Verifier.sample(Assay.check(history, Level.surveyed(), Budget.unlimited()), Given.NOTHING)
              .verdicts();
      for (Level level : Level.values()) {
        Verdict alone =
            Verifier.sample(Assay.check(history, Set.of(level), Budget.unlimited()), Given.NOTHING)
                .verdicts()
                .get(level);
        Verdict among = together.get(level);
        if (among != null && !alone.id().equals(among.id())) {
          differences.add(level + " alone: " + alone + ", among all: " + among + "\n" + small);
        }
      }
    }
    assertThat(differences).isEmpty();
  }

  /** Without times strict serializability stays open, and weaker levels are looked at for it. */
  @Test
  void whatIsDecidedStaysWhenThereIsNoTimeToLookFurther() throws Exception {
    History history =
        Formats.read(
            Input.of(
                "h.jsonl",
                "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}".getBytes(StandardCharsets.UTF_8)));
    Duration timeout = Duration.ofSeconds(3);
    Set<String> entered = new HashSet<>();
    Budget budget =
        Budget.of(timeout)
            .watchedBy(
                stage -> {
                  if (!entered.add(stage)) {
                    sleep(timeout);
                  }
                });
    Report report =
        Verifier.sample(
            Assay.check(history, Set.of(Level.SERIALIZABLE, Level.STRICT_SERIALIZABLE), budget),
            Given.NOTHING);
    assertThat(budget.expired()).isTrue();
    assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
    assertThat(report.verdict(Level.STRICT_SERIALIZABLE).id()).isEqualTo("unknown");
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
