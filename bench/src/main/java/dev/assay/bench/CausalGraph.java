package dev.assay.bench;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/** Session order and reads as a plain graph, and the commit order edges that are forced. */
final class CausalGraph {
  private final int transactions;
  private final int[] first;
  private final int[] predecessor;
  private final EdgeList edges = new EdgeList();

  CausalGraph(History history, ReadsFrom reads) {
    transactions = history.transactionCount();
    first = new int[transactions + 1];
    int[] found = new int[history.operationCount() + transactions];
    int size = 0;
    for (int txn = 0; txn < transactions; txn++) {
      int place = history.placeInSession(txn);
      if (place > 0) {
        found[size++] = history.sessionTransaction(history.session(txn), place - 1);
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int write = reads.source(op);
        int writer = write < 0 ? -1 : history.transactionOf(write);
        if (writer >= 0 && writer != txn) {
          found[size++] = writer;
        }
      }
      first[txn + 1] = size;
    }
    predecessor = Arrays.copyOf(found, size);
    for (int txn = 0; txn < transactions; txn++) {
      for (int i = first[txn]; i < first[txn + 1]; i++) {
        edges.add(predecessor[i], txn, 0, 0);
      }
    }
  }

  int first(int txn) {
    return first[txn];
  }

  int end(int txn) {
    return first[txn + 1];
  }

  int predecessor(int place) {
    return predecessor[place];
  }

  /** Adds an edge; false when it leads into the initial version. */
  boolean force(int from, int to) {
    if (to == ReadsFrom.INITIAL) {
      return false;
    }
    edges.add(from, to, 0, 0);
    return true;
  }

  boolean isAcyclic() {
    return Components.of(transactions, edges).count() == transactions;
  }
}
