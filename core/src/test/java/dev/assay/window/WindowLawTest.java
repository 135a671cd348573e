package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.Operation;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.SampleHistories;
import dev.assay.window.Streams.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The law of windows: whatever the window, the blocks, the order of arrival and the number of
 * threads, a {@link Monitor} gives the verdicts and the anomaly types of {@link Assay#check} on the
 * whole history.
 */
class WindowLawTest {
  /** The maximum share of verdicts that stay open where values repeat. */
  private static final double OPEN_WHERE_VALUES_REPEAT = 0.1;

  /** Compares small histories inside longer ones, where few transactions surround them. */
  private static Consumer<History> inside(Law law) {
    return small -> {
      Random random = law.random();
      int spread = 1 + random.nextInt(12);
      List<Line> lines =
          Embedding.of(small, random.nextBoolean(), random.nextBoolean(), spread, random);
      law.compare(lines, small);
    };
  }

  private static void histories(int every, int random, long seed) {
    Law law = new Law(seed);
    SampleHistories.ofThreeTransactions(every, inside(law));
    SampleHistories.ofAnyOutcome(every, inside(law));
    SampleHistories.ofSets(every * 20, inside(law));
    SampleHistories.random(random, seed, false, inside(law));
    law.assertHolds(0);
  }

  @Test
  void smallHistoriesInsideLongerOnesAreJudgedAsAWhole() {
    histories(Integer.getInteger("assay.law.every", 2_000), 2, 1);
  }

  @Test
  @Tag("extended")
  void allHistoriesOfThreeTransactionsInsideLongerOnesAreJudgedAsAWhole() {
    histories(1, 5_000, 2);
  }

  private static void repeats(int each, int streams, long seed) {
    Law law = new Law(seed);
    SampleHistories.random(each, seed, true, inside(law));
    for (int i = 0; i < streams; i++) {
      Shape shape = Shape.any(law.random()).withRepeats(60);
      law.compare(Streams.record(shape, 150, law.random()), Streams.nothing());
    }
    law.assertHolds(OPEN_WHERE_VALUES_REPEAT);
  }

  @Test
  void historiesWithRepeatedValuesAreJudgedAsAWhole() {
    repeats(2, 5, 3);
  }

  @Test
  @Tag("extended")
  void manyHistoriesWithRepeatedValuesAreJudgedAsAWhole() {
    repeats(2_000, 2_000, 4);
  }

  private static void streams(int count, int transactions, long seed) {
    Law law = new Law(seed);
    for (int i = 0; i < count; i++) {
      Shape shape = Shape.any(law.random());
      law.compare(Streams.record(shape, transactions, law.random()), Streams.nothing());
    }
    law.assertHolds(0);
  }

  @Test
  void recordingsOfASimulatedStoreAreJudgedAsAWhole() {
    streams(20, 80, 5);
    streams(1, 1_000, 6);
  }

  @Test
  @Tag("extended")
  void manyRecordingsOfASimulatedStoreAreJudgedAsAWhole() {
    streams(20_000, 120, 7);
    streams(200, 20_000, 8);
  }

  /** What comes later than allowed is counted, and may leave levels open. */
  @Test
  void nothingWrongIsSaidWhereTransactionsComeTooLate() {
    Law law = new Law(10);
    for (int i = 0; i < 12; i++) {
      Shape shape = Shape.any(law.random());
      law.compareTooLate(Streams.record(shape, 100, law.random()), Streams.nothing());
    }
    law.assertHolds(1);
  }

  @Test
  void nothingWrongIsSaidWhereWindowsMayNotGrow() {
    Law law = new Law(11);
    for (int i = 0; i < 12; i++) {
      Shape shape = Shape.any(law.random());
      law.compareInSmallWindows(Streams.record(shape, 100, law.random()), Streams.nothing());
    }
    law.assertHolds(1);
  }

  @Test
  void clientsOfAMonitorAreJudgedAsTheirHistoryIs() {
    Random random = new Random(13);
    for (int i = 0; i < 6; i++) {
      Shape shape = Shape.any(random).timed();
      List<Line> lines =
          Streams.record(shape, 100, random).stream().filter(WindowLawTest::isSeen).toList();
      History history = Line.history(lines, Streams.nothing());
      Report whole = Assay.check(history, Feed.LEVELS, Budget.unlimited());
      try (Monitor monitor = Monitor.open(MonitorOptions.of(Feed.LEVELS))) {
        Map<Object, Monitor.Client> clients = new HashMap<>();
        for (Line line : lines) {
          run(clients.computeIfAbsent(line.session(), monitor::client), line);
        }
        Report report = monitor.finish();
        for (Level level : Feed.LEVELS) {
          assertThat(report.verdict(level).id())
              .as("%s", level)
              .isEqualTo(whole.verdict(level).id());
        }
      }
    }
  }

  private static boolean isSeen(Line line) {
    return line.isTimed() && line.ops().stream().allMatch(Operation::known);
  }

  private static void run(Monitor.Client client, Line line) {
    client.begin(line.start());
    for (Operation op : line.ops()) {
      switch (op.kind()) {
        case READ -> client.read(op.key(), op.value());
        case WRITE -> client.write(op.key(), op.value());
        case APPEND -> client.append(op.key(), op.value());
        case LIST_READ -> client.readList(op.key(), (List<?>) op.value());
        case ADD -> client.add(op.key(), op.value());
        case SET_READ -> client.readSet(op.key(), (List<?>) op.value());
        default -> throw new IllegalArgumentException(op.toString());
      }
    }
    client.end(line.outcome(), line.end());
  }

  // ---- far apart

  @Test
  void anomaliesAreFoundHoweverFarApartTheirEndsAre() {
    Law law = new Law(9);
    for (String name : FarApart.names()) {
      for (boolean times : new boolean[] {false, true}) {
        for (int between : new int[] {10, 100}) {
          law.compare(FarApart.lines(name, between, times), Streams.nothing());
        }
      }
    }
    law.compare(FarApart.lines("a stale read", 10_000, true), Streams.nothing());
    law.assertHolds(0);
  }

  @ParameterizedTest
  @MethodSource("dev.assay.window.FarApart#names")
  @Tag("extended")
  void anomaliesAreFoundWhereTheirEndsAreAMillionTransactionsApart(String name) {
    for (boolean times : new boolean[] {false, true}) {
      Report near =
          Assay.check(
              Line.history(FarApart.lines(name, 100, times), Streams.nothing()),
              Feed.LEVELS,
              Budget.unlimited());
      try (Monitor monitor = Monitor.open(MonitorOptions.of(Feed.LEVELS))) {
        FarApart.forEachBlock(
            name,
            1_000_000,
            times,
            500,
            block -> monitor.accept(Line.history(block, Streams.nothing())));
        Report far = monitor.finish();
        for (Level level : Feed.LEVELS) {
          assertThat(far.verdict(level).id())
              .as("%s of %s", level, name)
              .isEqualTo(near.verdict(level).id());
        }
        assertThat(types(far)).as(name).isEqualTo(types(near));
      }
    }
  }

  private static Set<AnomalyType> types(Report report) {
    return report.anomalies().stream().map(Anomaly::type).collect(Collectors.toSet());
  }
}
