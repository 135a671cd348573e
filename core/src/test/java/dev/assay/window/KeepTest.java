package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A monitor whose disk is bounded says nothing wrong about what it dropped. */
class KeepTest {
  private static final int HISTORIES = Integer.getInteger("assay.keep", 12);

  @TempDir private Path folder;

  private MonitorOptions options(long keep) {
    return MonitorOptions.of(Level.surveyed())
        .lateness(Duration.ZERO)
        .memory(0)
        .keep(keep)
        .folder(folder);
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static boolean isDropped(Verdict verdict) {
    return verdict instanceof Verdict.Unknown unknown && unknown.why().contains("dropped");
  }

  @Test
  void whatNeedsWhatWasDroppedIsUnknown() {
    int dropped = 0;
    int decided = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      List<Line> lines = Streams.record(Streams.Shape.any(random), 120, random);
      History history = Line.history(lines, Streams.nothing());
      Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
      Engine engine = new Engine(options(1_000), 0.5);
      for (int from = 0; from < lines.size(); from += 5) {
        engine.accept(Line.history(lines.subList(from, from + 5), Streams.nothing()));
        engine.round();
      }
      Report windows = engine.finish();
      engine.close();
      for (Level level : Level.surveyed()) {
        Verdict verdict = windows.verdict(level);
        if (verdict instanceof Verdict.Unknown) {
          dropped += isDropped(verdict) ? 1 : 0;
        } else if (!(whole.verdict(level) instanceof Verdict.Unknown)) {
          decided++;
          assertThat(verdict.id())
              .as("%s, seed %d", level, seed)
              .isEqualTo(whole.verdict(level).id());
        }
      }
    }
    assertThat(dropped).isPositive();
    assertThat(decided).isPositive();
  }

  /** Each register is written, read, and then never used again. */
  private static void feed(Engine engine, int from, int to) {
    for (int i = from; i < to; i++) {
      HistoryBuilder builder = new HistoryBuilder();
      int txn = builder.begin(builder.session(i % 3), Outcome.COMMITTED);
      builder.start(txn, 10L * i);
      builder.end(txn, 10L * i + 5);
      builder.read((long) i / 4, i % 4 == 0 ? null : (long) i - 1);
      builder.write((long) i / 4, (long) i);
      engine.accept(builder.build());
      engine.round();
    }
  }

  private static void read(Engine engine, long key, Object value) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.begin(builder.session(7), Outcome.COMMITTED);
    builder.read(key, value);
    engine.accept(builder.build());
    engine.round();
  }

  @Test
  void diskIsBoundedAndKeysAreForgotten() throws IOException {
    long keep = 30_000;
    Engine engine = new Engine(options(keep), 0.5);
    for (int i = 0; i < 1_600; i += 200) {
      feed(engine, i, i + 200);
      assertThat(bytes()).isLessThan(2 * keep);
      assertThat(engine.context.keys.size()).isLessThan(20);
    }
    assertThat(engine.standing().strongest()).contains(Level.STRICT_SERIALIZABLE);
    // A key of which nothing is known any more.
    read(engine, 1, 7L);
    Report report = engine.finish();
    engine.close();
    assertThat(isDropped(report.verdict(Level.SERIALIZABLE))).isTrue();
  }

  /** What leaves a large memory at once finds room, and is not all dropped because it is large. */
  @Test
  void diskIsBoundedAndUsedWhereMemoryIsLarger() throws IOException {
    long keep = 100_000;
    Engine engine = new Engine(options(keep).memory(2_000_000), 0.5);
    for (int i = 0; i < 24_000; i++) {
      HistoryBuilder builder = new HistoryBuilder();
      int txn = builder.begin(builder.session(i % 3), Outcome.COMMITTED);
      builder.start(txn, 10L * i);
      builder.end(txn, 10L * i + 5);
      builder.read(i % 10L, i < 10 ? null : i - 10L);
      builder.write(i % 10L, (long) i);
      engine.accept(builder.build());
      if (i % 200 == 0) {
        engine.round();
        assertThat(bytes()).isLessThanOrEqualTo(keep);
      }
    }
    assertThat(engine.context.past.first()).isPositive();
    assertThat(bytes()).isGreaterThan(keep / 4);
    assertThat(engine.standing().strongest()).contains(Level.STRICT_SERIALIZABLE);
    engine.finish();
    engine.close();
  }

  /** Of the keys of the violation nothing is known any more when the report shows it. */
  @Test
  void whatShowsAViolationStaysWhenItsKeysAreForgotten() {
    Engine engine = new Engine(options(30_000), 0.5);
    HistoryBuilder builder = new HistoryBuilder();
    builder.initially(-1L, 17L);
    builder.begin(builder.session(7), Outcome.ABORTED);
    builder.write(-1L, 18L);
    for (long seen = 17; seen <= 18; seen++) {
      builder.begin(builder.session(7), Outcome.COMMITTED);
      builder.read(-1L, seen);
    }
    engine.accept(builder.build());
    feed(engine, 0, 1_600);
    assertThat(engine.context.keys.get(-1L)).isNull();
    Report report = engine.finish();
    engine.close();
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
    assertThat(report.anomalies()).extracting(Anomaly::type).contains(AnomalyType.ABORTED_READ);
    assertThat(Assay.check(report.history(), Level.surveyed(), Budget.unlimited()).anomalies())
        .extracting(Anomaly::type)
        .containsExactly(AnomalyType.ABORTED_READ);
  }

  @Test
  void keysThatLeftMemoryComeBack() {
    for (boolean stale : new boolean[] {false, true}) {
      Engine engine = new Engine(options(Long.MAX_VALUE), 0.5);
      feed(engine, 0, 400);
      assertThat(engine.context.keys.size()).isLessThan(20);
      read(engine, 1, stale ? 6L : 7L);
      Report report = engine.finish();
      engine.close();
      assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
    }
  }
}
