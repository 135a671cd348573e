package dev.assay.check.strong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LikelyOrder;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RelaxationTest {
  private static final List<Level> LEVELS =
      List.of(
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.PREFIX,
          Level.PARALLEL_SNAPSHOT_ISOLATION,
          Level.CONSISTENT_VIEW,
          Level.UPDATE_ATOMIC);

  private final Map<Level, Integer> foundOutOfTime = new EnumMap<>(Level.class);
  private final Map<Level, Integer> refuted = new EnumMap<>(Level.class);

  @Test
  void whatItAnswersIsWhatIsAnsweredWithoutIt() {
    Random random = new Random(11);
    for (int i = 0; i < 1500; i++) {
      compare(CommitOrderReplayTest.simulated(random, 4 + random.nextInt(16), 3, 3));
    }
    for (int i = 0; i < 60; i++) {
      compare(CommitOrderReplayTest.simulated(random, 60 + random.nextInt(60), 12, 5));
    }
    assertThat(foundOutOfTime.keySet()).containsAll(LEVELS);
    assertThat(refuted.keySet()).containsAll(LEVELS);
  }

  private void compare(History history) {
    Subject subject = Subject.of(history, Set.copyOf(LEVELS), Budget.unlimited());
    Instance instance =
        Instance.whole(history, subject.reads(), List.of(subject.versions().order()));
    int[] order = instance.inOrder(LikelyOrder.of(history));
    for (Level level : LEVELS) {
      Model model = Model.of(level);
      Answer answer =
          new Relaxation(instance, order, Budget.unlimited(), new Effort()).decide(model, true);
      if (answer != null) {
        Decision.Result plain = ask(instance, model, Assumptions.NOTHING);
        assertThat(answer.result()).hasSameClassAs(plain);
        if (answer.result() instanceof Decision.Result.Refuted core) {
          refuted.merge(level, 1, Integer::sum);
          Instance few = instance.restrictedTo(Refutation.withSources(instance, core.blamed()));
          assertThat(ask(few, model, Assumptions.NOTHING))
              .isInstanceOf(Decision.Result.Refuted.class);
        } else if (ask(instance, model, new Assumptions(true, true, Assumptions.NOTHING.free()))
            instanceof Decision.Result.Refuted) {
          foundOutOfTime.merge(level, 1, Integer::sum);
        }
      }
    }
  }

  private static Decision.Result ask(Instance instance, Model model, Assumptions assumed) {
    Choices choices = Choices.all(instance);
    return new NarrowingSolver(instance, model, choices, assumed, Long.MAX_VALUE, () -> false)
        .ask(Decision::run, instance.natural(), new Effort());
  }
}
