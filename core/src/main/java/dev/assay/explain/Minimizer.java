package dev.assay.explain;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * Finds the smallest part of a history that still shows an anomaly.
 *
 * <p>First the history is cut down to the transactions of a witness, and to what they read of each
 * other; almost always that is enough, and all further work is on a handful of transactions however
 * large the history is. Where it is not, the cut is made wider, in the end as wide as the history.
 * What is left then loses sessions, transactions and operations for as long as the anomaly stays
 * ({@link Reduction}). {@link Needs} sees to it that nothing is violated in the part that was not
 * in the whole; beyond that only the same kind of anomaly counts, so that people find in the part
 * what they were told about the whole.
 */
public final class Minimizer {
  /** Decides whether a history is still a case of what is looked for. */
  public interface Judge {
    /**
     * Whether a part violates the level by an anomaly of this type.
     *
     * @param type null for any
     */
    boolean violates(History part, AnomalyType type);
  }

  /** So many transactions take no time to judge. */
  public static final int FEW = 50;

  private final History history;
  private final Judge judge;
  private final Budget budget;

  public Minimizer(History history, Judge judge, Budget budget) {
    this.history = history;
    this.judge = judge;
    this.budget = budget;
  }

  /**
   * The smallest part over all the witnesses of these anomalies, each of which must violate the
   * level that the judge is about. Without anomalies, a part that violates it in any way.
   */
  public Smallest of(List<Anomaly> anomalies) {
    Smallest best = null;
    for (Anomaly anomaly : anomalies) {
      for (Evidence witness : anomaly.witnesses()) {
        if (best == null || !budget.expired()) {
          Smallest found = reduced(cut(anomaly.type(), witness), anomaly.type());
          best = best == null || found.isSmallerThan(best) ? found : best;
        }
      }
    }
    return best == null ? reduced(history, null) : best;
  }

  private Smallest reduced(History part, AnomalyType type) {
    if (budget.expired()) {
      // Even to begin takes a while where much is left.
      return new Smallest(part, type, false);
    }
    return new Reduction(part, type, judge, budget).run();
  }

  /** The first of ever wider cuts around a witness that still shows the anomaly. */
  private History cut(AnomalyType type, Evidence witness) {
    BitSet named = transactions(witness);
    List<Supplier<BitSet>> wider =
        List.of(
            () -> named,
            () -> {
              BitSet sources = new Needs(history, named).transactionsOf(named);
              sources.or(named);
              return sources;
            },
            () -> sharingKeys(witness, named));
    for (Supplier<BitSet> attempt : wider) {
      BitSet transactions = attempt.get();
      if (!mayTry(transactions)) {
        break;
      }
      BitSet operations = operations(transactions);
      Needs needs = new Needs(history, transactions);
      needs.close(operations);
      History part = Part.of(history, transactions, operations, needs);
      if (part != null && mayTry(transactions) && judge.violates(part, type)) {
        return part;
      }
    }
    return history;
  }

  /** Even without time a few transactions are tried rather than to be left with everything. */
  private boolean mayTry(BitSet transactions) {
    return !budget.expired() || transactions.cardinality() <= FEW;
  }

  private BitSet operations(BitSet transactions) {
    BitSet operations = new BitSet();
    for (int t = transactions.nextSetBit(0); t >= 0; t = transactions.nextSetBit(t + 1)) {
      operations.set(history.firstOp(t), history.endOp(t));
    }
    return operations;
  }

  private BitSet transactions(Evidence witness) {
    BitSet transactions = new BitSet();
    witness.operations().forEach(op -> addTransactionOf(op, transactions));
    witness.shownBy().forEach(op -> addTransactionOf(op, transactions));
    addTransactions(witness.edges(), transactions);
    return transactions;
  }

  private void addTransactions(List<Edge> edges, BitSet transactions) {
    Edge.forEachReason(
        edges,
        edge -> {
          for (int txn : new int[] {edge.from(), edge.to()}) {
            if (txn != Edge.INITIAL) {
              transactions.set(txn);
            }
          }
          addTransactionOf(edge.fromOp(), transactions);
          addTransactionOf(edge.toOp(), transactions);
        });
  }

  private void addTransactionOf(int op, BitSet transactions) {
    if (op >= 0) {
      transactions.set(history.transactionOf(op));
    }
  }

  /** All transactions that access a key of the argument, where an order may come from. */
  private BitSet sharingKeys(Evidence witness, BitSet named) {
    BitSet keys = new BitSet();
    Edge.forEachReason(
        witness.edges(),
        edge -> {
          if (edge.key() >= 0) {
            keys.set(edge.key());
          }
        });
    for (int op : witness.operations()) {
      if (op >= 0 && history.key(op) >= 0) {
        keys.set(history.key(op));
      }
    }
    BitSet sharing = (BitSet) named.clone();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.key(op) >= 0 && keys.get(history.key(op))) {
          sharing.set(txn);
        }
      }
    }
    return sharing;
  }
}
