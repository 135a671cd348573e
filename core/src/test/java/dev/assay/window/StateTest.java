package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.level.Level;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A monitor that goes on from a saved state says what one says that was never interrupted. */
class StateTest {
  private static final int HISTORIES = Integer.getInteger("assay.states", 24);

  /** Bytes of past windows in memory: all, none, those of the last few. */
  private static final long[] MEMORY = {1 << 30, 0, 3_000};

  private static final byte[] NOTE = "a note".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  // ---- the law

  @Test
  void interruptionsChangeNothing() throws IOException {
    int violated = 0;
    int onDisk = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      Streams.Shape shape = Streams.Shape.any(random).withRepeats(seed % 5 == 0 ? 30 : 0);
      List<Line> lines = Streams.record(shape, 30 + random.nextInt(120), random);
      if (random.nextBoolean()) {
        lines = withNumberedKeys(lines);
      }
      MonitorOptions options =
          MonitorOptions.of(Level.surveyed()).lateness(Duration.ZERO).memory(MEMORY[seed % 3]);
      int step = 1 + random.nextInt(8);
      Judged uninterrupted = judge(lines, options, step, new Random(seed), 0);
      Report expected = uninterrupted.report;
      Path state = folder.resolve("state" + seed);
      int interruptions = 1 + random.nextInt(12);
      Judged actual = judge(lines, options.state(state), step, new Random(seed), interruptions);
      assertThat(text(actual.report)).as("seed %d", seed).isEqualTo(text(expected));
      assertThat(actual.announced).as("seed %d", seed).isEqualTo(uninterrupted.announced);
      violated += expected.weakestViolated().isEmpty() ? 0 : 1;
      onDisk += actual.files > 2 ? 1 : 0;
      agreesWithTheWhole(lines, expected, seed);
    }
    assertThat(violated).isGreaterThan(HISTORIES / 4);
    assertThat(onDisk).isGreaterThan(HISTORIES / 4);
  }

  /** What is known without doubt is what the whole-history checkers say. */
  private static void agreesWithTheWhole(List<Line> lines, Report actual, int seed) {
    History history = Line.history(lines, Streams.nothing());
    Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
    for (Level level : Level.surveyed()) {
      boolean open =
          actual.verdict(level) instanceof Verdict.Unknown
              || whole.verdict(level) instanceof Verdict.Unknown;
      if (!open) {
        assertThat(actual.verdict(level).id())
            .as("%s, seed %d", level, seed)
            .isEqualTo(whole.verdict(level).id());
      }
    }
  }

  /** Keys whose names are integers need not stay in memory. */
  private static List<Line> withNumberedKeys(List<Line> lines) {
    List<Line> numbered = new ArrayList<>();
    for (Line line : lines) {
      List<Operation> ops = new ArrayList<>();
      for (Operation op : line.ops()) {
        Object key = Long.valueOf(op.key().toString().substring(1));
        ops.add(new Operation(op.kind(), key, op.known(), op.value()));
      }
      numbered.add(line.with(ops));
    }
    return numbered;
  }

  /**
   * What was judged.
   *
   * @param announced the levels that were announced to be violated, in order
   * @param files the number of files of the last state
   */
  private record Judged(Report report, List<Set<Level>> announced, long files) {}

  private static Judged judge(
      List<Line> lines, MonitorOptions options, int step, Random random, int interruptions)
      throws IOException {
    List<Set<Level>> announced = new ArrayList<>();
    MonitorOptions listening = options.listener(violation -> announced.add(violation.levels()));
    Random places = new Random(random.nextLong());
    int blocks = (lines.size() + step - 1) / step;
    Engine engine = new Engine(listening, 0.5);
    long files = 0;
    for (int from = 0; from < lines.size(); from += step) {
      List<Line> block = lines.subList(from, Math.min(lines.size(), from + step));
      engine.accept(Line.history(block, Streams.nothing()));
      if (random.nextInt(3) > 0) {
        engine.round();
      }
      if (interruptions > 0 && places.nextInt(blocks) < interruptions) {
        engine.save(NOTE);
        files = files(options.state()).size();
        engine.close();
        engine = new Engine(listening, 0.5);
        assertThat(engine.note()).isEqualTo(NOTE);
      }
    }
    Report report = engine.finish();
    engine.close();
    return new Judged(report, announced, files);
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Verdicts and anomalies; how small the part is that shows them depends on the time. */
  private static String text(Report report) {
    StringBuilder text = new StringBuilder();
    report.verdicts().forEach((level, verdict) -> text.append(level + ": " + verdict + "\n"));
    for (Anomaly anomaly : report.anomalies()) {
      text.append(anomaly.type() + " " + anomaly.count() + " " + anomaly.violates() + "\n");
    }
    return text.toString();
  }

  // ---- what is on disk

  private MonitorOptions options() {
    return MonitorOptions.of(Level.surveyed())
        .lateness(Duration.ZERO)
        .memory(0)
        .state(folder.resolve("state"));
  }

  private static void feed(Engine engine, int from, int to) {
    List<Line> lines = Streams.record(SHAPE, to, new Random(1));
    for (Line line : lines.subList(from, to)) {
      engine.accept(Line.history(List.of(line), Streams.nothing()));
      engine.round();
    }
  }

  private static final Streams.Shape SHAPE =
      new Streams.Shape(
          Streams.Store.SERIAL,
          List.of(OpKind.Type.REGISTER),
          3,
          3,
          5,
          0,
          false,
          Streams.Clock.FINE,
          0,
          false);

  private void savedAt(int transactions) {
    Engine engine = new Engine(options(), 0.5);
    feed(engine, 0, transactions);
    engine.save(NOTE);
    engine.close();
  }

  @Test
  void whatHappensAfterSavingDoesNotHarmTheState() throws IOException {
    Engine engine = new Engine(options(), 0.5);
    feed(engine, 0, 100);
    engine.save(NOTE);
    feed(engine, 100, 200);
    // A crash: nothing is closed, and the next state is there in part.
    Path copy = folder.resolve("copy");
    Files.createDirectory(copy);
    for (String name : files(folder.resolve("state"))) {
      Files.copy(folder.resolve("state").resolve(name), copy.resolve(name));
    }
    engine.close();
    Files.writeString(copy.resolve("state.tmp"), "half of a sta");
    Engine second = new Engine(options().state(copy), 0.5);
    assertThat(second.standing().accepted()).isEqualTo(100);
    assertThat(files(copy)).doesNotContain("state.tmp");
    feed(second, 100, 300);
    assertThat(second.finish().holds(Level.STRICT_SERIALIZABLE)).isTrue();
    second.close();
  }

  @Test
  void filesThatNoStateNeedsAreDeleted() throws IOException {
    Engine engine = new Engine(options(), 0.5);
    feed(engine, 0, 100);
    engine.save(NOTE);
    feed(engine, 100, 200);
    engine.close();
    List<String> left = files(folder.resolve("state"));
    Engine again = new Engine(options(), 0.5);
    again.close();
    assertThat(files(folder.resolve("state"))).isEqualTo(left);
  }

  private void refuses(MonitorOptions options, String why) {
    assertThatThrownBy(() -> new Engine(options, 0.5))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot use the state in " + options.state() + ": " + why);
  }

  @Test
  void aStateThatCannotBeUsedIsRefused() throws IOException {
    savedAt(50);
    Path state = folder.resolve("state/state");
    byte[] good = Files.readAllBytes(state);
    MonitorOptions other = MonitorOptions.of(Set.of(Level.SERIALIZABLE)).state(options().state());
    refuses(other, "it is about other levels than those asked for");
    byte[] damaged = good.clone();
    damaged[good.length / 2] ^= 1;
    Files.write(state, damaged);
    refuses(options(), "its file state is damaged");
    Files.write(state, Arrays.copyOf(good, 20));
    refuses(options(), "its file state is damaged");
    byte[] newer = good.clone();
    newer[15] = 99;
    Files.write(state, newer);
    refuses(options(), "it has a state of version 99, and this version of Assay reads version 3");
    Files.writeString(state, "something else");
    refuses(options(), "its file state is not the state of a monitor");
    Files.write(state, good);
    for (String name : files(folder.resolve("state"))) {
      if (name.startsWith("windows")) {
        Files.delete(folder.resolve("state").resolve(name));
      }
    }
    refuses(options(), "the file windows-");
  }

  @Test
  void aFolderOfOtherFilesIsRefused() throws IOException {
    Path mine = Files.createDirectories(folder.resolve("mine"));
    Files.writeString(mine.resolve("thesis.txt"), "words");
    refuses(options().state(mine), "it holds no state, but other files such as thesis.txt");
    refuses(options().state(mine.resolve("thesis.txt")), "it is a file, not a folder");
  }

  @Test
  void aStateIsUsedByOneMonitorAtATime() {
    Engine engine = new Engine(options(), 0.5);
    refuses(options(), "another monitor uses it");
    engine.close();
    new Engine(options(), 0.5).close();
  }

  @Test
  void aMonitorSavesWhatItAccepted() {
    List<Line> lines = Streams.record(SHAPE, 400, new Random(1));
    for (int from = 0; from < lines.size(); from += 100) {
      try (Monitor monitor = Monitor.open(options())) {
        assertThat(monitor.soFar().accepted()).isEqualTo(from);
        assertThat(monitor.note()).isEqualTo(from == 0 ? null : new byte[] {(byte) (from / 100)});
        for (Line line : lines.subList(from, from + 100)) {
          monitor.accept(Line.history(List.of(line), Streams.nothing()));
        }
        monitor.save(new byte[] {(byte) (from / 100 + 1)});
        assertThat(monitor.finish().holds(Level.STRICT_SERIALIZABLE)).isTrue();
      }
    }
  }
}
