package dev.assay.check.weak;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import java.util.Arrays;
import java.util.BitSet;

/** A candidate commit order: all transactions that count, each after those that must precede it. */
final class CommitOrder {
  private final int[] order;
  private final int[] rank;
  private final BitSet moved;

  private CommitOrder(int[] order, int[] rank, BitSet moved) {
    this.order = order;
    this.rank = rank;
    this.moved = moved;
  }

  int size() {
    return order.length;
  }

  int at(int place) {
    return order[place];
  }

  /** The place of a transaction that counts; −1 for any other. */
  int rank(int txn) {
    return rank[txn];
  }

  /**
   * Transactions that go before others preferred to them. The rest is in the order preferred, so of
   * two transactions in another order than that, one is among these.
   */
  BitSet moved() {
    return moved;
  }

  /** The transactions in this order, for the next search to prefer. */
  int[] toArray() {
    return order.clone();
  }

  /**
   * What must precede what.
   *
   * @param causality session order, reads and known versions
   * @param sessions whether session order counts
   * @param broken transactions in a cycle of causal order; reads inside a cycle are left out
   * @param forced further edges
   */
  record Constraints(
      Causality causality,
      boolean sessions,
      CausalCycles broken,
      EdgeList forced,
      Digraph forcedByTo) {
    Constraints(Causality causality, boolean sessions, CausalCycles broken, EdgeList forced) {
      this(
          causality,
          sessions,
          broken,
          forced,
          Digraph.predecessors(causality.transactions(), forced));
    }

    /** Whether a read or version edge takes part. */
    boolean keeps(int from, int to) {
      return !broken.together(from, to);
    }
  }

  /** An order that respects the constraints, or null when they form a cycle. */
  static CommitOrder find(Constraints constraints, int[] preferred) {
    Search search = new Search(constraints);
    int[] order = search.find(preferred);
    if (order == null) {
      return null;
    }
    int[] rank = new int[constraints.causality.transactions()];
    Arrays.fill(rank, Causality.NONE);
    for (int i = 0; i < order.length; i++) {
      rank[order[i]] = i;
    }
    return new CommitOrder(order, rank, search.moved);
  }

  private static final class Search extends TopologicalOrder {
    private final Constraints constraints;
    private final Causality causality;
    private final int[] cursor;
    private final BitSet moved = new BitSet();

    Search(Constraints constraints) {
      super(constraints.causality.transactions());
      this.constraints = constraints;
      this.causality = constraints.causality;
      this.cursor = new int[causality.transactions()];
    }

    @Override
    protected boolean includes(int txn) {
      return causality.counts(txn);
    }

    @Override
    protected void movesUp(int txn) {
      moved.set(txn);
    }

    @Override
    protected int nextPredecessor(int txn) {
      int place = cursor[txn];
      if (place == 0) {
        place++;
        int previous = constraints.sessions ? causality.previous(txn) : Causality.NONE;
        if (previous != Causality.NONE) {
          cursor[txn] = place;
          return previous;
        }
      }
      int first = causality.firstSource(txn);
      int sources = causality.endSource(txn) - first;
      while (place - 1 < sources) {
        int source = causality.source(first + place++ - 1);
        // Nearly all are placed; skipping them here saves an iteration of the search per read.
        if (!isPlaced(source) && constraints.keeps(source, txn)) {
          cursor[txn] = place;
          return source;
        }
      }
      Digraph versions = causality.versionsByTo();
      int known = versions.end(txn) - versions.first(txn);
      while (place - 1 - sources < known) {
        int edge = versions.edge(versions.first(txn) + place++ - 1 - sources);
        int writer = causality.versions().from(edge);
        if (constraints.keeps(writer, txn)) {
          cursor[txn] = place;
          return writer;
        }
      }
      Digraph forced = constraints.forcedByTo;
      int more = forced.end(txn) - forced.first(txn);
      int at = place - 1 - sources - known;
      cursor[txn] = place + 1;
      return at < more
          ? constraints.forced.from(forced.edge(forced.first(txn) + at))
          : Causality.NONE;
    }
  }
}
