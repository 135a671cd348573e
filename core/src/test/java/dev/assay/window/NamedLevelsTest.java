package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind.Type;
import dev.assay.level.Level;
import dev.assay.window.Streams.Clock;
import dev.assay.window.Streams.Shape;
import dev.assay.window.Streams.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Levels that are decided by name do not keep windows from deciding the others. */
class NamedLevelsTest {
  private static final int HISTORIES = Integer.getInteger("assay.named", 20);
  private static final int BLOCK = 20;

  private static final Set<Level> NAMED =
      EnumSet.of(
          Level.LINEARIZABLE, Level.SEQUENTIAL, Level.SERIALIZABLE_LINEARIZABLE_KEYS, Level.MIXED);

  private static final Shape SERIAL =
      new Shape(Store.SERIAL, List.of(Type.REGISTER), 4, 5, 8, 0, true, Clock.FINE, 0, true);

  private static Set<Level> all() {
    Set<Level> all = EnumSet.copyOf(Level.surveyed());
    all.addAll(NAMED);
    return all;
  }

  private static Report inWindows(List<Line> lines, Set<Level> levels) {
    Engine engine = new Engine(MonitorOptions.of(levels).lateness(Duration.ZERO), 1);
    for (int from = 0; from < lines.size(); from += BLOCK) {
      List<Line> block = lines.subList(from, Math.min(lines.size(), from + BLOCK));
      engine.accept(Line.history(block, Streams.nothing()));
      engine.round();
    }
    Report report = engine.finish();
    engine.close();
    return report;
  }

  @Test
  void theyHoldWhereTransactionsRanOneAfterAnother() {
    for (int seed = 0; seed < 5; seed++) {
      List<Line> lines = Streams.record(SERIAL, 400, new Random(seed));
      Report report = inWindows(lines, all());
      for (Level level : Level.surveyed()) {
        assertThat(report.holds(level)).as("%s, seed %d", level, seed).isTrue();
      }
      assertThat(report.holds(Level.LINEARIZABLE)).isTrue();
      assertThat(report.holds(Level.SEQUENTIAL)).isTrue();
      assertThat(report.holds(Level.SERIALIZABLE_LINEARIZABLE_KEYS)).isTrue();
      assertThat(report.verdict(Level.MIXED)).isEqualTo(Stopped.BY_NAME);
    }
  }

  @Test
  void theyAndAllOthersHaveTheVerdictOfTheWholeOrAreUnknown() {
    int decided = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      List<Line> lines = Streams.record(Shape.any(random), 120, random);
      History history = Line.history(lines, Streams.nothing());
      Report whole = Assay.check(history, all(), Budget.unlimited());
      Report windows = inWindows(lines, all());
      for (Level level : all()) {
        Verdict verdict = windows.verdict(level);
        boolean named = NAMED.contains(level);
        if (verdict instanceof Verdict.Unknown) {
          assertThat(named || whole.verdict(level) instanceof Verdict.Unknown)
              .as("%s, seed %d: %s", level, seed, verdict)
              .isTrue();
        } else if (!(named && whole.verdict(level) instanceof Verdict.Unknown)) {
          decided += named ? 1 : 0;
          assertThat(verdict.id())
              .as("%s, seed %d", level, seed)
              .isEqualTo(whole.verdict(level).id());
        }
      }
    }
    assertThat(decided).isPositive();
  }
}
