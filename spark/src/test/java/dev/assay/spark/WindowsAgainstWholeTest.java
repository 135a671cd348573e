package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The law of windows: the same verdicts as the checkers of whole histories. */
class WindowsAgainstWholeTest {
  private static final Set<Level> LEVELS = EnumSet.copyOf(Level.surveyed());
  private static final Set<Level> SOME_LEVELS =
      EnumSet.of(Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION, Level.CAUSAL, Level.READ_COMMITTED);

  private int windows;
  private int divided;
  private int violated;
  private int undecided;

  @Test
  void windowsGiveTheVerdictsOfTheWhole() throws Exception {
    compare(
        Long.getLong("assay.spark.seed", 0), Integer.getInteger("assay.spark.histories", 80), 60);
  }

  @Test
  @Tag("extended")
  void windowsGiveTheVerdictsOfTheWholeManyTimes() throws Exception {
    compare(1_000_000, 5_000, 80);
  }

  private void compare(long seed, int histories, int transactions) throws Exception {
    for (int i = 0; i < histories; i++) {
      compare(seed + i, transactions);
    }
    // Nothing would be shown if there were no cuts, or nothing to find.
    assertThat(divided).isGreaterThan(histories / 3);
    assertThat(violated).isBetween(histories / 10, histories * 9 / 10);
    assertThat(undecided).isLessThan(histories / 10);
  }

  private void compare(long seed, int transactions) throws Exception {
    Random random = new Random(seed);
    History history = RandomHistories.of(transactions, random);
    // An order by which some levels hold may not be one of sessions or of time.
    Set<Level> levels = seed % 4 == 0 ? SOME_LEVELS : LEVELS;
    Report whole = Assay.check(history, levels, Budget.unlimited());
    InOneProcess parts = new InOneProcess(history, 1 + random.nextInt(12), 1_000, levels, random);
    Report found = parts.check().report();
    windows += parts.windows();
    divided += parts.windows() > 1 ? 1 : 0;
    violated += whole.violated(Level.SERIALIZABLE) ? 1 : 0;
    boolean open = false;
    List<String> wrong = new ArrayList<>();
    for (Level level : levels) {
      Verdict own = found.verdict(level);
      boolean unknown = own instanceof Verdict.Unknown;
      if (!own.id().equals(whole.verdict(level).id())) {
        open |= unknown;
        if (!unknown) {
          wrong.add(level + ": " + own + ", the whole: " + whole.verdict(level));
        }
      }
    }
    undecided += open ? 1 : 0;
    assertThat(wrong).as("seed " + seed + ", windows " + parts.windows()).isEmpty();
    if (!open) {
      assertThat(types(found)).as("seed " + seed + ": types").isEqualTo(types(whole));
    }
    for (Level level : levels) {
      if (found.violated(level)) {
        assertThat(((Verdict.Violated) found.verdict(level)).anomalies())
            .as("seed " + seed + ": what violates " + level)
            .isNotEmpty();
      }
    }
  }

  private static Set<String> types(Report report) {
    return report.anomalies().stream().map(a -> a.type().id()).collect(Collectors.toSet());
  }
}
