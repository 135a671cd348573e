package dev.assay.collect.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Verdict;
import dev.assay.collect.Generator;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.format.binary.AssayBinaryParts;
import dev.assay.format.binary.AssayBinaryWriter;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import dev.assay.window.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Judging a recording while it is written. */
class LiveCheckTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final StreamedCheck.Clock CLOCK =
      new StreamedCheck.Clock() {
        @Override
        public long began() {
          return 0;
        }

        @Override
        public long elapsed() {
          return System.nanoTime();
        }
      };

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(
      value = StoreLevel.class,
      names = {"SERIALIZABLE", "SNAPSHOT_ISOLATION", "READ_ATOMIC", "READ_COMMITTED"})
  void theResultIsThatOfTheWholeRecording(StoreLevel store) throws Exception {
    for (WorkloadKind kind : WorkloadKind.simulated()) {
      if (kind == WorkloadKind.CAS || kind == WorkloadKind.VERSIONS) {
        // Version numbers, and conditions that failed where no serial order is found, are judged
        // when the run is over.
        continue;
      }
      WorkloadSpec spec =
          WorkloadSpec.builder()
              .kind(kind)
              .sessions(5)
              .transactionsPerSession(100)
              .operations(1, 4)
              .keys(10)
              .seed(store.ordinal())
              .build();
      History history = new Generator(spec, store).history();
      Path file = Files.createTempFile(folder, "h", ".assay");
      CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
      try (LiveCheck live = new LiveCheck(file, null, request, CLOCK, found -> {})) {
        record(history, file);
        CheckResult result = live.result(PATIENCE, false).orElseThrow();
        assertThat(live.failure()).isNull();
        assertThat(facts(result)).isEqualTo(facts(whole(request, file)));
        assertThat(result.live().moments().isEmpty())
            .isEqualTo(result.report().weakestViolated().isEmpty());
      }
    }
  }

  /** Nanoseconds between two events of a simulation. */
  private static final long TICK = 10_000_000;

  private static final Map<String, String> METADATA =
      Map.of("level", "serializable", "run.sessionsRun", "5");

  private static void record(History history, Path file) throws Exception {
    try (AssayBinaryWriter writer =
        new AssayBinaryWriter(Files.newOutputStream(file), false, METADATA)) {
      record(history, writer, () -> {});
    }
  }

  private interface Meanwhile {
    void happen() throws Exception;
  }

  /** Writes what clients would, with a flush now and then. */
  private static void record(History history, AssayBinaryWriter writer, Meanwhile afterFlush)
      throws Exception {
    AssayBinaryJournal[] journals = new AssayBinaryJournal[history.sessionCount()];
    for (int i = 0; i < journals.length; i++) {
      writer.session((long) i);
      journals[i] = writer.journal();
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      AssayBinaryJournal journal = journals[history.session(txn)];
      journal.begin(history.session(txn));
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        note(history, op, journal);
      }
      journal.times(history.start(txn) * TICK, history.end(txn) * TICK);
      journal.end(history.outcome(txn));
      if (txn % 100 == 0) {
        writer.flush();
        afterFlush.happen();
        Thread.sleep(1);
      }
    }
    writer.metadata("ended", "all transactions are done");
  }

  private static History generated(StoreLevel store, int each) {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .kind(WorkloadKind.LIST_APPEND)
            .sessions(5)
            .transactionsPerSession(each)
            .operations(1, 4)
            .keys(10)
            .build();
    return new Generator(spec, store).history();
  }

  @Test
  void aRunOfWhichOnlyTheEndIsKeptIsJudgedFromItsBeginning() throws Exception {
    History history = generated(StoreLevel.READ_COMMITTED, 2_000);
    Path file = folder.resolve("run.assay");
    CheckRequest request =
        CheckRequest.of(RunConfig.empty(Use.RUN).with(Parameters.LEVEL, "serializable"));
    AssayBinaryParts parts = new AssayBinaryParts(file, 300_000, METADATA);
    try (LiveCheck live = new LiveCheck(file, 1L << 30, request, CLOCK, found -> {})) {
      record(history, parts.writer(), () -> parts.turn(live.part()));
      parts.finish();
      CheckResult result = live.result(PATIENCE, false).orElseThrow();
      assertThat(live.part()).isGreaterThan(parts.last());
      parts.join();
      assertThat(parts.dropped()).isPositive();
      assertThat(result.totals().transactions()).isEqualTo(history.transactionCount());
      assertThat(result.violated()).isTrue();
      assertThat(result.notes()).noneMatch(note -> note.contains("not kept"));
      assertThat(live.kept()).isNotEmpty();
      assertThat(whole(request, live.kept().get(0)).violated()).isTrue();
      assertThat(whole(request, file).notes()).anyMatch(note -> note.contains("not kept"));
    }
  }

  @Test
  void aViolationIsAnnouncedWithItsTimeWhileTheRecordingGoesOn() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .kind(WorkloadKind.LIST_APPEND)
            .sessions(5)
            .transactionsPerSession(200)
            .operations(1, 4)
            .keys(10)
            .times(true)
            .build();
    History history = new Generator(spec, StoreLevel.SERIALIZABLE).plant("G2-item").history();
    Path file = Files.createFile(folder.resolve("run.assay"));
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    BlockingQueue<StreamedCheck.Found> announced = new LinkedBlockingQueue<>();
    try (LiveCheck live = new LiveCheck(file, null, request, CLOCK, announced::add);
        AssayBinaryWriter writer =
            new AssayBinaryWriter(Files.newOutputStream(file), false, METADATA)) {
      record(history, writer, () -> {});
      writer.flush();
      StreamedCheck.Found found = announced.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(found).isNotNull();
      assertThat(found.judged()).isTrue();
      assertThat(found.moment().levels()).contains(Level.SERIALIZABLE);
      assertThat(found.moment().nanos()).isBetween(0L, history.end(lastOf(history)) * TICK);
      assertThat(found.result().report().anomalies()).isNotEmpty();
      assertThat(live.soFar().orElseThrow().strongest()).doesNotContain(Level.SERIALIZABLE);
    }
  }

  private static int lastOf(History history) {
    return history.transactionCount() - 1;
  }

  /** The recording is there before judging begins, so that all of it is left at its end. */
  @Test
  void whatIsLeftAtTheEndIsJudgedInWindowsHoweverMuchItIs() throws Exception {
    Path file = Files.createFile(folder.resolve("run.assay"));
    record(generated(StoreLevel.READ_COMMITTED, 6_000), file);
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    try (LiveCheck live = new LiveCheck(file, null, request, CLOCK, found -> {})) {
      CheckResult result = live.result(PATIENCE, false).orElseThrow();
      assertThat(result.totals().transactions()).isEqualTo(30_000);
      assertThat(verdicts(result)).isEqualTo(verdicts(whole(request, file)));
      assertThat(live.soFar().orElseThrow().waiting()).isZero();
    }
  }

  /** What is kept of the recording may not show what was found before. */
  @Test
  void whatWasFoundStaysIfJudgingFails() throws Exception {
    Path file = folder.resolve("run.assay");
    CheckRequest request =
        CheckRequest.of(RunConfig.empty(Use.RUN).with(Parameters.LEVEL, "serializable"));
    AssayBinaryParts parts = new AssayBinaryParts(file, 300_000, METADATA);
    CountDownLatch called = new CountDownLatch(1);
    Consumer<StreamedCheck.Found> fails =
        found -> {
          called.countDown();
          throw new IllegalStateException("a defect");
        };
    try (LiveCheck live = new LiveCheck(file, 1L << 30, request, CLOCK, fails)) {
      record(generated(StoreLevel.READ_COMMITTED, 1_000), parts.writer(), () -> {});
      parts.writer().flush();
      assertThat(called.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      parts.finish();
      CheckResult result = live.result(PATIENCE, false).orElseThrow();
      parts.join();
      assertThat(live.failure()).hasMessage("a defect");
      assertThat(result.violated()).isTrue();
      assertThat(live.kept()).isNotEmpty();
    }
  }

  private static Map<Level, String> verdicts(CheckResult result) {
    Map<Level, String> verdicts = new EnumMap<>(Level.class);
    result.report().verdicts().forEach((level, verdict) -> verdicts.put(level, verdict.id()));
    return verdicts;
  }

  @Test
  void whenTimeIsUpLevelsAreUnknown() throws Exception {
    Path file = Files.createFile(folder.resolve("run.assay"));
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    try (LiveCheck live = new LiveCheck(file, null, request, CLOCK, found -> {});
        AssayBinaryWriter writer =
            new AssayBinaryWriter(Files.newOutputStream(file), false, METADATA)) {
      record(generated(StoreLevel.SERIALIZABLE, 100), writer, () -> {});
      writer.flush();
      CheckResult result = live.result(Duration.ZERO, false).orElseThrow();
      assertThat(result.report().verdicts().values())
          .isNotEmpty()
          .allMatch(
              verdict ->
                  verdict instanceof Verdict.Unknown unknown
                      && unknown.reason() == Verdict.Reason.TIMEOUT);
    }
  }

  @Test
  void whoDoesNotWaitGetsWhatIsKnownAndNoGuess() throws Exception {
    Path file = Files.createFile(folder.resolve("run.assay"));
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    try (LiveCheck live = new LiveCheck(file, null, request, CLOCK, found -> {});
        AssayBinaryWriter writer =
            new AssayBinaryWriter(Files.newOutputStream(file), false, METADATA)) {
      record(generated(StoreLevel.SERIALIZABLE, 100), writer, () -> {});
      writer.flush();
      while (live.soFar().map(Standing::accepted).orElse(0L) == 0) {
        Thread.sleep(10);
      }
      live.giveUp();
      CheckResult result = live.result(PATIENCE, false).orElseThrow();
      assertThat(result.report().verdicts().values())
          .isNotEmpty()
          .allMatch(verdict -> verdict instanceof Verdict.Unknown);
      assertThat(result.unknown()).isTrue();
    }
  }

  private static void note(History history, int op, AssayBinaryJournal journal) {
    long key = (Long) history.keys().get(history.key(op));
    if (history.kind(op) == OpKind.LIST_READ) {
      int list = history.value(op);
      long[] elements = new long[history.sequences().length(list)];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = (Long) history.values().get(history.sequences().element(list, i));
      }
      journal.readList(key, elements, 0, elements.length);
    } else {
      boolean initial = history.kind(op) == OpKind.READ && history.hasInitialValue(op);
      long value = initial ? RawScalars.NIL : (Long) history.values().get(history.value(op));
      journal.op(history.kind(op), key, value);
    }
  }

  private static CheckResult whole(CheckRequest request, Path file) throws ParseException {
    CheckService.Listener none =
        new CheckService.Listener() {
          @Override
          public void stage(String name) {}

          @Override
          public void read(History history, List<Level> judged) {}
        };
    return new CheckService(request, none).check(Input.of(file), request.budget(), false);
  }

  /** All that a report says but for witnesses, of which there are many, and times. */
  private static String facts(CheckResult result) throws IOException {
    StringBuilder json = new StringBuilder();
    new JsonRenderer("test", json).render(result);
    return json.toString()
        .replaceAll("\"anomalies\":\\[.*\"inferred", "\"inferred")
        .replaceAll("\"why\":\"[^\"]*\"", "")
        .replaceAll("\"timing\":.*", "");
  }

  @Test
  void whatWindowsCannotDecideIsLeftToTheWholeRecording() throws Exception {
    Path file = Files.createTempFile(folder, "h", ".assay");
    CheckRequest request =
        CheckRequest.of(RunConfig.empty(Use.RUN).with(Parameters.LEVEL, "serializable"));
    try (LiveCheck live = new LiveCheck(file, null, request, CLOCK, found -> {})) {
      Files.writeString(file, "this is not a recording");
      assertThat(live.result(PATIENCE, false)).isEmpty();
      assertThat(live.failure()).isInstanceOf(ParseException.class);
    }
  }

  @Test
  void totalsOfBlocksAreThoseOfTheWhole() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .kind(WorkloadKind.LIST_APPEND)
            .sessions(7)
            .transactionsPerSession(200)
            .keys(20)
            .build();
    History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
    Path file = Files.createTempFile(folder, "h", ".assay");
    record(history, file);
    History whole = Formats.read(Input.of(file));
    RunningTotals totals = new RunningTotals();
    totals.add(whole, null);
    CheckResult result = whole(CheckRequest.of(RunConfig.empty(Use.RUN)), file);
    assertThat(totals.totals()).isEqualTo(result.totals());
    assertThat(totals.conflicts()).isEqualTo(result.concurrentConflicts());
    assertThat(totals.orders()).isEqualTo(result.report().inferred());
  }
}
