package dev.assay.explain;

import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Removes from a history whatever an anomaly does not need: whole sessions, then transactions in
 * halves, quarters and so on down to single ones, then operations likewise, until nothing more can
 * be removed (delta debugging, Zeller and Hildebrandt 2002, without its complement step, which
 * helps only where few parts are needed; the cut around a witness has found those already).
 *
 * <p>Removing an operation also removes what {@linkplain Needs needs} it. The order of attempts
 * depends on sessions and places in them, not on how sessions interleave in the file.
 */
final class Reduction {
  private final CertifiedPart certified;
  private final History whole;
  private final AnomalyType type;
  private final Minimizer.CertifiedJudge judge;
  private final Budget budget;
  private final Needs needs;

  /** What is kept so far. */
  private BitSet operations = new BitSet();

  private BitSet transactions = new BitSet();
  private CertifiedPart smallest;

  Reduction(
      CertifiedPart certified, AnomalyType type, Minimizer.CertifiedJudge judge, Budget budget) {
    this.certified = certified;
    this.whole = certified.history();
    this.type = type;
    this.judge = judge;
    this.budget = budget;
    transactions.set(0, whole.transactionCount());
    operations.set(0, whole.operationCount());
    this.needs = new Needs(whole, transactions);
    this.smallest = certified;
  }

  Smallest run() {
    leaveOutEmpty();
    leaveOut(sessions());
    boolean changed = true;
    while (changed && !budget.expired()) {
      changed = leaveOut(single(true));
      changed |= leaveOut(single(false));
    }
    boolean minimal = !changed && !budget.expired();
    return new Smallest(smallest.history(), smallest.certificate(), type, minimal);
  }

  /** Removes transactions without operations: all at once, or else one by one. */
  private void leaveOutEmpty() {
    BitSet empty = new BitSet();
    transactions.stream().filter(this::isEmpty).forEach(empty::set);
    if (empty.isEmpty() || attempt(operations, empty)) {
      return;
    }
    for (int t = empty.nextSetBit(0); t >= 0 && !budget.expired(); t = empty.nextSetBit(t + 1)) {
      BitSet one = new BitSet();
      one.set(t);
      attempt(operations, one);
    }
  }

  private boolean isEmpty(int txn) {
    return whole.firstOp(txn) == whole.endOp(txn);
  }

  /** The operations of each session, as a unit. */
  private List<int[]> sessions() {
    int[] sizes = new int[whole.sessionCount()];
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      sizes[whole.session(txn)] += whole.endOp(txn) - whole.firstOp(txn);
    }
    List<int[]> units = new ArrayList<>();
    for (int size : sizes) {
      units.add(new int[size]);
    }
    int[] filled = new int[sizes.length];
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      int session = whole.session(txn);
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        units.get(session)[filled[session]++] = op;
      }
    }
    return units;
  }

  /** What is kept, one unit per transaction or per operation. */
  private List<int[]> single(boolean byTransaction) {
    List<Integer> order = new ArrayList<>();
    transactions.stream().forEach(order::add);
    order.sort(
        Comparator.comparing((Integer txn) -> whole.sessionText(whole.session(txn)))
            .thenComparing(whole::placeInSession));
    List<int[]> units = new ArrayList<>();
    for (int txn : order) {
      int[] unit =
          IntStream.range(whole.firstOp(txn), whole.endOp(txn)).filter(operations::get).toArray();
      if (byTransaction) {
        units.add(unit);
      } else {
        for (int op : unit) {
          units.add(new int[] {op});
        }
      }
    }
    return units;
  }

  /** Tries to remove units, many at a time and then fewer; returns whether any was removed. */
  private boolean leaveOut(List<int[]> units) {
    boolean any = false;
    for (int size = Math.max(1, units.size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from < units.size() && !budget.expired(); from += size) {
        BitSet without = new BitSet();
        for (int[] unit : units.subList(from, Math.min(from + size, units.size()))) {
          for (int op : unit) {
            without.set(op);
          }
        }
        any |= attempt(without);
      }
    }
    return any;
  }

  private boolean attempt(BitSet without) {
    if (!without.intersects(operations)) {
      return false;
    }
    BitSet kept = (BitSet) operations.clone();
    kept.andNot(without);
    needs.close(kept);
    BitSet emptied = new BitSet();
    for (int t = transactions.nextSetBit(0); t >= 0; t = transactions.nextSetBit(t + 1)) {
      int next = kept.nextSetBit(whole.firstOp(t));
      emptied.set(t, !isEmpty(t) && (next < 0 || next >= whole.endOp(t)));
    }
    return attempt(kept, emptied);
  }

  private boolean attempt(BitSet keptOperations, BitSet withoutTransactions) {
    BitSet keptTransactions = (BitSet) transactions.clone();
    keptTransactions.andNot(withoutTransactions);
    CertifiedPart part = certified.part(keptTransactions, keptOperations, needs);
    if (part == null || !part.violates(judge, type)) {
      return false;
    }
    operations = keptOperations;
    transactions = keptTransactions;
    smallest = part;
    return true;
  }
}
