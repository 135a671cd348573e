package dev.assay.bench;

import dev.assay.history.History;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;

/** Causal consistency with a search for every question "does t2 causally precede t3". */
final class CausalByTraversal {
  private final CausalGraph graph;
  private final ReadsFrom reads;
  private final int[] seen;
  private final int[] stack;
  private int stamp;

  CausalByTraversal(History history, ReadsFrom reads) {
    this.graph = new CausalGraph(history, reads);
    this.reads = reads;
    this.seen = new int[history.transactionCount()];
    this.stack = new int[history.transactionCount()];
  }

  boolean holds() {
    for (KeyAccess access : reads.access()) {
      for (int k = 0; k < access.size(); k++) {
        for (int r = access.firstRead(k); r < access.endRead(k); r++) {
          markPast(access.reader(r));
          for (int w = access.firstWriter(k); w < access.endWriter(k); w++) {
            int t2 = access.writer(w);
            boolean bound = t2 != access.reader(r) && t2 != access.source(r) && seen[t2] == stamp;
            if (bound && !graph.force(t2, access.source(r))) {
              return false;
            }
          }
        }
      }
    }
    return graph.isAcyclic();
  }

  /** Marks all transactions that causally precede this one. */
  private void markPast(int txn) {
    stamp++;
    int size = 0;
    stack[size++] = txn;
    while (size > 0) {
      int next = stack[--size];
      for (int i = graph.first(next); i < graph.end(next); i++) {
        int before = graph.predecessor(i);
        if (seen[before] != stamp) {
          seen[before] = stamp;
          stack[size++] = before;
        }
      }
    }
  }
}
