package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Before;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories with transactions of unknown outcome, and orders and timestamps that name some of them:
 * these committed, and the verdict is the one that running the transactions that way gives. Orders
 * of versions and of commits are in {@link PartialOrdersAgainstOracleTest}.
 */
class UnknownOutcomesAgainstOracleTest {
  private final Map<String, Integer> count = new TreeMap<>();
  private final Disagreements names = new Disagreements();
  private Random random;

  /** What transactions that ran one after another, or committed before a snapshot, left. */
  private static final class Store {
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final Map<Integer, List<Integer>> sequences = new HashMap<>();

    /** Runs a transaction; whether it saw what it saw when it was recorded. */
    boolean run(Txn txn) {
      boolean agrees = true;
      for (Op op : txn.ops()) {
        List<Integer> elements = sequences.computeIfAbsent(op.key(), k -> new ArrayList<>());
        if (op instanceof Op.Read read) {
          agrees &= read.value() == numbers.getOrDefault(op.key(), 0);
        } else if (op instanceof Op.ListRead read) {
          agrees &= read.elements().equals(elements);
        } else if (op instanceof Op.SetRead read) {
          agrees &= read.elements().equals(elements.stream().sorted().distinct().toList());
        } else if (op instanceof Op.Write) {
          numbers.put(op.key(), op.written());
        } else if (op instanceof Op.Increment) {
          numbers.merge(op.key(), op.written(), Integer::sum);
        } else if (op.isWrite()) {
          elements.add(op.written());
        }
      }
      return agrees;
    }
  }

  @Test
  void whoIsNamedCommitted() {
    compareAll(25);
  }

  @Test
  @Tag("extended")
  void whoIsNamedCommittedInManyHistories() {
    compareAll(1_000);
  }

  private void compareAll(int rounds) {
    random = new Random(rounds);
    Shape shape = Shape.committed(4, 2, 3).withOutcomes();
    RandomHistories plain = new RandomHistories(shape, 91);
    RandomHistories timed = new RandomHistories(shape.withTimes(), 92);
    for (int i = 0; i < rounds; i++) {
      for (RandomHistories histories : List.of(plain, timed)) {
        for (SmallHistory small :
            List.of(
                histories.registers(),
                histories.registers(),
                histories.lists(),
                histories.sets(),
                histories.counters())) {
          compareOrder(small, i % 2 == 0);
          compareTimestamps(small);
        }
      }
    }
    names.assertNone();
    assertThat(count.keySet())
        .contains(
            "serial order explains",
            "serial order does not",
            "snapshots explain",
            "snapshots do not",
            "strong-snapshot-isolation holds",
            "strict-serializable holds",
            "strong-adya-read-committed violated");
  }

  // ---- serialization orders

  private void compareOrder(SmallHistory small, boolean inHistory) {
    List<Integer> order = someInOrder(small);
    if (order.isEmpty()) {
      return;
    }
    int[] given = order.stream().mapToInt(Integer::intValue).toArray();
    ObjIntConsumer<HistoryBuilder> places =
        (builder, txn) -> {
          // An aborted transaction may have a place that says nothing.
          boolean named = order.contains(txn) || small.txns().get(txn).outcome() == Outcome.ABORTED;
          if (inHistory && named) {
            builder.serialPosition(txn, order.indexOf(txn));
          }
        };
    SmallHistory told = small.committing(new HashSet<>(order));
    Given assumed =
        inHistory
            ? new Given(Set.of(Assumption.TRANSACTION_ORDER), VersionCertificate.NONE)
            : new Given(Set.of(), new VersionCertificate(List.of(), given));
    Report report = check(small, told, places, assumed);
    String about = order + " of\n" + small;
    Names.compare(report, names, about);
    List<Integer> counting = counting(told);
    holdOnlyWhatIsPossible(report, told, about);
    if (!order.containsAll(counting)) {
      return;
    }
    Store store = new Store();
    boolean explains =
        order.stream().map(t -> store.run(told.txns().get(t))).reduce(true, (a, b) -> a && b);
    count.merge("serial order " + (explains ? "explains" : "does not"), 1, Integer::sum);
    assertThat(report.verdict(Level.SERIALIZABLE).id())
        .as(about)
        .isEqualTo(explains ? "holds" : "violated");
    boolean sessions = explains && respects(told, order, false);
    if (sessions) {
      assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).as(about).isTrue();
    }
    if (sessions && told.hasTimes() && respects(told, order, true)) {
      assertThat(report.holds(Level.STRICT_SERIALIZABLE)).as(about).isTrue();
    }
  }

  /** Most of the transactions that may have committed, in some order. */
  private List<Integer> someInOrder(SmallHistory small) {
    List<Integer> some = new ArrayList<>();
    for (int txn = 0; txn < small.txns().size(); txn++) {
      Outcome outcome = small.txns().get(txn).outcome();
      boolean left = random.nextInt(outcome == Outcome.COMMITTED ? 20 : 3) == 0;
      if (outcome != Outcome.ABORTED && !left) {
        some.add(txn);
      }
    }
    if (random.nextBoolean()) {
      Collections.shuffle(some, random);
    }
    return some;
  }

  private static boolean respects(SmallHistory small, List<Integer> order, boolean realTime) {
    for (int i = 0; i < order.size(); i++) {
      for (int j = 0; j < i; j++) {
        Txn later = small.txns().get(order.get(i));
        Txn earlier = small.txns().get(order.get(j));
        boolean wrong =
            realTime
                ? later.end() < earlier.start()
                : later.session() == earlier.session() && order.get(i) < order.get(j);
        if (wrong) {
          return false;
        }
      }
    }
    return true;
  }

  // ---- timestamps

  private void compareTimestamps(SmallHistory small) {
    int size = small.txns().size();
    long[] commit = new long[size];
    long[] snapshot = new long[size];
    List<Integer> order =
        IntStream.range(0, size).boxed().collect(java.util.stream.Collectors.toList());
    if (random.nextInt(3) == 0) {
      Collections.shuffle(order, random);
    }
    Set<Integer> named = new HashSet<>();
    for (int txn = 0; txn < size; txn++) {
      commit[txn] = 10L * order.indexOf(txn) + 10;
      snapshot[txn] = Math.max(0, commit[txn] - 1 - random.nextInt(5) * random.nextInt(6));
      Outcome outcome = small.txns().get(txn).outcome();
      if (outcome == Outcome.INDETERMINATE && random.nextInt(3) == 0) {
        commit[txn] = History.ABSENT;
      } else {
        named.add(txn);
      }
    }
    ObjIntConsumer<HistoryBuilder> stamps =
        (builder, txn) -> {
          builder.snapshotTs(txn, snapshot[txn]);
          builder.commitTs(txn, commit[txn]);
        };
    SmallHistory told = small.committing(named);
    Given given = new Given(Set.of(Assumption.TIMESTAMPS), VersionCertificate.NONE);
    Report report = check(small, told, stamps, given);
    List<Integer> counting = counting(told);
    String about =
        "snapshots %s and commits %s of\n%s"
            .formatted(Arrays.toString(snapshot), Arrays.toString(commit), small);
    Names.compare(report, names, about);
    if (counting.stream().anyMatch(txn -> commit[txn] == History.ABSENT)) {
      return;
    }
    boolean explain = explain(told, counting, snapshot, commit);
    count.merge("snapshots " + (explain ? "explain" : "do not"), 1, Integer::sum);
    if (explain) {
      assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).as(about).isTrue();
    } else {
      assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).as(about).isTrue();
    }
    compareWithLevels(report, inDatabaseTime(told, snapshot, commit), commit, explain, about);
    if (small.hasTimes()) {
      holdOnlyWhatIsPossible(report, told, about);
    }
  }

  /** Whether all saw what had committed by their snapshots, and overwrote no later version. */
  private static boolean explain(
      SmallHistory small, List<Integer> counting, long[] snapshot, long[] commit) {
    List<Integer> byCommit = new ArrayList<>(counting);
    byCommit.sort((a, b) -> Long.compare(commit[a], commit[b]));
    for (int txn : counting) {
      Store store = new Store();
      Set<Integer> later = new HashSet<>();
      for (int other : byCommit) {
        if (commit[other] <= snapshot[txn]) {
          store.run(small.txns().get(other));
        } else if (commit[other] < commit[txn]) {
          later.addAll(exclusive(small.txns().get(other)));
        }
      }
      boolean agrees = store.run(small.txns().get(txn));
      if (!agrees || !Collections.disjoint(later, exclusive(small.txns().get(txn)))) {
        return false;
      }
    }
    return true;
  }

  /** The keys whose versions a transaction replaced; additions commute. */
  private static Set<Integer> exclusive(Txn txn) {
    Set<Integer> keys = new HashSet<>();
    for (Op op : txn.ops()) {
      if (op instanceof Op.Write || op instanceof Op.Append) {
        keys.add(op.key());
      }
    }
    return keys;
  }

  /** The history with the database's timestamps as real time, beside that of clients if any. */
  private static SmallHistory inDatabaseTime(SmallHistory small, long[] snapshot, long[] commit) {
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < commit.length; txn++) {
      // A commit at the time of a snapshot is before it.
      txns.add(small.txns().get(txn).during(2 * snapshot[txn] + 1, 2 * commit[txn]));
    }
    return new SmallHistory(txns);
  }

  /**
   * What is decided agrees with the definitions, in the order of versions that commits give.
   * Snapshots are held to their timestamps, which the definitions do not ask for.
   */
  private void compareWithLevels(
      Report report, SmallHistory stamped, long[] commit, boolean explained, String about) {
    List<Txn> txns = stamped.txns();
    if (txns.stream().flatMap(t -> t.ops().stream()).anyMatch(op -> op instanceof Op.Increment)) {
      return;
    }
    List<Before> pairs = new ArrayList<>();
    for (int a = 0; a < txns.size(); a++) {
      for (int b = 0; b < txns.size(); b++) {
        boolean both = !Collections.disjoint(exclusive(txns.get(a)), exclusive(txns.get(b)));
        boolean registers = txns.get(a).ops().stream().anyMatch(op -> op instanceof Op.Write);
        if (commit[a] < commit[b] && both && registers) {
          pairs.add(new Before(a, b));
        }
      }
    }
    boolean clients = report.history().hasTimes();
    Set<Level> holding = LevelOracle.holding(stamped, pairs);
    for (Level level : LevelOracle.REAL_TIME) {
      String verdict = report.verdict(level).id();
      count.merge(level + " " + verdict, 1, Integer::sum);
      if (verdict.equals("holds")) {
        assertThat(holding).as("%s with %s", level, about).contains(level);
      }
      boolean bySnapshots = !explained && level.implies(Level.STRONG_SNAPSHOT_ISOLATION);
      if (verdict.equals("violated") && !bySnapshots && !clients) {
        assertThat(holding).as("%s with %s", level, about).doesNotContain(level);
      }
    }
  }

  // ---- both

  /** The report, which is that of the history with the named transactions recorded as committed. */
  private static Report check(
      SmallHistory small, SmallHistory told, ObjIntConsumer<HistoryBuilder> more, Given given) {
    Set<Level> levels = EnumSet.copyOf(Level.surveyed());
    Report report =
        Verifier.sample(
            Assay.check(small.toHistory(more), levels, given, Budget.unlimited()), given);
    Report recorded =
        Verifier.sample(
            Assay.check(told.toHistory(more), levels, given, Budget.unlimited()), given);
    for (Level level : levels) {
      assertThat(report.verdict(level).id())
          .as("%s of\n%s", level, small)
          .isEqualTo(recorded.verdict(level).id());
    }
    return report;
  }

  private static List<Integer> counting(SmallHistory small) {
    ReadsFrom reads = ReadsFrom.of(small.toHistory());
    return IntStream.range(0, small.txns().size()).filter(reads::counts).boxed().toList();
  }

  private static void holdOnlyWhatIsPossible(Report report, SmallHistory told, String about) {
    if (told.txns().stream()
        .flatMap(t -> t.ops().stream())
        .anyMatch(op -> op instanceof Op.Increment)) {
      return;
    }
    Set<Level> possible = LevelOracle.holding(told);
    for (Level level : Level.surveyed()) {
      if (report.holds(level)) {
        assertThat(possible).as("%s by %s", level, about).contains(level);
      }
    }
  }
}
