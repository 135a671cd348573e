package dev.assay.solve;

import dev.assay.graph.Digraph;
import java.util.Arrays;

/**
 * Chains of transactions, each wholly before the next: given ones, or a greedy cover of what is
 * known. A clock with one entry per chain then gives the events that precede a node.
 */
final class Lanes {
  private static final int FEW = 64;

  final int count;
  private final int[] lane;
  private final int[] place;
  private final boolean split;

  private Lanes(int count, int[] lane, int[] place, boolean split) {
    this.count = count;
    this.lane = lane;
    this.place = place;
    this.split = split;
  }

  /**
   * Lanes for a problem.
   *
   * @param order a topological order of its nodes
   * @param predecessors what is known to come before each node
   */
  static Lanes of(Polygraph problem, int[] order, Digraph predecessors) {
    if (problem.chain == null) {
      return cover(problem, order, predecessors);
    }
    int count = 0;
    for (int chain : problem.chain) {
      count = Math.max(count, chain + 1);
    }
    Lanes given = new Lanes(count, problem.chain, problem.placeInChain, problem.shape.split);
    if (count <= FEW) {
      return given;
    }
    // If chains are many and short, cover the graph with longer ones along reads.
    Lanes found = cover(problem, order, predecessors);
    return found.count < count ? found : given;
  }

  private static Lanes cover(Polygraph problem, int[] order, Digraph predecessors) {
    int[] lane = new int[problem.transactions];
    int[] place = new int[problem.transactions];
    boolean[] tail = new boolean[problem.transactions];
    Arrays.fill(lane, Polygraph.NONE);
    int count = 0;
    for (int node : order) {
      boolean begins = problem.isEvent(node) && problem.begin(problem.owner[node]) == node;
      if (!begins) {
        continue;
      }
      int txn = problem.owner[node];
      int before = Polygraph.NONE;
      for (int i = predecessors.first(node); i < predecessors.end(node); i++) {
        int from = predecessors.neighbour(i);
        boolean commits = problem.isEvent(from) && problem.commit(problem.owner[from]) == from;
        if (commits && tail[problem.owner[from]]) {
          before = problem.owner[from];
        }
      }
      lane[txn] = before == Polygraph.NONE ? count++ : lane[before];
      place[txn] = before == Polygraph.NONE ? 0 : place[before] + 1;
      if (before != Polygraph.NONE) {
        tail[before] = false;
      }
      tail[txn] = true;
    }
    return new Lanes(count, lane, place, problem.shape.split);
  }

  /** All transactions, lane by lane, each lane in its order. */
  int[] transactions() {
    int[] length = new int[count + 1];
    for (int txn = 0; txn < lane.length; txn++) {
      length[lane[txn] + 1] = Math.max(length[lane[txn] + 1], place[txn] + 1);
    }
    for (int l = 0; l < count; l++) {
      length[l + 1] += length[l];
    }
    int[] at = new int[length[count]];
    Arrays.fill(at, Polygraph.NONE);
    for (int txn = 0; txn < lane.length; txn++) {
      at[length[lane[txn]] + place[txn]] = txn;
    }
    return Arrays.stream(at).filter(txn -> txn != Polygraph.NONE).toArray();
  }

  int lane(int txn) {
    return lane[txn];
  }

  /** The place in its lane at which a transaction begins. */
  int begin(int txn) {
    return split ? 2 * place[txn] : place[txn];
  }

  int commit(int txn) {
    return split ? 2 * place[txn] + 1 : place[txn];
  }
}
