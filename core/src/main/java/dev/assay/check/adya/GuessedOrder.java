package dev.assay.check.adya;

import dev.assay.check.LikelyOrder;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.infer.ReadsFrom;
import java.util.Arrays;

/**
 * A guess at a serial order of transactions on registers: each after the one before it in its
 * session, those it read from, and those that wrote versions known to come before its own.
 */
final class GuessedOrder {
  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  private final History history;
  private final ReadsFrom reads;
  private final EdgeList versions;
  private final Digraph versionsByTo;
  private final byte[] state;

  /** Where to go on looking for what precedes a transaction: an operation, then an edge. */
  private final int[] cursor;

  private final int[] stack;
  private final int[] order;

  private GuessedOrder(History history, ReadsFrom reads, EdgeList versions) {
    this.history = history;
    this.reads = reads;
    this.versions = versions;
    int transactions = history.transactionCount();
    this.versionsByTo = Digraph.byTo(transactions, versions);
    this.state = new byte[transactions];
    this.cursor = new int[transactions];
    this.stack = new int[transactions];
    this.order = new int[transactions];
  }

  /** The transactions that count in such an order, or null where there is none. */
  static int[] of(History history, ReadsFrom reads, EdgeList versions) {
    return new GuessedOrder(history, reads, versions).find();
  }

  private int[] find() {
    int placed = 0;
    for (int root : LikelyOrder.of(history)) {
      int depth = state[root] == 0 && reads.counts(root) ? push(root, 0) : 0;
      while (depth > 0) {
        int txn = stack[depth - 1];
        int before = next(txn);
        if (before < 0) {
          state[txn] = DONE;
          order[placed++] = txn;
          depth--;
        } else if (state[before] == OPEN) {
          return null;
        } else if (state[before] == 0) {
          depth = push(before, depth);
        }
      }
    }
    return Arrays.copyOf(order, placed);
  }

  private int push(int txn, int depth) {
    state[txn] = OPEN;
    stack[depth] = txn;
    return depth + 1;
  }

  /** The next transaction that precedes one, or −1. */
  private int next(int txn) {
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
    return next(txn);
  }
}
