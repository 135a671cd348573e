package dev.assay.bench;

import dev.assay.history.History;
import java.util.Arrays;

/**
 * Clocks in chunks that are shared between transactions until one changes an entry; joining equal
 * chunks costs nothing.
 */
final class ChunkedClocks {
  private static final int BITS = 6;
  private static final int MASK = (1 << BITS) - 1;

  private final History history;
  private final CausalGraph graph;

  ChunkedClocks(History history, CausalGraph graph) {
    this.history = history;
    this.graph = graph;
  }

  long answer(Pasts.Questions questions) {
    int[][][] clocks = new int[history.transactionCount()][][];
    int[][] empty = new int[(history.sessionCount() >>> BITS) + 1][];
    int[] zero = new int[1 << BITS];
    Arrays.fill(empty, zero);
    long answer = 0;
    for (int txn = 0; txn < clocks.length; txn++) {
      int place = history.placeInSession(txn);
      int previous = place == 0 ? -1 : history.sessionTransaction(history.session(txn), place - 1);
      int[][] base = previous < 0 ? empty : clocks[previous];
      int[][] clock = base;
      for (int i = graph.first(txn); i < graph.end(txn); i++) {
        int source = graph.predecessor(i);
        int session = history.session(source);
        int count = history.placeInSession(source) + 1;
        if (source == previous || clock[session >>> BITS][session & MASK] >= count) {
          continue;
        }
        clock = clock == base ? base.clone() : clock;
        for (int c = 0; c < clock.length; c++) {
          clock[c] = joined(clock[c], clocks[source][c]);
        }
        int[] own = clock[session >>> BITS].clone();
        own[session & MASK] = Math.max(own[session & MASK], count);
        clock[session >>> BITS] = own;
      }
      clocks[txn] = clock;
      for (int q = questions.first(txn); q < questions.end(txn); q++) {
        int session = history.session(questions.earlier(q));
        boolean precedes =
            session == history.session(txn)
                || clock[session >>> BITS][session & MASK]
                    > history.placeInSession(questions.earlier(q));
        answer += precedes ? 1 : 0;
      }
    }
    return answer;
  }

  /** One of the two where it has all that the other has, else a new chunk. */
  private static int[] joined(int[] a, int[] b) {
    if (a == b) {
      return a;
    }
    boolean aSuffices = true;
    boolean bSuffices = true;
    for (int i = 0; i < a.length; i++) {
      aSuffices &= a[i] >= b[i];
      bSuffices &= b[i] >= a[i];
    }
    if (aSuffices || bSuffices) {
      return aSuffices ? a : b;
    }
    int[] both = a.clone();
    for (int i = 0; i < both.length; i++) {
      both[i] = Math.max(both[i], b[i]);
    }
    return both;
  }
}
