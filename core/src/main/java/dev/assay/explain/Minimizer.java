package dev.assay.explain;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * Finds the smallest part of a history that still shows an anomaly.
 *
 * <p>First the history is cut down to the transactions of a witness and what they read from each
 * other. That is almost always enough, and all further work is on a handful of transactions however
 * large the history is. Where it is not, the cut widens, in the end to the whole history. {@link
 * Reduction} then drops sessions, transactions and operations for as long as the anomaly stays.
 * {@link Needs} makes sure that the part violates nothing that the whole did not; beyond that only
 * the same kind of anomaly counts, so that the part shows what was reported for the whole.
 */
public final class Minimizer {
  /** Decides whether a part of a history still shows the anomaly. */
  public interface Judge {
    /**
     * Whether a part violates the level by an anomaly of this type.
     *
     * @param type null for any
     */
    boolean violates(History part, AnomalyType type);
  }

  /** The same for a part with what is left of a certificate. */
  public interface CertifiedJudge {
    boolean violates(History part, VersionCertificate certificate, AnomalyType type);
  }

  /** Maximum number of transactions that are judged even when the budget is used up. */
  public static final int FEW = 50;

  private final History history;
  private final VersionCertificate certificate;
  private final CertifiedJudge judge;
  private final Budget budget;

  public Minimizer(History history, Judge judge, Budget budget) {
    this(
        history, VersionCertificate.NONE, (part, none, type) -> judge.violates(part, type), budget);
  }

  public Minimizer(
      History history, VersionCertificate certificate, CertifiedJudge judge, Budget budget) {
    this.history = history;
    this.certificate = certificate;
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
          CertifiedPart part = cut(anomaly.type(), witness);
          Smallest found = part == null ? null : reduced(part, anomaly.type());
          boolean better = found != null && (best == null || found.isSmallerThan(best));
          best = better ? found : best;
        }
      }
    }
    // Reducing the whole history is slow and hardly ever gives less than a cut does.
    return best != null
        ? best
        : reduced(uncut(), anomalies.isEmpty() ? null : anomalies.get(0).type());
  }

  /** A small part that shows an anomaly, by the first witness whose transactions suffice. */
  public Smallest ofFirst(Anomaly anomaly) {
    for (Evidence witness : anomaly.witnesses()) {
      CertifiedPart part = cut(anomaly.type(), witness);
      if (part != null) {
        return reduced(part, anomaly.type());
      }
    }
    return reduced(uncut(), anomaly.type());
  }

  private CertifiedPart uncut() {
    return new CertifiedPart(history, certificate);
  }

  private Smallest reduced(CertifiedPart part, AnomalyType type) {
    if (budget.expired()) {
      // On a large part even the first attempt takes a while.
      return new Smallest(part.history(), part.certificate(), type, false);
    }
    return new Reduction(part, type, judge, budget).run();
  }

  /** Some transactions, and the operations of them to start from. */
  private record Cut(BitSet transactions, BitSet operations) {}

  /** The narrowest cut around a witness that still shows the anomaly; null if none does. */
  private CertifiedPart cut(AnomalyType type, Evidence witness) {
    BitSet named = transactions(witness);
    List<Supplier<Cut>> wider = new ArrayList<>();
    if (history.predicates().count() > 0) {
      // Other operations would only add to what predicates need.
      wider.add(() -> new Cut(named, argued(named, witness)));
      wider.add(
          () -> {
            BitSet sources = withSources(named, argued(named, witness));
            return new Cut(sources, argued(sources, witness));
          });
    }
    wider.add(() -> whole(named));
    wider.add(() -> whole(withSources(named, operations(named))));
    wider.add(() -> whole(sharingKeys(witness, named)));
    for (Supplier<Cut> attempt : wider) {
      Cut cut = attempt.get();
      if (!mayTry(cut.transactions)) {
        break;
      }
      Needs needs = new Needs(history, cut.transactions);
      needs.close(cut.operations);
      CertifiedPart part = uncut().part(cut.transactions, cut.operations, needs);
      if (part != null && mayTry(cut.transactions) && part.violates(judge, type)) {
        return part;
      }
    }
    return null;
  }

  private Cut whole(BitSet transactions) {
    return new Cut(transactions, operations(transactions));
  }

  private BitSet withSources(BitSet named, BitSet operations) {
    BitSet sources = new Needs(history, named).transactionsOf(operations);
    sources.or(named);
    return sources;
  }

  /** A few transactions are tried even when time is up; the alternative is the whole history. */
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

  /** The predicate operations of the argument, and all others on its keys. */
  private BitSet argued(BitSet transactions, Evidence witness) {
    BitSet keys = keys(witness);
    BitSet predicates = predicates(witness);
    BitSet operations = operations(transactions);
    for (int op = operations.nextSetBit(0); op >= 0; op = operations.nextSetBit(op + 1)) {
      boolean stays =
          history.kind(op).isPredicate() ? predicates.get(op) : keys.get(history.key(op));
      operations.set(op, stays);
    }
    return operations;
  }

  private BitSet predicates(Evidence witness) {
    BitSet predicates = new BitSet();
    witness.operations().forEach(op -> addPredicate(op, predicates));
    Edge.forEachReason(
        witness.edges(),
        edge -> {
          addPredicate(edge.fromOp(), predicates);
          addPredicate(edge.toOp(), predicates);
        });
    return predicates;
  }

  private void addPredicate(int op, BitSet predicates) {
    if (op >= 0 && history.kind(op).isPredicate()) {
      predicates.set(op);
    }
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

  /** The keys of the argument. */
  private BitSet keys(Evidence witness) {
    BitSet keys = new BitSet();
    Edge.forEachReason(
        witness.edges(),
        edge -> {
          if (edge.key() >= 0) {
            keys.set(edge.key());
          }
        });
    for (int op : witness.operations()) {
      // For a predicate operation, the keys of its rows.
      for (int each = op; each >= 0 && each < history.nextOp(op); each++) {
        if (history.key(each) >= 0) {
          keys.set(history.key(each));
        }
      }
    }
    return keys;
  }

  /** All transactions that access a key of the argument: version orders may come from them. */
  private BitSet sharingKeys(Evidence witness, BitSet named) {
    BitSet keys = keys(witness);
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
