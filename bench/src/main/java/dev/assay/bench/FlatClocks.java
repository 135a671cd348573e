package dev.assay.bench;

import dev.assay.history.History;

/**
 * A clock of an entry a session for every transaction, in windows of sessions where all would not
 * fit; a source already in the past is skipped, and a clock that would not change is shared.
 */
final class FlatClocks {
  private final History history;
  private final CausalGraph graph;
  private long joined;
  private long changed;

  FlatClocks(History history, CausalGraph graph) {
    this.history = history;
    this.graph = graph;
  }

  /** How many entries were compared in joins. */
  long joined() {
    return joined;
  }

  /** How many of them changed: what a join of tree clocks has to touch at least. */
  long changed() {
    return changed;
  }

  long answer(Pasts.Questions questions) {
    long room = Runtime.getRuntime().maxMemory() / 4;
    int width = (int) Math.max(1, room / (4L * history.transactionCount()));
    long answer = 0;
    for (int from = 0; from < history.sessionCount(); from += width) {
      answer += answer(questions, from, Math.min(width, history.sessionCount() - from));
    }
    return answer;
  }

  private long answer(Pasts.Questions questions, int from, int width) {
    int[][] clocks = new int[history.transactionCount()][];
    int[] scratch = new int[width];
    long answer = 0;
    for (int txn = 0; txn < clocks.length; txn++) {
      int place = history.placeInSession(txn);
      int previous = place == 0 ? -1 : history.sessionTransaction(history.session(txn), place - 1);
      int[] clock = previous < 0 ? new int[width] : clocks[previous];
      for (int i = graph.first(txn); i < graph.end(txn); i++) {
        int source = graph.predecessor(i);
        int entry = history.session(source) - from;
        boolean covered = entry >= 0 && entry < width;
        int count = history.placeInSession(source) + 1;
        if (source == previous || (covered && clock[entry] >= count)) {
          continue;
        }
        if (clock != scratch) {
          System.arraycopy(clock, 0, scratch, 0, width);
          clock = scratch;
        }
        join(scratch, clocks[source]);
        if (covered) {
          scratch[entry] = Math.max(scratch[entry], count);
        }
      }
      clocks[txn] = clock == scratch ? scratch.clone() : clock;
      for (int q = questions.first(txn); q < questions.end(txn); q++) {
        int earlier = questions.earlier(q);
        int entry = history.session(earlier) - from;
        if (entry >= 0 && entry < width) {
          boolean sameSession = history.session(earlier) == history.session(txn);
          boolean precedes = sameSession || clocks[txn][entry] > history.placeInSession(earlier);
          answer += precedes ? 1 : 0;
        }
      }
    }
    return answer;
  }

  private void join(int[] into, int[] other) {
    int different = 0;
    for (int i = 0; i < into.length; i++) {
      different += other[i] > into[i] ? 1 : 0;
      into[i] = Math.max(into[i], other[i]);
    }
    joined += into.length;
    changed += different;
  }
}
