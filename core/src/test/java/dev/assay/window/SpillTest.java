package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Keyword;
import dev.assay.history.OpKind;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.level.Level;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a monitor has on disk: past windows, and what is known of keys. */
class SpillTest {
  @TempDir private Path folder;

  private MonitorOptions options(long memory) {
    return MonitorOptions.of(Level.surveyed())
        .lateness(Duration.ZERO)
        .memory(memory)
        .folder(folder);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  // ---- verdicts

  @Test
  void anomaliesWithTransactionsOnDiskAreFound() throws IOException {
    List<String> onDisk = new ArrayList<>();
    for (String name : FarApart.names()) {
      List<Line> lines = FarApart.lines(name, 60, true);
      History history = Line.history(lines, Streams.nothing());
      Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
      Engine engine = new Engine(options(0), 1);
      for (int from = 0; from < lines.size(); from += 7) {
        List<Line> block = lines.subList(from, Math.min(lines.size(), from + 7));
        engine.accept(Line.history(block, Streams.nothing()));
        engine.round();
      }
      assertThat(engine.context.past.inMemory()).as(name).isZero();
      if (!files().isEmpty()) {
        onDisk.add(name);
      }
      Report windows = engine.finish();
      for (Level level : Level.surveyed()) {
        assertThat(windows.verdict(level).id())
            .as("%s of %s", level, name)
            .isEqualTo(whole.verdict(level).id());
      }
      engine.close();
    }
    // Where a value is read before it is written, everything waits for its writer.
    assertThat(onDisk).contains("a stale read").hasSizeGreaterThan(FarApart.names().size() / 2);
    assertThat(folder).isEmptyDirectory();
  }

  // ---- memory

  /** Appends to a few lists at a time, each of which is read and then never used again. */
  private static History rotating(int block, int perBlock) {
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < perBlock; i++) {
      int number = block * perBlock + i;
      int txn = builder.begin(builder.session(number % 3), Outcome.COMMITTED);
      builder.start(txn, 10L * number);
      builder.end(txn, 10L * number + 5);
      int list = number / 10;
      List<Object> elements = new ArrayList<>();
      for (int element = 10 * list; element < number; element++) {
        elements.add(7L * element);
      }
      builder.readList("list " + list, elements);
      builder.append("list " + list, 7L * number);
    }
    return builder.build();
  }

  @Test
  void memoryIsBoundedWhereKeysAreUsedOneAfterTheOther() {
    long memory = 40_000;
    Engine engine = new Engine(options(memory), 1);
    int keys = 0;
    int windows = 0;
    for (int block = 0; block < 300; block++) {
      engine.accept(rotating(block, 10));
      engine.round();
      keys = Math.max(keys, engine.context.keys.inMemory());
      windows = Math.max(windows, engine.context.past.inMemory());
      assertThat(engine.context.keys.bytes()).isLessThan(2 * memory);
    }
    assertThat(engine.context.past.size()).isGreaterThan(200);
    assertThat(windows).isLessThan(60);
    // Those of the last windows, and as many as the memory holds.
    assertThat(keys).isLessThan(60);
    assertThat(engine.finish().holds(Level.STRICT_SERIALIZABLE)).isTrue();
    engine.close();
  }

  @Test
  void filesHoldTheLastContentsOfKeysOnly() throws IOException {
    Scratch scratch = new Scratch(folder);
    KeyStore keys = new KeyStore(new RawScalars(), scratch, 0, Long.MAX_VALUE);
    for (int round = 0; round < 2_000; round++) {
      for (String name : List.of("a", "b")) {
        KeyState key = keys.of(name, null);
        if (round % 50 == 0) {
          key.append(round);
        }
        key.addWritten(round);
      }
      keys.windowClosed(() -> Long.MAX_VALUE);
    }
    assertThat(keys.inMemory()).isZero();
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    assertThat(bytes).isLessThan(200_000);
    KeyState key = keys.get("a");
    assertThat(key.size()).isEqualTo(40);
    assertThat(key.elements()[39]).isEqualTo(1950);
    assertThat(key.wrote(1_999)).isTrue();
    assertThat(key.wrote(2_000)).isFalse();
    scratch.close();
    assertThat(folder).isEmptyDirectory();
  }

  // ---- files

  @Test
  void nothingIsWrittenWhereEverythingFitsIntoMemory() throws IOException {
    try (Monitor monitor = Monitor.open(options(1 << 30))) {
      monitor.accept(rotating(0, 50));
      monitor.finish();
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void aMonitorRemovesItsFiles() throws IOException {
    for (boolean finishes : new boolean[] {true, false}) {
      try (Monitor monitor = Monitor.open(options(0))) {
        for (int block = 0; block < 5; block++) {
          monitor.accept(rotating(block, 50));
        }
        if (finishes) {
          monitor.finish();
          assertThat(folder).isEmptyDirectory();
        }
      }
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void aFolderThatCannotBeUsedIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    try (Monitor monitor = Monitor.open(options(0).folder(file))) {
      monitor.accept(rotating(0, 50));
      assertThatThrownBy(monitor::finish)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot keep past transactions in " + file);
    }
  }

  // ---- what comes back

  /** Transactions with everything that the engine may ask for. */
  private static History everything() {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(Origin.MEMORY);
    List<Object> names =
        List.of(
            "a",
            7L,
            true,
            new Keyword("k"),
            1.5,
            new BigInteger("1" + "0".repeat(30)),
            new BigDecimal("1.50"),
            List.of(1L, 2L),
            List.of("x", List.of(1L)));
    for (int i = 0; i < names.size(); i++) {
      Object name = names.get(i);
      int txn = builder.begin(builder.session(name), Outcome.values()[i % 3]);
      builder.start(txn, 10L * i);
      if (i != 4) {
        builder.end(txn, 10L * i + 15);
      }
      builder.shownStart(txn, 10L * i + 1);
      builder.position(txn, i == 5 ? History.ABSENT : 1000 - i);
      builder.file(txn, i % 2);
      if (i % 2 == 0) {
        builder.id(txn, builder.scalars().of(name));
      }
      if (i == 3) {
        builder.error(txn, "it was refused");
      }
      builder.write(List.of("r", name), name);
      builder.append(List.of("l", name), name);
      builder.readList(List.of("l", name), List.of(name, "z", 3L));
      builder.readSet("s", List.of(3L, 4L));
      builder.op(OpKind.READ, builder.scalars().of("r"), RawScalars.UNKNOWN);
      builder.read("r", null);
    }
    builder.begin(builder.session("empty"), Outcome.COMMITTED);
    return builder.build();
  }

  private static String text(Arrived arrived) {
    History history = arrived.history();
    int txn = arrived.txn;
    StringBuilder text = new StringBuilder();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      KeyState key = arrived.block.keys[history.key(op)];
      text.append(history.operation(op)).append(" of key ").append(key.name).append("; ");
    }
    return "%s %s %s %s %s %s: %s %s %s %s %s at %s in %s, %s"
        .formatted(
            arrived.time,
            arrived.number,
            arrived.place,
            arrived.id(),
            history.ownId(txn),
            history.sessionName(history.session(txn)),
            arrived.outcome(),
            history.start(txn),
            history.end(txn),
            history.shownStart(txn),
            history.error(txn),
            history.position(txn),
            history.file(txn),
            text);
  }

  @Test
  void transactionsAndStatesComeBackAsTheyWere() {
    Context context = new Context(options(0));
    Block block = context.block(everything());
    List<Arrived> transactions = new ArrayList<>();
    for (int txn = 0; txn < block.history.transactionCount(); txn++) {
      transactions.add(new Arrived(block, txn, 100 + txn, 1_000 - txn, 3 * txn));
    }
    KeyState register = context.keys.get("r");
    KeyState list = context.keys.get("s");
    List<KeyState.Writer> writers = new ArrayList<>();
    for (Arrived arrived : transactions) {
      Object session = arrived.history().sessionName(arrived.history().session(arrived.txn));
      KeyState.Writer writer =
          new KeyState.Writer(
              session, arrived.id(), arrived.number, true, 1, 2, 3, 4, new HashMap<>());
      writer.places().put(register.key, 5);
      writers.add(writer);
      // A window of one transaction each, all of which change the same keys.
      Past.Closing closing = context.past.new Closing(List.of(arrived));
      closing.change(register);
      closing.change(list);
      register.firstWindow = Math.max(0, register.firstWindow);
      closing.write(register, arrived.txn);
      register.set(arrived.txn, writer);
      list.append(2L * arrived.txn);
      closing.close();
      assertThat(context.keys.inMemory()).isZero();
    }
    assertThat(context.past.windowOf(register, 3)).isEqualTo(3);
    assertThat(context.past.windowOf(register, -3)).isEqualTo(-1);
    assertThat(context.past.windowSince(35)).isEqualTo(4);
    assertThat(context.past.windowSince(10_000)).isEqualTo(-1);

    List<Arrived> back = context.past.reopen(6);
    assertThat(back.stream().map(SpillTest::text))
        .containsExactlyElementsOf(
            transactions.subList(6, transactions.size()).stream().map(SpillTest::text).toList());
    assertThat(context.past.size()).isEqualTo(6);
    assertThat(register.value()).isEqualTo(5);
    assertThat(register.writer()).isEqualTo(writers.get(5));
    assertThat(register.firstWindow).isZero();
    assertThat(list.size()).isEqualTo(6);
    assertThat(list.elements()[5]).isEqualTo(10);

    assertThat(context.past.reopen(0).stream().map(SpillTest::text))
        .containsExactlyElementsOf(
            transactions.subList(0, 6).stream().map(SpillTest::text).toList());
    assertThat(context.past.isEmpty()).isTrue();
    assertThat(register.writer()).isNull();
    assertThat(register.firstWindow).isEqualTo(-1);
    assertThat(list.size()).isZero();
    context.close();
  }
}
