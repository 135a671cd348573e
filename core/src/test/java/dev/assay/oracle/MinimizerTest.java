package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Evidence;
import dev.assay.explain.Minimizer;
import dev.assay.explain.Smallest;
import dev.assay.history.History;
import dev.assay.history.Operation;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parts of histories: nothing is violated in them that was not, and nothing is left over. */
class MinimizerTest {
  private static final Budget UNLIMITED = Budget.unlimited();

  // ---- soundness of leaving things out

  /** Leaves things out at random and asks the oracle each time. */
  private static void assertNothingIsPutIn(Supplier<SmallHistory> histories, AnomalyType type) {
    Random random = new Random(5);
    int parts = 0;
    for (int i = 0; i < 500; i++) {
      SmallHistory whole = histories.get();
      Set<Level> held = LevelOracle.holding(whole);
      List<History> tried = new ArrayList<>();
      Minimizer.Judge judge =
          (part, sought) -> {
            tried.add(part);
            return random.nextInt(5) == 0;
          };
      new Minimizer(whole.toHistory(), judge, UNLIMITED).of(sought(whole, type));
      for (History part : tried) {
        if (part.transactionCount() > 0) {
          SmallHistory small = small(part);
          assertThat(LevelOracle.holding(small))
              .as("%s%n is left of%n%s", small, whole)
              .containsAll(held);
          parts++;
        }
      }
    }
    assertThat(parts).isGreaterThan(1_000);
  }

  private static List<Anomaly> sought(SmallHistory whole, AnomalyType type) {
    if (type == null) {
      return List.of();
    }
    Evidence everything =
        new Evidence(
            IntStream.range(0, whole.toHistory().operationCount()).boxed().toList(), List.of());
    return List.of(Anomaly.of(type, 1, List.of(everything)));
  }

  @Test
  void leavingOutOfRegistersPutsNoViolationIn() {
    assertNothingIsPutIn(new RandomHistories(Shape.committed(4, 2, 3), 1)::registers, null);
    assertNothingIsPutIn(
        new RandomHistories(Shape.committed(4, 2, 3).withOutcomes().withTimes(), 2)::registers,
        AnomalyType.G2_ITEM);
  }

  @Test
  void leavingOutPutsNoViolationInWhereValuesAreWrittenTwice() {
    assertNothingIsPutIn(
        new RandomHistories(Shape.committed(4, 2, 3).withDuplicates().withOutcomes(), 3)::registers,
        null);
  }

  @Test
  void leavingOutOfListsPutsNoViolationIn() {
    RandomHistories plain = new RandomHistories(Shape.committed(4, 2, 3), 4);
    assertNothingIsPutIn(plain::lists, AnomalyType.G2_ITEM);
    RandomHistories timed =
        new RandomHistories(Shape.committed(4, 2, 3).withOutcomes().withTimes(), 5);
    assertNothingIsPutIn(timed::lists, AnomalyType.G2_ITEM);
    assertNothingIsPutIn(new RandomHistories(Shape.committed(4, 1, 3), 6)::lists, null);
  }

  /** Own writes between two reads, or before one, make these another matter. */
  @Test
  void ownWritesStayWithTheReadsThatFollowThem() {
    SmallHistory registers =
        SmallHistory.plume("w(0,1,1,1)w(0,3,2,2)r(0,1,3,3)w(0,2,3,3)r(0,3,3,3)");
    assertThat(LevelOracle.holding(registers)).contains(Level.CUT_ISOLATION);
    assertNothingIsPutIn(() -> registers, AnomalyType.G2_ITEM);
    SmallHistory lists =
        SmallHistory.of(
            Txn.committed(1, new Op.Append(0, 1)),
            Txn.committed(2, new Op.Append(0, 2)),
            Txn.committed(
                3,
                new Op.ListRead(0, List.of(1)),
                new Op.Append(0, 9),
                new Op.ListRead(0, List.of(1, 2))));
    assertThat(LevelOracle.holding(lists)).contains(Level.CUT_ISOLATION);
    assertNothingIsPutIn(() -> lists, AnomalyType.G2_ITEM);
  }

  // ---- what comes out

  private int shrunk;

  private void assertSmallest(Supplier<SmallHistory> histories, int count) {
    for (int i = 0; i < count; i++) {
      SmallHistory whole = histories.get();
      History history = whole.toHistory();
      for (Level level : Assay.check(history, Level.surveyed(), UNLIMITED).weakestViolated()) {
        assertSmallest(whole, history, level);
      }
    }
  }

  private void assertSmallest(SmallHistory whole, History history, Level level) {
    Report report = Assay.check(history, Set.of(level), UNLIMITED);
    Smallest smallest = Assay.shrink(report, level, Set.of(), UNLIMITED);
    SmallHistory part = small(smallest.history());
    String description = "%s by %s:%n%s%n of%n%s".formatted(level, smallest.type(), part, whole);
    assertThat(smallest.minimal()).isTrue();
    assertThat(LevelOracle.holding(part)).as(description).doesNotContain(level);
    assertThat(shows(part, level, smallest.type())).as(description).isTrue();
    assertThat(isPart(smallest.history(), history)).as(description).isTrue();
    for (SmallHistory less : withOneLess(part)) {
      assertThat(shows(less, level, smallest.type()))
          .as("%s%n is less than %s", less, description)
          .isFalse();
    }
    shrunk++;
  }

  private static boolean shows(SmallHistory history, Level level, AnomalyType type) {
    if (history.txns().isEmpty()) {
      return false;
    }
    Report report = Assay.check(history.toHistory(), Set.of(level), UNLIMITED);
    return type == null
        ? report.violated(level)
        : report.anomalies().stream().anyMatch(anomaly -> anomaly.type() == type);
  }

  @Test
  void ofRegistersTheRestViolatesTheLevelAndHasNothingToSpare() {
    assertSmallest(new RandomHistories(Shape.committed(6, 3, 3), 7)::registers, 150);
    assertSmallest(
        new RandomHistories(Shape.committed(6, 3, 3).withOutcomes().withTimes(), 8)::registers,
        150);
    assertThat(shrunk).isGreaterThan(100);
  }

  @Test
  void ofListsTheRestViolatesTheLevelAndHasNothingToSpare() {
    assertSmallest(new RandomHistories(Shape.committed(6, 2, 3), 9)::lists, 150);
    assertSmallest(
        new RandomHistories(Shape.committed(6, 2, 3).withOutcomes().withTimes(), 10)::lists, 150);
    assertThat(shrunk).isGreaterThan(100);
  }

  @Test
  void theOneThingThatIsWrongIsTheSameHoweverSessionsInterleaveInTheFile() {
    Random random = new Random(11);
    RandomHistories histories = new RandomHistories(Shape.committed(6, 3, 3), 12);
    int compared = 0;
    for (int i = 0; i < 2_000; i++) {
      SmallHistory first = histories.registers();
      Report report = Assay.check(first.toHistory(), Set.of(Level.CAUSAL), UNLIMITED);
      // All circles of one component count as one, and any of them may be shown.
      boolean one =
          report.anomalies().stream().mapToLong(Anomaly::count).sum() == 1
              && report.anomalies().get(0).type() != AnomalyType.CYCLIC_CAUSALITY;
      if (one) {
        SmallHistory other = interleavedAnew(first, random);
        assertThat(smallest(other)).as("%s%n and%n%s", first, other).isEqualTo(smallest(first));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(50);
  }

  private static List<String> smallest(SmallHistory history) {
    Report report = Assay.check(history.toHistory(), Set.of(Level.CAUSAL), UNLIMITED);
    History part = Assay.shrink(report, Level.CAUSAL, Set.of(), UNLIMITED).history();
    return IntStream.range(0, part.transactionCount())
        .mapToObj(txn -> part.label(txn) + operations(part, txn))
        .sorted()
        .toList();
  }

  private static List<String> operations(History history, int txn) {
    return IntStream.range(history.firstOp(txn), history.endOp(txn))
        .mapToObj(history::text)
        .toList();
  }

  private static SmallHistory interleavedAnew(SmallHistory history, Random random) {
    List<Integer> sessions = new ArrayList<>(history.txns().stream().map(Txn::session).toList());
    Collections.shuffle(sessions, random);
    List<Txn> left = new ArrayList<>(history.txns());
    List<Txn> txns = new ArrayList<>();
    for (int session : sessions) {
      Txn next = left.stream().filter(txn -> txn.session() == session).findFirst().orElseThrow();
      left.remove(left.indexOf(next));
      txns.add(next);
    }
    return new SmallHistory(txns);
  }

  // ---- parts, written down a second time

  /** Every history with one transaction or operation less, and what cannot be without it. */
  private static List<SmallHistory> withOneLess(SmallHistory history) {
    List<SmallHistory> less = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      int ops = history.txns().get(t).ops().size();
      less.add(without(history, t, 0, ops));
      for (int op = 0; op < ops; op++) {
        less.add(without(history, t, op, op + 1));
      }
    }
    return less;
  }

  private static SmallHistory without(SmallHistory history, int txn, int from, int to) {
    List<Op> gone =
        history.txns().get(txn).ops().subList(from, to).stream().filter(Op::isWrite).toList();
    List<Txn> txns = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      List<Op> ops = new ArrayList<>();
      for (int i = 0; i < history.txns().get(t).ops().size(); i++) {
        Op op = history.txns().get(t).ops().get(i);
        boolean left = t == txn && i >= from && i < to;
        List<Op> own = history.txns().get(t).ops().subList(0, i);
        boolean kept =
            op instanceof Op.Read read
                ? !sees(read, gone) && !(t == txn && on(op, gone))
                : !(op instanceof Op.ListRead list && t == txn && on(op, gone))
                    || endsIn(list, own);
        boolean merged = op instanceof Op.ListRead list && endsInAny(list, gone);
        if (!left && kept && !merged) {
          ops.add(projected(op, gone));
        }
      }
      txns.add(history.txns().get(t).with(ops));
    }
    txns.removeIf(t -> t.ops().isEmpty());
    return new SmallHistory(txns);
  }

  private static boolean endsInAny(Op.ListRead read, List<Op> appends) {
    int size = read.elements().size();
    return size > 0
        && appends.stream()
            .anyMatch(
                op -> op.key() == read.key() && op.written() == read.elements().get(size - 1));
  }

  /** Whether the appends among these operations are the end of what was read. */
  private static boolean endsIn(Op.ListRead read, List<Op> operations) {
    List<Integer> own =
        operations.stream()
            .filter(op -> op.isWrite() && op.key() == read.key())
            .map(Op::written)
            .toList();
    int start = read.elements().size() - own.size();
    return start >= 0 && read.elements().subList(start, read.elements().size()).equals(own);
  }

  private static boolean on(Op op, List<Op> writes) {
    return writes.stream().anyMatch(write -> write.key() == op.key());
  }

  private static boolean sees(Op.Read read, List<Op> writes) {
    return writes.stream().anyMatch(w -> w.key() == read.key() && w.written() == read.value());
  }

  private static Op projected(Op op, List<Op> gone) {
    if (op instanceof Op.ListRead read) {
      List<Integer> left = new ArrayList<>(read.elements());
      left.removeIf(e -> gone.stream().anyMatch(w -> w.key() == op.key() && w.written() == e));
      return new Op.ListRead(op.key(), left);
    }
    return op;
  }

  /** Whether the transactions are some of the whole's, in order, with some of their operations. */
  private static boolean isPart(History part, History whole) {
    int next = 0;
    for (int txn = 0; txn < part.transactionCount(); txn++) {
      while (next < whole.transactionCount() && !whole.label(next).equals(part.label(txn))) {
        next++;
      }
      if (next == whole.transactionCount() || !isPart(part, txn, whole, next)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPart(History part, int txn, History whole, int original) {
    int at = whole.firstOp(original);
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      while (at < whole.endOp(original) && !isShown(part.operation(op), whole.operation(at))) {
        at++;
      }
      if (at++ == whole.endOp(original)) {
        return false;
      }
    }
    return part.sessionText(part.session(txn)).equals(whole.sessionText(whole.session(original)))
        && part.outcome(txn) == whole.outcome(original)
        && part.start(txn) == whole.start(original)
        && part.end(txn) == whole.end(original);
  }

  /** The same operation; a list may show fewer elements, in the same order. */
  private static boolean isShown(Operation operation, Operation original) {
    if (operation.value() instanceof List<?> less && original.value() instanceof List<?> all) {
      List<Object> left = new ArrayList<>(all);
      left.removeIf(element -> !less.contains(element));
      return operation.key().equals(original.key()) && left.equals(less);
    }
    return operation.equals(original);
  }

  private static SmallHistory small(History history) {
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      List<Op> ops = new ArrayList<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        ops.add(small(history.operation(op)));
      }
      int session = ((Long) history.sessionName(history.session(txn))).intValue();
      Txn small = Txn.of(session, history.outcome(txn), ops);
      txns.add(small.during(history.start(txn), history.end(txn)));
    }
    return new SmallHistory(txns);
  }

  private static Op small(Operation operation) {
    int key = ((Long) operation.key()).intValue();
    return switch (operation.kind()) {
      case READ ->
          operation.known() ? new Op.Read(key, number(operation.value())) : new Op.UnseenRead(key);
      case WRITE -> new Op.Write(key, number(operation.value()));
      case APPEND -> new Op.Append(key, number(operation.value()));
      case LIST_READ ->
          new Op.ListRead(
              key, ((List<?>) operation.value()).stream().map(MinimizerTest::number).toList());
      default -> throw new AssertionError("not generated: " + operation);
    };
  }

  private static int number(Object value) {
    return ((Long) value).intValue();
  }
}
