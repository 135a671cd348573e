package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.history.OpKind.Type;
import dev.assay.level.Level;
import dev.assay.window.Streams.Clock;
import dev.assay.window.Streams.Shape;
import dev.assay.window.Streams.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Long recordings of stores that keep their word are judged in windows that stay small: a guess
 * about what is carried over a cut that turns out to be wrong is corrected, not carried on.
 */
class BoundedWindowsTest {
  private static final int BLOCK = 100;

  /** Many times the transactions of a usual window, which is about a hundred here. */
  private static final int MOST_WAITING = 2_000;

  /** What the stores promise. */
  private static final Map<Store, Level> PROMISED =
      Map.of(
          Store.SERIAL, Level.STRICT_SERIALIZABLE,
          Store.SNAPSHOT, Level.STRONG_SNAPSHOT_ISOLATION,
          Store.READ_COMMITTED, Level.STRONG_ADYA_READ_COMMITTED);

  @ParameterizedTest
  @CsvSource({"SERIAL,REGISTER", "SNAPSHOT,REGISTER", "SNAPSHOT,LIST", "READ_COMMITTED,REGISTER"})
  void windowsStaySmall(Store store, Type type) {
    for (int seed = 0; seed < 3; seed++) {
      judge(store, type, 5_000, new Random(seed));
    }
  }

  @Test
  @Tag("extended")
  void windowsOfManyRecordingsStaySmall() {
    for (int seed = 0; seed < 50; seed++) {
      for (Store store : Store.values()) {
        for (Type type : List.of(Type.REGISTER, Type.LIST, Type.SET)) {
          judge(store, type, 20_000, new Random(seed));
        }
      }
    }
  }

  private static void judge(Store store, Type type, int transactions, Random random) {
    int clients = 4 + random.nextInt(9);
    Shape shape =
        new Shape(
            store, List.of(type), clients, 10, 8, 0, random.nextBoolean(), Clock.FINE, 0, true);
    List<Line> lines = Streams.record(shape, transactions, random);
    Set<Level> levels = EnumSet.noneOf(Level.class);
    PROMISED.get(store).andWeaker().stream()
        .filter(Level.surveyed()::contains)
        .forEach(levels::add);
    Engine engine = new Engine(MonitorOptions.of(levels).lateness(Duration.ZERO), 2);
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
      assertThat(report.verdict(level).id()).as("%s of %s", level, shape).isEqualTo("holds");
    }
    assertThat(most).as("transactions that wait, of %s", shape).isLessThan(MOST_WAITING);
  }
}
