package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Mutants;
import dev.assay.proof.ProofWriter;
import dev.assay.proof.Proofs;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import dev.assay.type.Counters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Proofs about counters: what holds is proven, and most of what is violated. Where the oracle finds
 * no order of the transactions none is accepted, whichever increments it says that reads saw; where
 * it finds one, no argument is.
 */
class VerifiedCountersTest {
  private static final String NO_ORDER = "no order of the increments was found that proves it";
  private static final String NO_ARGUMENT = "no argument about sums was found";

  private static final Set<Level> OF_PARTS = EnumSet.of(Level.LINEARIZABLE, Level.SEQUENTIAL);

  /** Up to this many operations have few enough orders. */
  private static final int MOST_OPERATIONS = 5;

  private final Verifier verifier = new Verifier();
  private final Mutants mutants = new Mutants();
  private final Random random = new Random(81);
  private int held;
  private int refused;
  private int otherAmounts;
  private int violated;
  private int arguments;
  private int right;

  private void proven(int count, Set<Level> levels, Supplier<SmallHistory> next) {
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      Report report = Assay.check(small.toHistory(), levels, Budget.unlimited());
      verifier.accepts(report, small);
      held += count(report, Verdict.Holds.class);
      violated += count(report, Verdict.Violated.class);
      if (i < 20) {
        mutants.tryAll(report, Given.NOTHING);
      }
      otherAmounts(report);
    }
  }

  private static int count(Report report, Class<?> verdict) {
    return (int) report.verdicts().values().stream().filter(verdict::isInstance).count();
  }

  /** Proofs are refused where every increment was of another amount. */
  private void otherAmounts(Report report) {
    String text = Verifier.text(report.history());
    String other = text.replaceAll("(\\[\"inc\",\\d+,)(\\d+)", "$17$2");
    History history = report.history();
    boolean sees =
        IntStream.range(0, history.operationCount())
            .anyMatch(
                op ->
                    history.kind(op) == OpKind.COUNTER_READ
                        && history.isCommitted(history.transactionOf(op))
                        && Counters.amount(history, op).signum() > 0);
    String proof = ProofWriter.text(Proofs.of(report, Given.NOTHING, Budget.unlimited()));
    for (String answer : sees ? Verifier.answers(other, proof) : List.<String>of()) {
      Level level = Level.find(answer.substring(0, answer.indexOf(':'))).orElseThrow();
      boolean shown = AnomalyType.THIN_AIR_READ.forbiddenBy().contains(level);
      if (answer.contains(": holds: ") && (shown || OF_PARTS.contains(level))) {
        assertThat(answer).as("%s\n%s", other, proof).doesNotContain(": accepted");
        otherAmounts++;
      }
    }
  }

  @Test
  void verdictsAboutCountersAreProven() {
    RandomHistories plain = new RandomHistories(Shape.committed(4, 2, 3), 82);
    proven(150, LevelOracle.DECIDED, plain::counters);
    proven(100, LevelOracle.DECIDED, plain::countersAndRegisters);
    RandomHistories timed = new RandomHistories(Shape.committed(4, 2, 3).withTimes(), 83);
    proven(150, LevelOracle.DECIDED, timed::counters);
    proven(100, OF_PARTS, timed::counters);
    RandomHistories open = new RandomHistories(Shape.committed(4, 2, 3).withOutcomes(), 84);
    proven(200, LevelOracle.DECIDED, open::counters);
    int orders = verifier.unproven().getOrDefault(NO_ORDER, 0);
    int sums = verifier.unproven().getOrDefault(NO_ARGUMENT, 0);
    assertThat(verifier.accepted()).isEqualTo(held + violated - orders - sums);
    assertThat(orders).isLessThan(held / 50);
    assertThat(sums).isLessThan(violated / 3);
    assertThat(mutants.refused()).isGreaterThan(6_000);
    assertThat(otherAmounts).isGreaterThan(5_000);
  }

  @Test
  void noWrongOrderIsAcceptedForCounters() {
    RandomHistories plain = new RandomHistories(Shape.committed(3, 2, 3), 85);
    refused(150, plain::counters);
    refused(100, plain::countersAndRegisters);
    RandomHistories timed = new RandomHistories(Shape.committed(4, 1, 2).withTimes(), 86);
    refused(60, timed::counters);
    RandomHistories open = new RandomHistories(Shape.committed(3, 2, 3).withOutcomes(), 87);
    refused(150, open::counters);
    assertThat(refused).isGreaterThan(90_000);
    assertThat(right).isGreaterThan(40_000);
  }

  private void refused(int count, Supplier<SmallHistory> next) {
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      Set<Level> holding = CounterOracle.holding(small);
      History history = small.toHistory();
      for (List<Integer> counting : counting(history)) {
        for (int[] place : Orders.of(counting.size())) {
          List<Integer> order = Arrays.stream(place).mapToObj(counting::get).toList();
          List<Integer> operations =
              order.stream()
                  .flatMapToInt(txn -> IntStream.range(history.firstOp(txn), history.endOp(txn)))
                  .boxed()
                  .toList();
          refused(history, order, operations, LevelOracle.DECIDED, holding);
        }
      }
    }
  }

  /** Claims by an order are refused for the levels that do not hold. */
  private void refused(
      History history,
      List<Integer> order,
      List<Integer> operations,
      Set<Level> claimed,
      Set<Level> holding) {
    String text = Verifier.text(history);
    for (int of = 0; of < 3; of++) {
      String proof = claims(history, order, operations, claimed, of);
      for (String answer : Verifier.answers(text, proof)) {
        Level level = Level.find(answer.substring(0, answer.indexOf(':'))).orElseThrow();
        if (!holding.contains(level)) {
          assertThat(answer).as("%s\n%s", text, proof).contains(": refused: ");
          refused++;
        } else {
          right += answer.contains(": accepted") ? 1 : 0;
        }
      }
    }
  }

  @Test
  void noWrongArgumentIsAcceptedForCounters() {
    RandomHistories plain = new RandomHistories(Shape.committed(4, 2, 3), 91);
    argued(50, plain::counters, false);
    argued(30, plain::countersAndRegisters, false);
    RandomHistories timed = new RandomHistories(Shape.committed(4, 1, 3).withTimes(), 92);
    argued(50, timed::counters, false);
    RandomHistories open = new RandomHistories(Shape.committed(4, 1, 3).withOutcomes(), 93);
    argued(50, open::counters, false);
    assertThat(refused).isGreaterThan(20_000);
    assertThat(arguments).isGreaterThan(2_000);
  }

  @Test
  void noWrongArgumentAboutSingleOperationsIsAcceptedForCounters() {
    RandomHistories few = new RandomHistories(Shape.committed(3, 1, 2), 94);
    argued(120, few::counters, true);
    assertThat(refused).isGreaterThan(300);
    assertThat(arguments).isGreaterThan(100);
  }

  /** Whether operations, each as a transaction of its own, are known to be causally consistent. */
  private static Set<Level> causalOperations(SmallHistory small) {
    SmallHistory single =
        new SmallHistory(
            small.txns().stream()
                .flatMap(txn -> txn.ops().stream().map(op -> txn.with(List.of(op))))
                .toList());
    boolean causal =
        single.txns().size() <= MOST_OPERATIONS
            && CounterOracle.holding(single).contains(Level.CAUSAL);
    return causal ? Set.of(Level.CAUSAL_NON_TRANSACTIONAL) : Set.of();
  }

  /** Arguments against other histories, of which some differ in one operation alone. */
  private void argued(int count, Supplier<SmallHistory> next, boolean single) {
    List<String> proofs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SmallHistory small = next.get();
      Report report = Assay.check(small.toHistory(), LevelOracle.DECIDED, Budget.unlimited());
      proofs.add(ProofWriter.text(Proofs.of(report, Given.NOTHING, Budget.unlimited())));
      proofs.subList(0, Math.max(0, proofs.size() - 12)).clear();
      for (SmallHistory other : List.of(small, changed(small), changed(small), changed(small))) {
        Set<Level> holding = single ? causalOperations(other) : CounterOracle.holding(other);
        String text = Verifier.text(other.toHistory());
        for (String proof : proofs) {
          for (String answer : Verifier.answers(text, proof)) {
            Level level = Level.find(answer.substring(0, answer.indexOf(':'))).orElseThrow();
            // The oracle of transactions knows no order of the versions that operations make.
            if (single != (level == Level.CAUSAL_NON_TRANSACTIONAL)) {
              continue;
            }
            if (answer.contains(": violated: ") && holding.contains(level)) {
              assertThat(answer).as("%s\n%s", text, proof).doesNotContain(": accepted");
              refused++;
            } else {
              arguments += answer.endsWith(": violated: accepted") ? 1 : 0;
            }
          }
        }
      }
    }
  }

  /** With another amount or value of one operation. */
  private SmallHistory changed(SmallHistory small) {
    List<SmallHistory.Txn> txns = new ArrayList<>(small.txns());
    int t = random.nextInt(txns.size());
    SmallHistory.Txn txn = txns.get(t);
    List<SmallHistory.Op> ops = new ArrayList<>(txn.ops());
    int i = random.nextInt(ops.size());
    if (ops.get(i) instanceof SmallHistory.Op.Read read) {
      ops.set(i, new SmallHistory.Op.Read(read.key(), random.nextInt(5)));
    } else if (ops.get(i) instanceof SmallHistory.Op.Increment increment) {
      ops.set(i, new SmallHistory.Op.Increment(increment.key(), 1 + random.nextInt(3)));
    }
    txns.set(t, txn.with(ops));
    return new SmallHistory(txns);
  }

  @Test
  void noWrongOrderOfOperationsIsAcceptedForCounters() {
    RandomHistories timed = new RandomHistories(Shape.committed(3, 2, 2).withTimes(), 88);
    for (int i = 0; i < 200; i++) {
      SmallHistory small = timed.counters();
      History history = small.toHistory();
      for (Level level : OF_PARTS) {
        boolean holds =
            level == Level.LINEARIZABLE
                ? OperationOracle.isLinearizable(small)
                : OperationOracle.isSequential(small);
        List<List<Integer>> parts = parts(history, level);
        for (int[] place : Orders.of(parts.size())) {
          List<List<Integer>> inOrder = Arrays.stream(place).mapToObj(parts::get).toList();
          refused(
              history,
              inOrder.stream().map(part -> part.get(0)).toList(),
              inOrder.stream().flatMap(List::stream).toList(),
              Set.of(level),
              holds ? Set.of(level) : Set.of());
        }
      }
    }
    assertThat(refused).isGreaterThan(3_000);
    assertThat(right).isGreaterThan(100);
  }

  /** What each transaction does with one key, or in one run. */
  private static List<List<Integer>> parts(History history, Level level) {
    List<List<Integer>> parts = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      Map<Integer, List<Integer>> byKey = new HashMap<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean goesOn = op > history.firstOp(txn) && history.key(op) == history.key(op - 1);
        if (level == Level.SEQUENTIAL && !goesOn) {
          byKey.remove(history.key(op));
        }
        byKey
            .computeIfAbsent(
                history.key(op),
                key -> {
                  parts.add(new ArrayList<>());
                  return parts.get(parts.size() - 1);
                })
            .add(op);
      }
    }
    return parts;
  }

  /** The committed transactions, with any of unknown outcome. */
  private static List<List<Integer>> counting(History history) {
    List<List<Integer>> all = new ArrayList<>(List.of(List.of()));
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      List<List<Integer>> more = new ArrayList<>();
      for (List<Integer> one : all) {
        List<Integer> with = new ArrayList<>(one);
        with.add(txn);
        if (history.outcome(txn) != Outcome.COMMITTED) {
          more.add(one);
        }
        if (history.outcome(txn) != Outcome.ABORTED) {
          more.add(with);
        }
      }
      all = more;
    }
    return all;
  }

  /** That all levels hold by an order; reads saw increments with their sum there, or any. */
  private String claims(
      History history, List<Integer> order, List<Integer> operations, Set<Level> claimed, int of) {
    Map<Integer, Long> sums = new HashMap<>();
    Map<Integer, Long> after = new HashMap<>();
    for (int op : operations) {
      if (history.kind(op) == OpKind.INCREMENT) {
        long amount = Counters.amount(history, op).longValueExact();
        after.put(op, sums.merge(history.key(op), amount, Long::sum));
      }
    }
    List<String> from = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      boolean counter = history.kind(op) == OpKind.COUNTER_READ;
      if (!counter && history.kind(op) != OpKind.READ) {
        continue;
      }
      List<Integer> same = new ArrayList<>(counter ? List.of(-1, -2) : List.of(-1));
      for (int write = 0; write < history.operationCount(); write++) {
        if (history.kind(write).isWrite() && history.key(write) == history.key(op)) {
          same.add(write);
        }
      }
      if (counter && of < 2 && history.value(op) != Values.UNKNOWN) {
        long value = Counters.amount(history, op).longValueExact();
        same.removeIf(
            write -> write != -2 && value != after.getOrDefault(write, write < 0 ? 0L : -1));
        if (same.size() > 1 && of == 0) {
          same.remove((Integer) (-2));
        }
      }
      from.add("[%d,0,%d]".formatted(op, same.get(random.nextInt(same.size()))));
    }
    List<String> levels = new ArrayList<>();
    for (Level level : claimed) {
      boolean split = level == Level.CAUSAL_NON_TRANSACTIONAL;
      levels.add(
          "{\"level\":\"%s\",\"verdict\":\"holds\",\"order\":%d}"
              .formatted(level.id(), split ? 1 : 0));
    }
    return """
        {"assay-proof":1,"transactions":%d,"orders":[{"order":%s,"from":%s},
        {"order":%s,"from":%s}],"arguments":[],"levels":%s}
        """
        .formatted(history.transactionCount(), order, from, operations, from, levels);
  }
}
