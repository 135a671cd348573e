package dev.assay.bench;

import dev.assay.history.History;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * Causal consistency with a vector clock for every transaction, the last writer of each session for
 * every read, and one cycle check over the whole graph: the method of Plume and AWDIT.
 */
final class CausalByVectors {
  private final History history;
  private final ReadsFrom reads;
  private final CausalGraph graph;
  private final int[][] clocks;
  private final int[] stack;

  CausalByVectors(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    this.graph = new CausalGraph(history, reads);
    this.clocks = new int[history.transactionCount()][];
    this.stack = new int[history.transactionCount()];
  }

  boolean holds() {
    if (!graph.isAcyclic()) {
      return false;
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      makeClock(txn);
    }
    for (KeyAccess access : reads.access()) {
      for (int k = 0; k < access.size(); k++) {
        if (!forceEdges(access, k)) {
          return false;
        }
      }
    }
    return graph.isAcyclic();
  }

  /** Depth first over predecessors; each clock is the join of theirs. */
  private void makeClock(int root) {
    int size = 0;
    stack[size++] = root;
    while (size > 0) {
      int txn = stack[size - 1];
      int before = size;
      for (int i = graph.first(txn); clocks[txn] == null && i < graph.end(txn); i++) {
        if (clocks[graph.predecessor(i)] == null) {
          stack[size++] = graph.predecessor(i);
          break;
        }
      }
      if (size == before) {
        size--;
        if (clocks[txn] == null) {
          clocks[txn] = joined(txn);
        }
      }
    }
  }

  private int[] joined(int txn) {
    int[] clock = new int[history.sessionCount()];
    for (int i = graph.first(txn); i < graph.end(txn); i++) {
      int source = graph.predecessor(i);
      int[] other = clocks[source];
      for (int s = 0; s < clock.length; s++) {
        clock[s] = Math.max(clock[s], other[s]);
      }
      int session = history.session(source);
      clock[session] = Math.max(clock[session], history.placeInSession(source) + 1);
    }
    return clock;
  }

  private boolean forceEdges(KeyAccess access, int k) {
    int writers = access.endWriter(k) - access.firstWriter(k);
    long[] bySession = new long[writers];
    for (int w = 0; w < writers; w++) {
      int txn = access.writer(access.firstWriter(k) + w);
      bySession[w] = ((long) history.session(txn) << 32) | history.placeInSession(txn);
    }
    Arrays.sort(bySession);
    for (int r = access.firstRead(k); r < access.endRead(k); r++) {
      int[] clock = clocks[access.reader(r)];
      for (int s = 0; s < clock.length; s++) {
        int at = Arrays.binarySearch(bySession, ((long) s << 32) | clock[s]);
        int last = (at < 0 ? -at - 1 : at) - 1;
        if (last < 0 || (bySession[last] >>> 32) != s) {
          continue;
        }
        int t2 = history.sessionTransaction(s, (int) bySession[last]);
        boolean other = t2 != access.source(r) && t2 != access.reader(r);
        if (other && !graph.force(t2, access.source(r))) {
          return false;
        }
      }
    }
    return true;
  }
}
