package dev.assay.check.weak;

import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import java.util.function.IntConsumer;

/**
 * What causally precedes what where causal order has cycles: a vector clock for each group of
 * transactions that precede each other.
 */
final class CyclicPast {
  /** Maximum number of clock entries; no clocks are made for larger histories. */
  private static final long MAX_ENTRIES = 100_000_000;

  private final History history;
  private final Components groups;
  private final int[][] clocks;

  private CyclicPast(Causality causality, EdgeList edges, Components groups) {
    this.history = causality.history();
    this.groups = groups;
    this.clocks = new int[groups.count()][];
    int transactions = causality.transactions();
    EdgeList members = new EdgeList();
    for (int txn = 0; txn < transactions; txn++) {
      members.add(groups.of(txn), txn, 0, 0);
    }
    Digraph byGroup = Digraph.successors(groups.count(), members);
    Digraph entering = Digraph.predecessors(transactions, edges);
    // Groups are numbered backwards: each after those it leads to.
    for (int group = groups.count() - 1; group >= 0; group--) {
      int[] clock = new int[history.sessionCount()];
      for (int m = byGroup.first(group); m < byGroup.end(group); m++) {
        int txn = members.to(byGroup.edge(m));
        for (int i = entering.first(txn); i < entering.end(txn); i++) {
          int before = edges.from(entering.edge(i));
          if (groups.of(before) != group) {
            join(clock, clocks[groups.of(before)]);
          }
          learn(clock, before);
        }
      }
      clocks[group] = clock;
    }
  }

  /** The past by session order and reads; null if it would take too much memory. */
  static CyclicPast of(Causality causality, EdgeList edges, Components groups) {
    long entries = (long) groups.count() * causality.history().sessionCount();
    return entries > MAX_ENTRIES ? null : new CyclicPast(causality, edges, groups);
  }

  /** Whether a transaction causally precedes another one. */
  boolean precedes(int earlier, int later) {
    return clocks[groups.of(later)][history.session(earlier)] > history.placeInSession(earlier);
  }

  /** A buffer for the writers of a key. */
  Writers writers(int count) {
    return new Writers(count);
  }

  /**
   * The writers of one key. Every read of the key is compared with each of them, so what is needed
   * of a writer is looked up once instead of per read.
   */
  final class Writers {
    private final int[] session;
    private final int[] place;
    private final int[][] clock;

    private Writers(int count) {
      this.session = new int[count];
      this.place = new int[count];
      this.clock = new int[count][];
    }

    /** Sets a writer; those that do not count precede nothing. */
    void set(int index, int txn, boolean counts) {
      session[index] = history.session(txn);
      place[index] = counts ? history.placeInSession(txn) : Integer.MAX_VALUE;
      clock[index] = clocks[groups.of(txn)];
    }

    /** Passes on those that precede t3 and that t1, unless it is negative, precedes. */
    void between(int t1, int t3, IntConsumer found) {
      int[] past = clocks[groups.of(t3)];
      int first = t1 < 0 ? 0 : history.session(t1);
      int before = t1 < 0 ? -1 : history.placeInSession(t1);
      for (int i = 0; i < session.length; i++) {
        if (past[session[i]] > place[i] && clock[i][first] > before) {
          found.accept(i);
        }
      }
    }
  }

  private void learn(int[] clock, int txn) {
    int session = history.session(txn);
    clock[session] = Math.max(clock[session], history.placeInSession(txn) + 1);
  }

  private static void join(int[] into, int[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], other[i]);
    }
  }
}
