package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Windows of every size give the verdicts and the anomalies of the whole history. */
class EngineAgainstWholeTest {
  private static final int HISTORIES = Integer.getInteger("assay.windows", 60);
  private static final int FIRST = Integer.getInteger("assay.windows.first", 0);

  /** Bytes of past windows in memory: all, none, those of the last few. */
  private static final long[] MEMORY = {1 << 30, 0, 3_000};

  private static final boolean VERBOSE = Boolean.getBoolean("assay.windows.verbose");

  @Test
  void registers() {
    compare("registers");
  }

  @Test
  void lists() {
    compare("lists");
  }

  @Test
  void sets() {
    compare("sets");
  }

  @Test
  void aReadThatDisagreesWithAForgottenOne() throws Exception {
    agrees(
        """
        {"assay":1}
        {"session":"a","ops":[["append","x",1]]}
        {"session":"b","ops":[["append","x",2]]}
        {"session":"b","ops":[["r","x",[2]]]}
        {"session":"o","ops":[["r","y",[]]]}
        {"session":"p","ops":[["r","y",[]]]}
        {"session":"o","ops":[["r","y",[]]]}
        {"session":"p","ops":[["r","y",[]]]}
        {"session":"c","ops":[["r","x",[1,2]]]}
        """);
  }

  @Test
  void aValueThatIsWrittenAgainMuchLater() throws Exception {
    agrees(
        """
        {"assay":1}
        {"session":1,"start":360,"end":370,"ops":[["r",0,2],["w",0,2]]}
        {"session":1,"start":396,"end":420,"ops":[["w",0,2]]}
        """);
  }

  @Test
  void elementsThatAreAppendedTwiceAndReadBefore() throws Exception {
    agrees(
        """
        {"assay":1}
        {"session":1,"start":376,"end":380,"ops":[["r",0,[2,2]]]}
        {"session":3,"start":390,"end":391,"ops":[["r",1,[]]]}
        {"session":2,"start":422,"end":430,"ops":[["append",0,2],["append",0,2]]}
        """);
  }

  /** Only the last read shows that the unknown transaction committed. */
  @Test
  void anUnknownOutcomeThatALaterReadShows() throws Exception {
    agrees(
        """
        {"assay":1}
        {"session":1,"start":3,"end":3,"ops":[["add","k1",2]]}
        {"session":1,"start":1,"end":5,"ops":[["add","k1",4]]}
        {"session":2,"outcome":"indeterminate","start":4,"end":8,\
        "ops":[["add","k2",5],["add","k1",6]]}
        {"session":0,"start":15,"end":16,"ops":[["add","k1",12]]}
        {"session":2,"start":10,"end":17,"ops":[["rs","k1",[2,4,12]]]}
        {"session":1,"start":20,"end":25,"ops":[["rs","k2",[5]]]}
        """);
  }

  /** The same transaction also read the key without a result. */
  @Test
  void anAnomalyBesideAReadWithoutAResult() throws Exception {
    agrees(
        """
        {"assay":1}
        {"session":1,"start":1,"end":2,"ops":[["w","x",1]]}
        {"session":2,"start":3,"end":9,"ops":[["r","x"],["r","x",1],["r","x",2]]}
        {"session":1,"start":4,"end":5,"ops":[["w","x",2]]}
        """);
  }

  private static void agrees(String text) throws Exception {
    Path file = Files.createTempFile("history", ".jsonl");
    History history;
    try {
      Files.writeString(file, text);
      history = Assay.read(file);
    } finally {
      Files.delete(file);
    }
    Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
    for (double lag : new double[] {0, 0.5, 1}) {
      Engine engine = new Engine(MonitorOptions.of(Level.surveyed()).lateness(Duration.ZERO), lag);
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        engine.accept(part(history, txn, txn + 1));
        engine.round();
      }
      Report windows = engine.finish();
      for (Level level : Level.surveyed()) {
        if (windows.verdict(level) instanceof Verdict.Unknown open
            && open.reason() == Verdict.Reason.AMBIGUOUS) {
          continue;
        }
        assertThat(windows.verdict(level).id())
            .as(level + ", lag " + lag)
            .isEqualTo(whole.verdict(level).id());
      }
      if (windows.verdicts().values().stream().noneMatch(Verdict.Unknown.class::isInstance)) {
        assertThat(types(windows)).as("lag " + lag).isEqualTo(types(whole));
      }
    }
  }

  private static void compare(String type) {
    Map<String, Integer> tally = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    for (int seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      Random random = new Random(seed);
      History history = RandomHistory.of(type, random);
      Report whole = Assay.check(history, Level.surveyed(), Budget.unlimited());
      int step = 1 + random.nextInt(6);
      double lag = random.nextInt(3) / 2.0;
      if (VERBOSE) {
        print(history);
      }
      MonitorOptions options =
          MonitorOptions.of(Level.surveyed()).lateness(Duration.ZERO).memory(MEMORY[seed % 3]);
      Engine engine = new Engine(options, lag);
      Report windows;
      try {
        for (int from = 0; from < history.transactionCount(); from += step) {
          engine.accept(part(history, from, Math.min(history.transactionCount(), from + step)));
          engine.round();
        }
        tally.merge(engine.standing().judged() > 0 ? "cut" : "not cut", 1, Integer::sum);
        windows = engine.finish();
        engine.close();
      } catch (RuntimeException e) {
        if (VERBOSE) {
          e.printStackTrace();
        }
        wrong.add(seed + ": " + e);
        continue;
      }
      for (Level level : Level.surveyed()) {
        Verdict expected = whole.verdict(level);
        Verdict actual = windows.verdict(level);
        if (!expected.id().equals(actual.id())) {
          tally.merge(expected.id() + " -> " + actual.id(), 1, Integer::sum);
          wrong.add(seed + ": " + level + " is " + expected.id() + ", not " + actual.id());
          break;
        }
      }
      if (!types(whole).equals(types(windows))) {
        wrong.add(seed + ": " + types(whole) + ", not " + types(windows));
      }
      tally.merge("violated " + whole.weakestViolated().isEmpty(), 1, Integer::sum);
    }
    System.out.println(type + " " + tally);
    assertThat(wrong).isEmpty();
  }

  /** What was announced is shown in the end, too, also where judging ended at once. */
  @Test
  void whatIsViolatedIsShownThoughJudgingEnds() {
    int ended = 0;
    for (String type : List.of("registers", "lists", "sets")) {
      for (int seed = 0; seed < 400; seed++) {
        History history = RandomHistory.of(type, new Random(seed));
        Engine[] engine = new Engine[1];
        MonitorOptions options =
            MonitorOptions.of(Level.surveyed())
                .lateness(Duration.ZERO)
                .listener(violation -> engine[0].abandon());
        engine[0] = new Engine(options, 0.5);
        for (int txn = 0; txn < history.transactionCount(); txn++) {
          engine[0].accept(part(history, txn, txn + 1));
          engine[0].round();
        }
        Report report = engine[0].finish();
        engine[0].close();
        for (Level level : Level.surveyed()) {
          if (report.violated(level)) {
            ended++;
            assertThat(report.anomalies())
                .as(type + " " + seed + ", " + level)
                .anyMatch(anomaly -> anomaly.violates().stream().anyMatch(level::implies));
          }
        }
      }
    }
    assertThat(ended).isPositive();
  }

  private static void print(History h) {
    for (int t = 0; t < h.transactionCount(); t++) {
      StringBuilder b =
          new StringBuilder(h.label(t) + " " + h.outcome(t) + " " + h.start(t) + "-" + h.end(t));
      for (int o = h.firstOp(t); o < h.endOp(t); o++) {
        b.append("; " + h.text(o));
      }
      System.out.println(b);
    }
  }

  private static Set<AnomalyType> types(Report report) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    report.anomalies().stream().map(Anomaly::type).forEach(types::add);
    return types;
  }

  private static History part(History whole, int from, int to) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(whole);
    OperationCopy copy = new OperationCopy(whole, builder);
    for (int txn = from; txn < to; txn++) {
      int added = copy.begin(txn);
      if (whole.ownId(txn) != null) {
        builder.id(added, builder.scalars().of(whole.ownId(txn)));
      }
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        copy.add(op);
      }
    }
    return builder.build();
  }

  /** Histories of a store that sometimes forgets itself. */
  private static final class RandomHistory {
    private final Random random;
    private final HistoryBuilder builder = new HistoryBuilder();
    private final String type;
    private final List<List<List<Object>>> versions = new ArrayList<>();
    private final List<List<Object>> aborted = new ArrayList<>();
    private final double staleness;
    private long clock;
    private long value;

    private RandomHistory(String type, Random random) {
      this.type = type;
      this.random = random;
      this.staleness = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.15;
    }

    static History of(String type, Random random) {
      RandomHistory history = new RandomHistory(type, random);
      int keys = 1 + random.nextInt(4);
      for (int key = 0; key < keys; key++) {
        history.versions.add(new ArrayList<>(List.of(List.of())));
        history.aborted.add(new ArrayList<>());
      }
      int sessions = 1 + random.nextInt(4);
      int transactions = 4 + random.nextInt(26);
      for (int i = 0; i < transactions; i++) {
        history.transaction(random.nextInt(sessions));
      }
      return history.builder.build();
    }

    private void transaction(int session) {
      int dice = random.nextInt(30);
      Outcome outcome =
          dice == 0 ? Outcome.ABORTED : dice == 1 ? Outcome.INDETERMINATE : Outcome.COMMITTED;
      int txn = builder.begin(builder.session(session), outcome);
      clock += 1 + random.nextInt(3);
      builder.start(txn, clock - random.nextInt(8));
      builder.end(txn, clock);
      int operations = 1 + random.nextInt(4);
      List<Runnable> effects = new ArrayList<>();
      List<List<Object>> own = new ArrayList<>();
      versions.forEach(versionsOfKey -> own.add(null));
      for (int i = 0; i < operations; i++) {
        int key = random.nextInt(versions.size());
        List<List<Object>> all = versions.get(key);
        List<Object> seen = own.get(key) != null ? own.get(key) : all.get(all.size() - 1);
        if (random.nextDouble() < staleness) {
          seen = all.get(random.nextInt(all.size()));
        }
        if (random.nextBoolean()) {
          read(key, seen);
        } else {
          long next = ++value;
          List<Object> made = new ArrayList<>(seen);
          made.add(next);
          write(key, next);
          own.set(key, made);
          boolean applies = outcome == Outcome.COMMITTED || random.nextInt(3) == 0;
          if (applies) {
            effects.removeIf(effect -> false);
            effects.add(() -> all.add(made));
          }
        }
      }
      effects.forEach(Runnable::run);
    }

    private void read(int key, List<Object> seen) {
      switch (type) {
        case "registers" ->
            builder.read("k" + key, seen.isEmpty() ? null : seen.get(seen.size() - 1));
        case "lists" -> builder.readList("k" + key, seen);
        default -> builder.readSet("k" + key, seen);
      }
    }

    private void write(int key, long next) {
      switch (type) {
        case "registers" -> builder.write("k" + key, next);
        case "lists" -> builder.append("k" + key, next);
        default -> builder.add("k" + key, next);
      }
    }
  }
}
