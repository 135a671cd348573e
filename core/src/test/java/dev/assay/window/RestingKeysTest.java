package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.OpKind.Type;
import dev.assay.history.Operation;
import dev.assay.level.Level;
import dev.assay.window.Streams.Clock;
import dev.assay.window.Streams.Shape;
import dev.assay.window.Streams.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Keys that are not used any more do not keep windows open, whatever their last versions are: those
 * of different levels may differ, as long as no transaction sees them.
 */
class RestingKeysTest {
  private static final int FIRST = Integer.getInteger("assay.resting.first", 0);
  private static final int HISTORIES = Integer.getInteger("assay.resting", 40);
  private static final int BLOCK = 100;
  private static final int MOST_WAITING = 2_000;

  /** What follows is in order, so that it can be cut anywhere. */
  private static final Shape CALM =
      new Shape(Store.SERIAL, List.of(Type.REGISTER), 4, 5, 8, 0, false, Clock.FINE, 0, false);

  @Test
  void whatFollowsOnOtherKeysIsJudged() {
    for (int seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      Random random = new Random(seed);
      Shape shape =
          new Shape(
              Store.values()[random.nextInt(3)],
              List.of(random.nextInt(4) == 0 ? Type.LIST : Type.REGISTER),
              3 + random.nextInt(5),
              2 + random.nextInt(3),
              0,
              10,
              false,
              Clock.FINE,
              0,
              true);
      List<Line> first = Streams.record(shape, 10 + random.nextInt(15), random);
      History history = Line.history(first, Streams.nothing());
      Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
      Set<Level> levels = EnumSet.noneOf(Level.class);
      Level.surveyed().stream().filter(whole::holds).forEach(levels::add);
      if (!levels.isEmpty()) {
        judge(levels, first, Streams.record(CALM, 3_000, random), seed);
      }
    }
  }

  private static void judge(Set<Level> levels, List<Line> first, List<Line> rest, int seed) {
    List<Line> lines = new ArrayList<>(first);
    long end = first.stream().mapToLong(Line::end).max().orElseThrow();
    rest.forEach(line -> lines.add(after(end, line)));
    Engine engine = new Engine(MonitorOptions.of(levels).lateness(Duration.ZERO), 1);
    long most = 0;
    for (int from = 0; from < lines.size(); from += BLOCK) {
      List<Line> block = lines.subList(from, Math.min(lines.size(), from + BLOCK));
      engine.accept(Line.history(block, Streams.nothing()));
      engine.round();
      most = Math.max(most, engine.standing().waiting());
    }
    Report report = engine.finish();
    engine.close();
    for (Level level : levels) {
      assertThat(report.holds(level)).as("%s, seed %d", level, seed).isTrue();
    }
    assertThat(most).as("transactions that wait, seed %d", seed).isLessThan(MOST_WAITING);
  }

  /** The same transaction later, in another session and on other keys. */
  private static Line after(long end, Line line) {
    List<Operation> ops = new ArrayList<>();
    for (Operation op : line.ops()) {
      ops.add(new Operation(op.kind(), "later " + op.key(), op.known(), op.value()));
    }
    return new Line(
        "later " + line.session(),
        line.outcome(),
        end + 1 + line.start(),
        end + 1 + line.end(),
        ops);
  }
}
