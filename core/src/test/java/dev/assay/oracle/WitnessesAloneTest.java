package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What an anomaly is said to violate is violated, and its witnesses show it: taken out of the
 * history with the writes that their transactions read, they violate the levels by themselves.
 */
class WitnessesAloneTest {
  private static final Shape PLAIN = Shape.committed(5, 2, 3);

  /** Enough witnesses of each kind for one against every level. */
  private static final Budget EXHAUSTIVE = Budget.unlimited().withWitnesses(16);

  private static final Shape TIMED = PLAIN.withTimes().withOutcomes();

  private final Disagreements wrong = new Disagreements();

  private int witnesses;

  @Test
  void whatAnAnomalyViolatesItsWitnessesViolateAlone() {
    lookAtAll(100, 1);
  }

  @Test
  @Tag("extended")
  void whatAnAnomalyViolatesItsWitnessesViolateAloneInManyHistories() {
    lookAtAll(20_000, 100);
  }

  private void lookAtAll(int count, int seed) {
    for (Shape shape : List.of(PLAIN, TIMED)) {
      look(new RandomHistories(shape, seed)::registers, count);
      look(new RandomHistories(shape, seed + 1)::lists, count);
      look(new RandomHistories(shape, seed + 2)::sets, count);
      look(new RandomHistories(shape, seed + 3)::setsAndRegisters, count);
    }
    wrong.assertNone();
    assertThat(witnesses).isGreaterThan(count);
  }

  /** All levels together, and one of them alone. */
  private void look(Supplier<SmallHistory> histories, int count) {
    List<Level> all = Level.surveyed();
    for (int i = 0; i < count; i++) {
      SmallHistory history = histories.get();
      look(history, all);
      look(history, Set.of(all.get(i % all.size())));
    }
  }

  private void look(SmallHistory small, Collection<Level> levels) {
    History history = small.toHistory();
    Set<Level> holding = LevelOracle.holding(small);
    for (Anomaly anomaly : Assay.check(history, levels, EXHAUSTIVE).anomalies()) {
      Set<Level> listed = EnumSet.copyOf(anomaly.violates());
      if (!small.hasTimes()) {
        listed.removeAll(LevelOracle.REAL_TIME);
      }
      Set<Level> missed = EnumSet.copyOf(listed);
      missed.retainAll(holding);
      note(missed, anomaly.type() + " lists ", " which holds", small);
      Set<Level> left = EnumSet.copyOf(listed);
      for (Evidence evidence : anomaly.witnesses()) {
        witnesses++;
        Set<Level> alone = LevelOracle.holding(part(small, transactions(small, history, evidence)));
        left.retainAll(alone);
        Set<Level> claimed = EnumSet.copyOf(listed);
        if (evidence.refutes() != null) {
          claimed.retainAll(evidence.refutes().andStronger());
          claimed.retainAll(alone);
          note(claimed, anomaly.type() + " is shown against ", " by too little", small);
        }
      }
      note(left, anomaly.type() + " lists ", " which no witness shows", small);
    }
  }

  private void note(Set<Level> levels, String before, String after, SmallHistory history) {
    if (!levels.isEmpty()) {
      String what = before + Level.minimal(levels) + after;
      wrong.add(what, history.text());
    }
  }

  /**
   * The transactions that evidence is about, what it rests on included. The order of the elements
   * of a list is shown by its longest read, which not all evidence names.
   */
  private static BitSet transactions(SmallHistory small, History history, Evidence evidence) {
    BitSet found = new BitSet();
    Edge.forEachReason(
        evidence.edges(),
        edge -> {
          for (int txn : new int[] {edge.from(), edge.to()}) {
            if (txn != Edge.INITIAL) {
              found.set(txn);
            }
          }
          if (edge.kind() == EdgeKind.WW || edge.kind() == EdgeKind.RW) {
            longestRead(small, history, edge.key()).ifPresent(found::set);
          }
        });
    List<Integer> operations = new ArrayList<>(evidence.operations());
    operations.addAll(evidence.shownBy());
    operations.forEach(op -> found.set(history.transactionOf(op)));
    return found;
  }

  /** The transaction with the longest read of a list that a step is about. */
  private static OptionalInt longestRead(SmallHistory small, History history, int key) {
    return IntStream.range(0, small.txns().size())
        .filter(t -> length(small, t, history, key) > 0)
        .reduce((a, b) -> length(small, a, history, key) < length(small, b, history, key) ? b : a);
  }

  private static int length(SmallHistory small, int txn, History history, int key) {
    return small.txns().get(txn).ops().stream()
        .filter(op -> String.valueOf(op.key()).equals(history.keys().text(key)))
        .mapToInt(op -> op instanceof Op.ListRead read ? read.elements().size() : 0)
        .max()
        .orElse(0);
  }

  /**
   * Some transactions, and of others no more than the writes to what those read of them, each by a
   * session of its own at no time.
   */
  private static SmallHistory part(SmallHistory whole, BitSet kept) {
    List<SmallHistory.Txn> txns = new ArrayList<>();
    int session = 1_000;
    for (int t = 0; t < whole.txns().size(); t++) {
      SmallHistory.Txn txn = whole.txns().get(t);
      // What counts because others read it is still taken to count.
      Outcome outcome = txn.outcome() == Outcome.INDETERMINATE ? Outcome.COMMITTED : txn.outcome();
      if (kept.get(t)) {
        txns.add(new SmallHistory.Txn(txn.session(), outcome, txn.ops(), txn.start(), txn.end()));
        continue;
      }
      Set<Integer> read = new HashSet<>();
      txn.ops().stream().filter(op -> isRead(whole, kept, op)).forEach(op -> read.add(op.key()));
      List<Op> writes =
          txn.ops().stream()
              .filter(op -> read.contains(op.key()))
              .filter(WitnessesAloneTest::isWrite)
              .toList();
      if (!writes.isEmpty()) {
        txns.add(SmallHistory.Txn.of(session++, outcome, writes));
      }
    }
    return new SmallHistory(txns);
  }

  private static boolean isWrite(Op op) {
    return op instanceof Op.Write || op instanceof Op.Append || op instanceof Op.Add;
  }

  private static boolean isRead(SmallHistory whole, BitSet kept, Op write) {
    return kept.stream()
        .anyMatch(t -> whole.txns().get(t).ops().stream().anyMatch(op -> reads(op, write)));
  }

  private static boolean reads(Op op, Op write) {
    if (write instanceof Op.Write w) {
      return op.equals(new Op.Read(w.key(), w.value()));
    }
    if (write instanceof Op.Append append) {
      return op instanceof Op.ListRead read
          && read.key() == append.key()
          && read.elements().contains(append.value());
    }
    return write instanceof Op.Add add
        && op instanceof Op.SetRead read
        && read.key() == add.key()
        && read.elements().contains(add.value());
  }
}
