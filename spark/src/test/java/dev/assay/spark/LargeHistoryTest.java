package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.Formats;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.spark.input.Source;
import dev.assay.spark.input.Split;
import dev.assay.spark.input.Splitting;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.util.Utils$;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One history, divided among executors that are processes of their own. */
class LargeHistoryTest {
  private static final Set<Level> LEVELS = EnumSet.copyOf(Level.surveyed());

  private static JavaSparkContext context;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    LocalCluster.prepare();
    context = new JavaSparkContext(OnSpark.conf(LocalCluster.MASTER));
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private Path write(String name, History history) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      Formats.byId("assay-jsonl").orElseThrow().write(history, out);
    }
    return file;
  }

  private static LargeHistory large(Path file, int window, int partitions) throws IOException {
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    return new LargeHistory(context, source(file), request, sizes(window, partitions));
  }

  private static Source source(Path file) throws IOException {
    return new Source(file.toString(), file.toUri().toString(), Files.size(file), true, false);
  }

  private static LargeHistory.Sizes sizes(int window, int partitions) {
    return new LargeHistory.Sizes(window, 10_000, 100_000, partitions, Long.MAX_VALUE, 1 << 20);
  }

  private static Set<String> types(Report report) {
    return report.anomalies().stream().map(a -> a.type().id()).collect(Collectors.toSet());
  }

  private Report compare(Path file, History history, int window, int partitions) throws Exception {
    Report whole = Assay.check(history, LEVELS, Budget.unlimited());
    LargeHistory large = large(file, window, partitions);
    CheckResult result = large.check().orElseThrow();
    assertThat(large.windows()).as(partitions + " partitions: windows").isGreaterThan(1);
    for (Level level : LEVELS) {
      Verdict own = result.report().verdict(level);
      assertThat(own.id())
          .as(partitions + " partitions: " + level + " " + own.why())
          .isEqualTo(whole.verdict(level).id());
    }
    assertThat(types(result.report()))
        .as(partitions + " partitions: types")
        .isEqualTo(types(whole));
    assertThat(result.totals().transactions()).isEqualTo(history.transactionCount());
    assertThat(result.totals().operations()).isEqualTo(history.operationCount());
    assertThat(result.totals().keys()).isEqualTo(history.keys().count());
    assertThat(result.totals().sessions()).isEqualTo(history.sessionCount());
    return result.report();
  }

  /**
   * Transactions one after another, but for two that each miss what the other wrote.
   *
   * @param blind whether they write without having read, so that only all transactions before them
   *     show the order of what they wrote
   */
  static History planted(int size, int skewAt, boolean blind) {
    HistoryBuilder builder = new HistoryBuilder();
    long[] last = new long[20];
    long clock = 0;
    for (int i = 0; i < size; i++) {
      int key = i * 7 % last.length;
      int txn = builder.begin(builder.session("s" + i % 5), Outcome.COMMITTED);
      builder.start(txn, ++clock);
      builder.read("k" + key, last[key] == 0 ? null : last[key]);
      last[key] = i + 1;
      builder.write("k" + key, last[key]);
      builder.end(txn, ++clock);
      if (i == skewAt) {
        clock += 10;
        for (int side = 0; side < 2; side++) {
          int own = builder.begin(builder.session("skew" + side), Outcome.COMMITTED);
          builder.start(own, clock - 5 + side);
          builder.read("k" + side, last[side]);
          if (!blind) {
            builder.read("k" + (1 - side), last[1 - side]);
          }
          builder.write("k" + (1 - side), (long) size + 1 + side);
          builder.end(own, clock - 2 + side);
        }
        last[1] = size + 1;
        last[0] = size + 2;
      }
    }
    return builder.build();
  }

  @Test
  void aViolationAcrossTheBordersOfPartitionsIsFound() throws Exception {
    History history = planted(800, 400, false);
    Path file = write("planted.jsonl", history);
    Report whole = Assay.check(history, LEVELS, Budget.unlimited());
    assertThat(whole.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(whole.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    for (int partitions : new int[] {1, 2, 7, 64}) {
      Report found = compare(file, history, 50, partitions);
      assertThat(types(found)).isEqualTo(types(whole));
      Anomaly anomaly = found.anomalies().get(0);
      assertThat(anomaly.count()).isEqualTo(1);
      // Named and placed as in the whole file, wherever its split begins.
      assertThat(names(found.history())).contains("skew0/#1", "skew1/#1");
      assertThat(places(found.history())).contains(403L, 404L);
    }
  }

  @Test
  void windowsThatDecideNothingAreJoined() throws Exception {
    History history = planted(200, 150, true);
    Path file = write("blind.jsonl", history);
    LargeHistory large = large(file, 5, 2);
    Report found = large.check().orElseThrow().report();
    assertThat(found.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(found.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void aLostShuffleFileChangesNothing() throws Exception {
    History history = planted(800, 400, false);
    Path file = write("lost.jsonl", history);
    AtomicInteger lost = new AtomicInteger();
    SparkListener loses =
        new SparkListener() {
          @Override
          public void onStageCompleted(SparkListenerStageCompleted event) {
            if (event.stageInfo().shuffleDepId().isDefined() && lost.get() == 0) {
              lost.addAndGet(deleteShuffleFiles());
            }
          }
        };
    context.sc().addSparkListener(loses);
    try {
      // Listeners are told a little later, which may be too late for a short job.
      for (int attempt = 0; attempt < 20 && lost.get() == 0; attempt++) {
        compare(file, history, 50, 3);
      }
    } finally {
      context.sc().removeSparkListener(loses);
    }
    assertThat(lost.get()).isPositive();
  }

  /** Spark keeps the folders of its first context, so that they are asked for. */
  private static int deleteShuffleFiles() {
    int deleted = 0;
    for (String folder : Utils$.MODULE$.getOrCreateLocalRootDirs(context.getConf())) {
      deleted += deleteShuffleFiles(new File(folder));
    }
    return deleted;
  }

  /** Deletes those below a folder, from which Spark may delete others meanwhile. */
  private static int deleteShuffleFiles(File file) {
    File[] inside = file.listFiles();
    if (inside == null) {
      return file.getName().endsWith(".data") && file.delete() ? 1 : 0;
    }
    int deleted = 0;
    for (File one : inside) {
      deleted += deleteShuffleFiles(one);
    }
    return deleted;
  }

  @Test
  void timeThatRunsOutEndsInUnknown() throws Exception {
    Path file = write("late.jsonl", planted(300, 100, false));
    RunConfig config = RunConfig.empty(Use.RUN).with(Parameters.TIMEOUT, "1ms");
    CheckResult result =
        new LargeHistory(context, source(file), CheckRequest.of(config), sizes(50, 4))
            .check()
            .orElseThrow();
    assertThat(result.unknown()).isTrue();
    assertThat(result.report().verdict(Level.SERIALIZABLE).why()).contains("time");
  }

  private static Set<String> names(History history) {
    return IntStream.range(0, history.transactionCount())
        .mapToObj(history::label)
        .collect(Collectors.toSet());
  }

  private static Set<Long> places(History history) {
    return IntStream.range(0, history.transactionCount())
        .mapToObj(history::position)
        .collect(Collectors.toSet());
  }

  @Test
  void randomHistoriesHaveTheVerdictsOfTheWhole() throws Exception {
    for (int seed = 1; seed <= 2; seed++) {
      History history = RandomHistories.of(150, new Random(seed));
      compare(write(seed + ".jsonl", history), history, 10, seed == 1 ? 2 : 7);
    }
  }

  @Test
  void whatOneTaskMustReadIsReadAsAStream() throws Exception {
    History history = planted(300, 100, false);
    Path packed = folder.resolve("h.jsonl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Formats.byId("assay-jsonl").orElseThrow().write(history, out);
    }
    compare(packed, history, 50, 3);
  }

  @Test
  void binaryBlocksAndRowGroupsAreReadApart() throws Exception {
    History history = planted(34_000, 20_000, false);
    for (String format : List.of("assay", "parquet")) {
      Path file = folder.resolve("large." + format);
      try (OutputStream out = Files.newOutputStream(file)) {
        Formats.byId(format).orElseThrow().write(history, out);
      }
      List<Split> splits =
          new Splitting(
                  source(file),
                  context.hadoopConfiguration(),
                  sizes(5_000, 7).splitOf(Files.size(file)))
              .of(Formats.byId(format).orElseThrow());
      assertThat(splits).as(format).hasSizeGreaterThan(format.equals("assay") ? 1 : 0);
      Report found = compare(file, history, 5_000, 7);
      assertThat(names(found.history())).contains("skew0/#1", "skew1/#1");
      assertThat(found.history().origin().format()).isEqualTo(format);
    }
  }

  @Test
  void listsInBinaryBlocksAreReadFromTheBeginning() throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    List<Long> elements = new ArrayList<>();
    for (int i = 0; i < 17_000; i++) {
      int txn = builder.begin(builder.session(i % 3), Outcome.COMMITTED);
      builder.start(txn, i * 2L);
      builder.end(txn, i * 2L + 1);
      if (i % 100 == 0) {
        elements = new ArrayList<>();
      }
      builder.append("l" + i / 100, i);
      elements.add((long) i);
      builder.readList("l" + i / 100, elements);
      builder.write("x" + i % 5, i);
      builder.read("x" + i % 5, i);
    }
    History history = builder.build();
    Path file = folder.resolve("lists.assay");
    try (OutputStream out = Files.newOutputStream(file)) {
      Formats.byId("assay").orElseThrow().write(history, out);
    }
    compare(file, history, 5_000, 5);
  }

  @Test
  void aMistakeInALaterSplitIsPlacedInTheWholeFile() throws Exception {
    Path file = write("broken.jsonl", planted(300, 100, false));
    String text = Files.readString(file);
    int line = text.split("\n").length - 3;
    String[] lines = text.split("\n");
    lines[line - 1] = "{\"session\":oops}";
    Files.writeString(file, String.join("\n", lines) + "\n");
    assertThatThrownBy(() -> large(file, 50, 4).check())
        .isInstanceOfSatisfying(ParseException.class, e -> assertThat(e.line()).isEqualTo(line));
  }
}
