package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.OpKind.Type;
import dev.assay.history.Operation;
import dev.assay.history.OtherThan;
import dev.assay.level.Level;
import dev.assay.window.Streams.Clock;
import dev.assay.window.Streams.Shape;
import dev.assay.window.Streams.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Conditions that failed are judged in windows whose transactions ran one after another. */
class FailedConditionsInWindowsTest {
  private static final int HISTORIES = Integer.getInteger("assay.conditions", 20);
  private static final int BLOCK = 20;

  private static Shape shape(Store store, int disturbed, boolean outcomes) {
    return new Shape(
        store, List.of(Type.REGISTER), 4, 4, 8, disturbed, outcomes, Clock.FINE, 0, true);
  }

  /** Makes one read in three a condition that failed: it asks for a value that another read saw. */
  private static List<Line> withConditions(List<Line> lines, Random random) {
    Map<Object, List<Object>> seen = new HashMap<>();
    List<Line> changed = new ArrayList<>();
    for (Line line : lines) {
      List<Operation> ops = new ArrayList<>();
      for (Operation op : line.ops()) {
        boolean read = op.kind() == OpKind.READ && op.known();
        List<Object> values = seen.computeIfAbsent(op.key(), key -> new ArrayList<>());
        Object other = values.isEmpty() ? null : values.get(random.nextInt(values.size()));
        if (read && other != null && !other.equals(op.value()) && random.nextInt(3) == 0) {
          ops.add(new Operation(OpKind.READ, op.key(), true, new OtherThan(other)));
        } else {
          ops.add(op);
        }
        if (op.known() && op.value() != null) {
          values.add(op.value());
        }
      }
      changed.add(line.with(ops));
    }
    return changed;
  }

  private static Report inWindows(List<Line> lines) {
    Engine engine = new Engine(MonitorOptions.of(Level.surveyed()).lateness(Duration.ZERO), 1);
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
  void whatRanOneAfterAnotherHolds() {
    int held = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      List<Line> lines =
          withConditions(Streams.record(shape(Store.SERIAL, 0, false), 400, random), random);
      assertThat(Line.history(lines, Streams.nothing()).hasOtherReads()).isTrue();
      Report report = inWindows(lines);
      assertThat(report.weakestViolated()).as("seed %d", seed).isEmpty();
      held += report.holds(Level.STRICT_SERIALIZABLE) ? 1 : 0;
    }
    assertThat(held).isGreaterThan(HISTORIES * 3 / 4);
  }

  @Test
  void whatIsDecidedIsAsInTheWhole() {
    int violated = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      Store store = Store.values()[random.nextInt(3)];
      List<Line> lines = withConditions(Streams.record(shape(store, 30, true), 60, random), random);
      History history = Line.history(lines, Streams.nothing());
      Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
      Report windows = inWindows(lines);
      for (Level level : Level.surveyed()) {
        Verdict verdict = windows.verdict(level);
        boolean decided =
            !(verdict instanceof Verdict.Unknown)
                && !(whole.verdict(level) instanceof Verdict.Unknown);
        if (decided) {
          violated += windows.violated(level) ? 1 : 0;
          assertThat(verdict.id())
              .as("%s, seed %d", level, seed)
              .isEqualTo(whole.verdict(level).id());
        }
      }
    }
    assertThat(violated).isPositive();
  }
}
