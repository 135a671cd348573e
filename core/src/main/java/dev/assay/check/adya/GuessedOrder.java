package dev.assay.check.adya;

import dev.assay.check.LikelyOrder;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import dev.assay.history.History;
import dev.assay.resolve.ReadsFrom;

/**
 * A guess at a serial order of transactions on registers: each after the one before it in its
 * session, those it read from, and those that wrote versions known to come before its own.
 */
public final class GuessedOrder extends TopologicalOrder {
  private final History history;
  private final ReadsFrom reads;
  private final EdgeList versions;
  private final Digraph versionsByTo;

  /** Where to resume the search for predecessors of a transaction: an operation, then an edge. */
  private final int[] cursor;

  private GuessedOrder(History history, ReadsFrom reads, EdgeList versions) {
    super(history.transactionCount());
    this.history = history;
    this.reads = reads;
    this.versions = versions;
    this.versionsByTo = Digraph.predecessors(history.transactionCount(), versions);
    this.cursor = new int[history.transactionCount()];
  }

  /** The transactions that count in such an order, or null if there is none. */
  public static int[] of(History history, ReadsFrom reads, EdgeList versions) {
    return new GuessedOrder(history, reads, versions).find(LikelyOrder.of(history));
  }

  @Override
  protected boolean includes(int txn) {
    return reads.counts(txn);
  }

  @Override
  protected int nextPredecessor(int txn) {
    int step = cursor[txn]++;
    if (step == 0) {
      return previousInSession(txn);
    }
    int operations = history.endOp(txn) - history.firstOp(txn);
    while (step <= operations) {
      int source = reads.source(history.firstOp(txn) + step - 1);
      int writer = source < 0 ? txn : history.transactionOf(source);
      if (writer != txn && reads.counts(writer)) {
        return writer;
      }
      step = cursor[txn]++;
    }
    int place = versionsByTo.first(txn) + step - operations - 1;
    return place < versionsByTo.end(txn) ? versions.from(versionsByTo.edge(place)) : -1;
  }

  private int previousInSession(int txn) {
    for (int place = history.placeInSession(txn) - 1; place >= 0; place--) {
      int before = history.sessionTransaction(history.session(txn), place);
      if (reads.counts(before)) {
        return before;
      }
    }
    return nextPredecessor(txn);
  }
}
