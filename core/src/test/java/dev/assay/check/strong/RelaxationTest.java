package dev.assay.check.strong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LikelyOrder;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
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

  @Test
  void aLongHistoryMayHaveMoreExceptionsThanRounds() {
    int exceptions = 100;
    HistoryBuilder builder = new HistoryBuilder();
    builder.zeroIsInitial(true);
    for (int key = 0; key < exceptions; key++) {
      builder.begin(builder.session(1), Outcome.COMMITTED);
      builder.write(key, 1);
      for (int seen : new int[] {1, 0}) {
        builder.begin(builder.session(2), Outcome.COMMITTED);
        builder.read(key, seen);
      }
      for (int other = 1; other <= 5; other++) {
        builder.begin(builder.session(3), Outcome.COMMITTED);
        builder.write(exceptions * other + key, 1);
      }
    }
    History history = builder.build();
    Subject subject = Subject.of(history, Set.of(Level.SERIALIZABLE), Budget.unlimited());
    Instance instance =
        Instance.whole(history, subject.reads(), List.of(subject.versions().order()));
    Model model = Model.of(Level.SERIALIZABLE);
    assertThat(relaxation(instance, instance.size()).decide(model, false)).isNull();
    assertThat(relaxation(instance, 32).decide(model, false).result())
        .isInstanceOf(Decision.Result.Found.class);
  }

  private static Relaxation relaxation(Instance instance, int stretch) {
    int[] order = instance.inOrder(LikelyOrder.of(instance.history));
    return new Relaxation(
        instance, order, Budget.unlimited(), new Effort(), stretch, Relaxation.MAX_CONFLICTS);
  }

  private void compare(History history) {
    Subject subject = Subject.of(history, Set.copyOf(LEVELS), Budget.unlimited());
    Instance instance =
        Instance.whole(history, subject.reads(), List.of(subject.versions().order()));
    for (Level level : LEVELS) {
      compare(instance, level, instance.size());
      compare(instance, level, 8);
    }
  }

  private void compare(Instance instance, Level level, int stretch) {
    Model model = Model.of(level);
    Answer answer = relaxation(instance, stretch).decide(model, true);
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

  private static Decision.Result ask(Instance instance, Model model, Assumptions assumed) {
    Choices choices = Choices.all(instance);
    return new NarrowingSolver(instance, model, choices, assumed, Long.MAX_VALUE, () -> false)
        .ask(Decision::run, instance.natural(), new Effort());
  }
}
