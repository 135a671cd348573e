package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.ReadConsistency;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every argument against a strong level is verified step by step: each edge was observed, or rests
 * on a circle that its opposite would close, and every circle is one that the level forbids.
 */
class ProofTest {
  private static final Set<Level> SERIAL =
      EnumSet.of(
          Level.REPEATABLE_READ,
          Level.STRONG_SESSION_REPEATABLE_READ,
          Level.STRONG_REPEATABLE_READ,
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.STRICT_SERIALIZABLE);
  private static final Set<Level> SNAPSHOT =
      EnumSet.of(
          Level.SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.STRONG_SNAPSHOT_ISOLATION);
  private static final Set<Level> ONE_OVERWRITING =
      EnumSet.of(
          Level.CONSISTENT_VIEW, Level.PARALLEL_SNAPSHOT_ISOLATION, Level.STRONG_CONSISTENT_VIEW);
  private static final Set<Level> FLOW =
      EnumSet.of(
          Level.ADYA_READ_COMMITTED,
          Level.STRONG_SESSION_ADYA_READ_COMMITTED,
          Level.STRONG_ADYA_READ_COMMITTED);

  private final Map<Level, Integer> verified = new EnumMap<>(Level.class);
  private int lostUpdates;
  private int nested;
  private int eliminated;
  private int longest;

  /** What is assumed in an argument: the order of two writers, or what a read saw (else −1). */
  private record Assumed(int from, int to, int read) {}

  @Test
  void everyStepOfEveryArgumentIsTrue() {
    verifyRandom(new RandomHistories(Shape.committed(6, 3, 3), 21), false, 6000);
    verifyRandom(new RandomHistories(Shape.committed(6, 3, 3).withTimes(), 22), false, 3000);
    verifyRandom(new RandomHistories(Shape.committed(6, 2, 3).withTimes(), 23), true, 3000);
    verifyLongForks();
    verifySkewInTime();
    assertThat(verified.keySet())
        .contains(
            Level.REPEATABLE_READ,
            Level.STRONG_SESSION_REPEATABLE_READ,
            Level.STRONG_REPEATABLE_READ,
            Level.SNAPSHOT_ISOLATION,
            Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
            Level.STRONG_SNAPSHOT_ISOLATION,
            Level.PREFIX,
            Level.CONSISTENT_VIEW,
            Level.PARALLEL_SNAPSHOT_ISOLATION,
            Level.STRONG_CONSISTENT_VIEW,
            Level.UPDATE_ATOMIC);
    assertThat(lostUpdates).isPositive();
    assertThat(nested).isPositive();
  }

  @Test
  void everyStepOfEveryArgumentThroughAmbiguousReadsIsTrue() {
    Shape shape = Shape.committed(6, 2, 3).withDuplicates();
    verifyRandom(new RandomHistories(shape, 24), false, 20_000);
    verifyRandom(new RandomHistories(shape.withTimes().withOutcomes(), 25), false, 20_000);
    assertThat(eliminated).isGreaterThan(100);
  }

  @Test
  void everyStepOfAnArgumentAboutManyTransactionsIsTrue() {
    for (Level level : List.of(Level.SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE)) {
      int before = verified.values().stream().mapToInt(Integer::intValue).sum();
      verify(ring(40, level != Level.SERIALIZABLE).toHistory(), level, List.of(Level.values()));
      assertThat(verified.values().stream().mapToInt(Integer::intValue).sum())
          .isEqualTo(before + 1);
      assertThat(longest).isEqualTo(80);
      longest = 0;
    }
  }

  @Test
  void everyStepOfAnArgumentThroughAmbiguousReadsOfALargeHistoryIsTrue() {
    for (Level level : List.of(Level.SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE)) {
      int before = verified.values().stream().mapToInt(Integer::intValue).sum();
      int ruledOut = eliminated;
      verify(readFromTheFuture(3000).toHistory(), level, List.of(Level.values()));
      assertThat(verified.values().stream().mapToInt(Integer::intValue).sum())
          .isGreaterThan(before);
      assertThat(eliminated).isGreaterThan(ruledOut);
    }
  }

  /**
   * Transactions run one after another, but one of them saw a value that only two of those wrote
   * that come after it, by what they read of others in between.
   */
  private static SmallHistory readFromTheFuture(int size) {
    Map<Integer, List<Op>> more =
        Map.of(
            size / 3,
            List.of(new Op.Read(100, 7), new Op.Write(101, 1), new Op.Write(103, 1)),
            size / 2,
            List.of(new Op.Read(101, 1), new Op.Write(102, 1)),
            size / 2 + 9,
            List.of(new Op.Read(103, 1), new Op.Write(104, 1)),
            size - 50,
            List.of(new Op.Read(102, 1), new Op.Write(100, 7)),
            size - 40,
            List.of(new Op.Read(104, 1), new Op.Write(100, 7)));
    int[] current = new int[50];
    List<Txn> txns = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int read = i * 7 % 50;
      int written = i * 11 % 50;
      List<Op> ops = new ArrayList<>();
      ops.add(new Op.Read(read, current[read]));
      ops.add(new Op.Write(written, i + 1));
      ops.addAll(more.getOrDefault(i, List.of()));
      current[written] = i + 1;
      txns.add(Txn.committed(1 + i % 10, ops.toArray(Op[]::new)));
    }
    return new SmallHistory(txns);
  }

  /**
   * Nothing can be left out of this: a writes x before b, because who reads b's version has read
   * from a; and b comes before the next a, because it read what that one overwrites, or now and
   * then because that one follows in its session.
   */
  private static SmallHistory ring(int size, boolean sessions) {
    List<Txn> txns = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int next = (i + 1) % size;
      boolean inSession = sessions && i % 2 == 1;
      int key = 10 * i;
      Op overwritten = new Op.Write(10 * ((i + size - 1) % size) + 3, 1);
      Op[] a = {new Op.Write(key + 1, 1), new Op.Write(key + 2, 1), overwritten};
      Op[] b =
          inSession
              ? new Op[] {new Op.Write(key + 1, 2)}
              : new Op[] {new Op.Read(key + 3, 0), new Op.Write(key + 1, 2)};
      txns.add(Txn.committed(3 * i + 2, new Op.Read(key + 2, 1), new Op.Read(key + 1, 2)));
      txns.add(Txn.committed(inSession ? 3 * next + 1 : 3 * i + 3, b));
      txns.add(Txn.committed(3 * i + 1, a));
    }
    // The last of the ring would stand behind the first of it.
    txns.add(txns.remove(2));
    return SmallHistory.of(txns.toArray(Txn[]::new));
  }

  private void verifyRandom(RandomHistories histories, boolean lists, int count) {
    List<Level> asked = new ArrayList<>(SERIAL);
    asked.addAll(SNAPSHOT);
    asked.addAll(FLOW);
    asked.addAll(ONE_OVERWRITING);
    asked.add(Level.PREFIX);
    asked.add(Level.UPDATE_ATOMIC);
    for (int i = 0; i < count; i++) {
      History history = (lists ? histories.lists() : histories.registers()).toHistory();
      verify(history, asked.get(i % asked.size()), asked);
    }
  }

  /**
   * Two readers see two writes in opposite orders, each of them over several transactions. That the
   * writes overwrite what the readers see otherwise has to be inferred.
   */
  private void verifyLongForks() {
    SmallHistory bySessions =
        SmallHistory.plume(
            "w(1,5,1,1) w(2,5,1,1) w(1,1,1,2) r(1,5,2,3) w(2,1,2,3)"
                + "r(1,1,3,4) r(2,5,3,5) r(2,1,4,6) r(1,5,4,7)");
    Level session = Level.STRONG_SESSION_SNAPSHOT_ISOLATION;
    verify(bySessions.toHistory(), session, List.of(session));
    SmallHistory byTime =
        SmallHistory.of(
            Txn.committed(1, new Op.Write(1, 5), new Op.Write(2, 5)).during(0, 1),
            Txn.committed(2, new Op.Write(1, 1)).during(2, 30),
            Txn.committed(3, new Op.Write(2, 1)).during(2, 30),
            Txn.committed(4, new Op.Read(1, 1)).during(3, 20),
            Txn.committed(4, new Op.Read(2, 5)).during(4, 21),
            Txn.committed(5, new Op.Read(2, 1)).during(3, 4),
            Txn.committed(6, new Op.Read(1, 5)).during(5, 6));
    Level strong = Level.STRONG_SNAPSHOT_ISOLATION;
    verify(byTime.toHistory(), strong, List.of(strong));
  }

  /** Who misses a write comes after one that the writer missed, but only by the clock. */
  private void verifySkewInTime() {
    SmallHistory skew =
        SmallHistory.of(
            Txn.committed(1, new Op.Write(1, 1), new Op.Read(2, 0)).during(0, 30),
            Txn.committed(2, new Op.Write(2, 1)).during(1, 2),
            Txn.committed(3, new Op.Read(1, 0)).during(5, 6));
    Level level = Level.STRONG_REPEATABLE_READ;
    verify(skew.toHistory(), level, List.of(level));
  }

  private void verify(History history, Level level, List<Level> known) {
    for (Anomaly anomaly : alone(history, Set.of(level))) {
      for (Evidence evidence : anomaly.witnesses()) {
        Level refuted = evidence.refutes();
        if (refuted != null && known.contains(refuted)) {
          verifyCircle(history, evidence.edges(), refuted, new HashSet<>());
          assertThat(anomaly.violates()).containsAll(refuted.andStronger());
          verified.merge(refuted, 1, Integer::sum);
        } else if (anomaly.type().id().equals("lost-update")) {
          verifyCircle(history, evidence.edges(), Level.SERIALIZABLE, new HashSet<>());
          lostUpdates++;
        }
      }
    }
  }

  /** What the solver finds when nobody has found anything before. */
  private static List<Anomaly> alone(History history, Set<Level> levels) {
    Subject asked = Subject.of(history, levels, Budget.unlimited());
    Set<Level> violated = EnumSet.noneOf(Level.class);
    for (Anomaly anomaly : new ReadConsistency().check(asked).anomalies()) {
      violated.addAll(anomaly.violates());
    }
    Subject subject =
        new Subject(
            history, asked.reads(), asked.versions(), levels, violated, Set.of(), asked.budget());
    return new PolygraphChecker().check(subject).anomalies();
  }

  private void verifyCircle(History history, List<Edge> edges, Level level, Set<Assumed> assumed) {
    assertThat(edges).isNotEmpty();
    longest = Math.max(longest, edges.size());
    long overwritings = edges.stream().filter(edge -> edge.kind() == EdgeKind.RW).count();
    if (ONE_OVERWRITING.contains(level) || level == Level.UPDATE_ATOMIC) {
      assertThat(overwritings).isLessThanOrEqualTo(1);
    }
    if (level == Level.UPDATE_ATOMIC && overwritings == 1) {
      assertThat(edges).hasSize(2);
    }
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      Edge next = edges.get((i + 1) % edges.size());
      assertThat(edge.to()).isEqualTo(next.from());
      verify(history, edge, level, assumed);
      if (next.kind() == EdgeKind.RW && SNAPSHOT.contains(level)) {
        assertThat(edge.kind()).isNotEqualTo(EdgeKind.RW);
      }
      if (next.kind() == EdgeKind.RW && level == Level.PREFIX) {
        assertThat(edge.kind()).isIn(EdgeKind.WR, EdgeKind.SO);
      }
      assertThat(edge.kind() == EdgeKind.RW && FLOW.contains(level)).isFalse();
    }
  }

  private void verify(History history, Edge edge, Level level, Set<Assumed> assumed) {
    switch (edge.kind()) {
      case SO -> {
        assertThat(level.id()).matches("strong.*|strict.*|prefix|parallel.*|update-atomic");
        assertThat(history.session(edge.from())).isEqualTo(history.session(edge.to()));
        assertThat(history.placeInSession(edge.from()))
            .isLessThan(history.placeInSession(edge.to()));
      }
      case RT -> {
        assertThat(level.needsRealTime()).isTrue();
        assertThat(history.end(edge.from())).isLessThan(history.start(edge.to()));
      }
      case WR -> verifyRead(history, edge, level, assumed);
      case WW -> verifyVersions(history, edge, level, assumed);
      case RW -> verifyOverwriting(history, edge, level, assumed);
      default -> throw new AssertionError("an edge of kind " + edge.kind());
    }
  }

  /**
   * A read saw one version only, or all others that it may have seen are ruled out, or what it saw
   * is being supposed.
   */
  private void verifyRead(History history, Edge edge, Level level, Set<Assumed> assumed) {
    verifySight(history, edge);
    Set<Integer> possible = possibleSources(history, edge.toOp());
    Set<Integer> excluded = new HashSet<>();
    for (Edge other : edge.because()) {
      assertThat(other.kind()).isEqualTo(EdgeKind.WR);
      assertThat(other.toOp()).isEqualTo(edge.toOp());
      verifySight(history, other);
      excluded.add(other.from());
      Set<Assumed> inside = new HashSet<>(assumed);
      inside.add(new Assumed(other.from(), other.to(), other.toOp()));
      verifyCircle(history, other.because(), level, inside);
      eliminated++;
    }
    if (!assumed.contains(new Assumed(edge.from(), edge.to(), edge.toOp()))) {
      possible.removeAll(excluded);
      assertThat(possible).as("what %s may have seen", edge).containsExactly(edge.from());
    }
  }

  /** The transactions whose last write of a key a read of it may have seen. */
  private static Set<Integer> possibleSources(History history, int read) {
    if (history.kind(read) == OpKind.LIST_READ) {
      int length = history.sequences().length(history.value(read));
      List<Integer> seen = elements(history, read);
      Set<Integer> sources = new HashSet<>();
      if (length == 0) {
        sources.add(Edge.INITIAL);
      }
      for (int op = 0; length > 0 && op < history.operationCount(); op++) {
        if (history.kind(op) == OpKind.APPEND
            && history.key(op) == history.key(read)
            && history.value(op) == seen.get(length - 1)) {
          sources.add(history.transactionOf(op));
        }
      }
      return sources;
    }
    Set<Integer> sources = new HashSet<>();
    boolean loaded = false;
    for (int op = 0; op < history.operationCount(); op++) {
      int txn = history.transactionOf(op);
      if (history.kind(op) == OpKind.WRITE
          && history.key(op) == history.key(read)
          && history.value(op) == history.value(read)
          && history.outcome(txn) != Outcome.ABORTED
          && op == history.lastWrite(txn, history.key(op))
          && txn != history.transactionOf(read)) {
        sources.add(txn);
        loaded |= loads(history, txn);
      }
    }
    if (history.hasInitialValue(read) && !loaded) {
      sources.add(Edge.INITIAL);
    }
    return sources;
  }

  /** Whether a transaction, the first of its session, loads initial values: reads name it. */
  private static boolean loads(History history, int txn) {
    if (history.placeInSession(txn) > 0) {
      return false;
    }
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) != OpKind.WRITE || !history.hasInitialValue(op)) {
        return false;
      }
    }
    return true;
  }

  private static void verifySight(History history, Edge edge) {
    int read = edge.toOp();
    assertThat(history.transactionOf(read)).isEqualTo(edge.to());
    assertThat(history.key(read)).isEqualTo(edge.key());
    boolean list = history.kind(read) == OpKind.LIST_READ;
    if (edge.from() == Edge.INITIAL) {
      assertThat(list ? history.sequences().length(history.value(read)) : history.value(read))
          .isZero();
      return;
    }
    int write = edge.fromOp();
    assertThat(history.transactionOf(write)).isEqualTo(edge.from());
    assertThat(history.key(write)).isEqualTo(edge.key());
    List<Integer> seen = list ? elements(history, read) : List.of(history.value(read));
    assertThat(history.value(write)).isEqualTo(seen.get(seen.size() - 1));
    assertThat(history.kind(write)).isEqualTo(list ? OpKind.APPEND : OpKind.WRITE);
  }

  private static List<Integer> elements(History history, int read) {
    List<Integer> elements = new ArrayList<>();
    for (int i = 0; i < history.sequences().length(history.value(read)); i++) {
      elements.add(history.sequences().element(history.value(read), i));
    }
    return elements;
  }

  private void verifyVersions(History history, Edge edge, Level level, Set<Assumed> assumed) {
    assertThat(writes(history, edge.from(), edge.key())).isNotEmpty();
    assertThat(writes(history, edge.to(), edge.key())).isNotEmpty();
    if (!edge.because().isEmpty()) {
      Set<Assumed> inside = new HashSet<>(assumed);
      inside.add(new Assumed(edge.to(), edge.from(), -1));
      nested += assumed.isEmpty() ? 0 : 1;
      verifyCircle(history, edge.because(), level, inside);
    } else if (!assumed.contains(new Assumed(edge.from(), edge.to(), -1))) {
      assertThat(isShown(history, edge)).as("a list read shows %s", edge).isTrue();
    }
  }

  /** Whether a list read shows an append of the first before one of the second, or without any. */
  private static boolean isShown(History history, Edge edge) {
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.LIST_READ && history.key(op) == edge.key()) {
        List<Integer> seen = elements(history, op);
        for (int first : writes(history, edge.from(), edge.key())) {
          int at = seen.indexOf(history.value(first));
          for (int second : writes(history, edge.to(), edge.key())) {
            int later = seen.indexOf(history.value(second));
            if (at >= 0 && (later < 0 || later > at)) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  private void verifyOverwriting(History history, Edge edge, Level level, Set<Assumed> assumed) {
    assertThat(writes(history, edge.to(), edge.key())).isNotEmpty();
    Edge read = edge.because().get(0);
    assertThat(read.kind()).isEqualTo(EdgeKind.WR);
    assertThat(read.to()).isEqualTo(edge.from());
    assertThat(read.key()).isEqualTo(edge.key());
    verify(history, read, level, assumed);
    if (edge.because().size() == 1) {
      assertThat(read.from()).isEqualTo(Edge.INITIAL);
      return;
    }
    Edge version = edge.because().get(1);
    assertThat(version.from()).isEqualTo(read.from());
    assertThat(version.to()).isEqualTo(edge.to());
    assertThat(version.key()).isEqualTo(edge.key());
    assertThat(version.kind()).isIn(EdgeKind.WW, EdgeKind.WR);
    verify(history, version, level, assumed);
  }

  private static List<Integer> writes(History history, int txn, int key) {
    List<Integer> writes = new ArrayList<>();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      boolean write = history.kind(op) == OpKind.WRITE || history.kind(op) == OpKind.APPEND;
      if (write && history.key(op) == key) {
        writes.add(op);
      }
    }
    return writes;
  }
}
