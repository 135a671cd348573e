package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Levels are decided alike where others are known to be violated, and are hardly looked at. */
class OthersKnownViolatedTest {
  private final Random random = new Random(20);
  private int violated;

  @Test
  void theOtherLevelsHaveTheVerdictsOfTheWhole() {
    RandomHistories lists =
        new RandomHistories(Shape.committed(8, 3, 3).withTimes().withOutcomes(), 43);
    RandomHistories registers =
        new RandomHistories(Shape.committed(8, 3, 3).withTimes().withOutcomes(), 44);
    for (int i = 0; i < 1500; i++) {
      compare(lists.lists());
      compare(registers.registers());
    }
    assertThat(violated).isGreaterThan(1000);
  }

  private void compare(SmallHistory small) {
    History history = small.toHistory();
    Report whole = Assay.check(history, CheckOptions.of(Level.surveyed()));
    List<Level> known = new ArrayList<>(Level.surveyed().stream().filter(whole::violated).toList());
    if (known.isEmpty()) {
      return;
    }
    // What is violated is so with all stronger levels.
    Set<Level> some = EnumSet.copyOf(Level.surveyed());
    some.removeAll(known.get(random.nextInt(known.size())).andStronger());
    if (some.isEmpty()) {
      return;
    }
    Report report = Assay.check(history, CheckOptions.of(Level.surveyed()).searchingFor(some));
    for (Level level : some) {
      assertThat(report.verdict(level).id())
          .as("%s in\n%s", level, small)
          .isEqualTo(whole.verdict(level).id());
      violated += whole.violated(level) ? 1 : 0;
    }
  }
}
