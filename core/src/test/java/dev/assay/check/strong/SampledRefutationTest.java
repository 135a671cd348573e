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
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampledRefutationTest {
  private static final Model SERIAL = Model.of(Level.SERIALIZABLE);

  private static Instance instance(History history) {
    Subject subject = Subject.of(history, Set.of(Level.SERIALIZABLE), Budget.unlimited());
    return Instance.whole(history, subject.reads(), List.of(subject.versions().order()));
  }

  private static Answer refute(Instance instance, Model model) {
    int[] order = instance.inOrder(LikelyOrder.of(instance.history));
    return new SampledRefutation(instance, order, Budget.unlimited(), new Effort()).refute(model);
  }

  private static Decision.Result guess(Instance instance) {
    int[] order = instance.inOrder(LikelyOrder.of(instance.history));
    return new NarrowingSolver(instance, SERIAL, Choices.all(instance), () -> false)
        .ask(Decision::guess, order, new Effort());
  }

  /** Blind writes of some keys by one session, and reads of any versions by sessions of one. */
  private static History blind(int versions, String... keys) {
    HistoryBuilder b = new HistoryBuilder();
    Random random = new Random(1);
    for (int i = 0; i < versions; i++) {
      for (String key : keys) {
        b.begin(b.session(0), Outcome.COMMITTED);
        b.write(key, i);
      }
    }
    for (int i = 0; i < 2 * versions; i++) {
      b.begin(b.session(1 + i), Outcome.COMMITTED);
      for (String key : keys) {
        b.read(key, random.nextInt(versions));
      }
    }
    return b.build();
  }

  @Test
  void readsOfPairsInManyOrdersAreRefutedByFew() {
    Instance instance = instance(blind(1_000, "x", "y"));
    assertThat(guess(instance)).isInstanceOf(Decision.Result.Expired.class);
    Answer answer = refute(instance, SERIAL);
    assertThat(answer.result())
        .isInstanceOfSatisfying(
            Decision.Result.Refuted.class,
            refuted -> assertThat(refuted.blamed().cardinality()).isBetween(4, 200));
  }

  @Test
  void staleReadsOfOneKeyAreSerialInTheOrderThatIsGuessed() {
    Instance instance = instance(blind(2_000, "x"));
    assertThat(guess(instance)).isInstanceOf(Decision.Result.Found.class);
    assertThat(refute(instance, SERIAL)).isNull();
  }

  @Test
  void whatItRefutesHasNoOrder() {
    Random random = new Random(5);
    int refuted = 0;
    for (int i = 0; i < 100; i++) {
      Instance instance = instance(CommitOrderReplayTest.simulated(random, 60, 12, 5));
      for (Level level : List.of(Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION, Level.PREFIX)) {
        Model model = Model.of(level);
        if (refute(instance, model) != null) {
          refuted++;
          assertThat(
                  new NarrowingSolver(instance, model, Choices.all(instance), () -> false)
                      .ask(Decision::run, instance.natural(), new Effort()))
              .isInstanceOf(Decision.Result.Refuted.class);
        }
      }
    }
    assertThat(refuted).isPositive();
  }
}
