package dev.assay.check.weak;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import java.util.Arrays;

/**
 * A guess at the order of commits: every transaction that counts, after all that must precede it.
 * Found by depth-first search from the transactions in a preferred order, so that it differs from
 * the preference only where it has to.
 */
final class CommitOrder {
  private final int[] order;
  private final int[] rank;

  private CommitOrder(int[] order, int[] rank) {
    this.order = order;
    this.rank = rank;
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

  /** The transactions in this order, to be preferred by the next search. */
  int[] toArray() {
    return order.clone();
  }

  /**
   * What must precede what.
   *
   * @param causality session order, reads and known versions
   * @param sessions whether session order counts
   * @param broken transactions in a circle of causal order; reads inside a circle are left out
   * @param forced further edges
   */
  record Constraints(
      Causality causality, boolean sessions, Circles broken, EdgeList forced, Digraph forcedByTo) {
    Constraints(Causality causality, boolean sessions, Circles broken, EdgeList forced) {
      this(causality, sessions, broken, forced, Digraph.byTo(causality.transactions(), forced));
    }

    /** Whether a read or version edge takes part. */
    boolean keeps(int from, int to) {
      return !broken.together(from, to);
    }
  }

  /** An order that respects the constraints, or null when they form a circle. */
  static CommitOrder find(Constraints constraints, int[] preferred) {
    return new Search(constraints).run(preferred);
  }

  private static final class Search {
    private static final byte UNSEEN = 0;
    private static final byte OPEN = 1;
    private static final byte DONE = 2;

    private final Constraints constraints;
    private final Causality causality;
    private final byte[] state;
    private final int[] cursor;
    private final int[] stack;
    private int depth;
    private final int[] order;
    private int placed;

    Search(Constraints constraints) {
      this.constraints = constraints;
      this.causality = constraints.causality;
      int transactions = causality.transactions();
      state = new byte[transactions];
      cursor = new int[transactions];
      stack = new int[transactions];
      order = new int[transactions];
    }

    CommitOrder run(int[] preferred) {
      for (int root : preferred) {
        if (state[root] == UNSEEN && causality.counts(root)) {
          push(root);
          while (depth > 0) {
            if (!step(stack[depth - 1])) {
              return null;
            }
          }
        }
      }
      int[] rank = new int[state.length];
      Arrays.fill(rank, Causality.NONE);
      for (int i = 0; i < placed; i++) {
        rank[order[i]] = i;
      }
      return new CommitOrder(Arrays.copyOf(order, placed), rank);
    }

    private void push(int txn) {
      state[txn] = OPEN;
      stack[depth++] = txn;
    }

    /** Looks at the next predecessor; false when it is still open, which closes a circle. */
    private boolean step(int txn) {
      int predecessor = next(txn);
      if (predecessor == Causality.NONE) {
        state[txn] = DONE;
        order[placed++] = txn;
        depth--;
        return true;
      }
      if (state[predecessor] == OPEN) {
        return false;
      }
      if (state[predecessor] == UNSEEN) {
        push(predecessor);
      }
      return true;
    }

    /** The next predecessor that takes part, or −1 when there is none left. */
    private int next(int txn) {
      int place = cursor[txn];
      if (place == 0) {
        place++;
        int previous = constraints.sessions ? causality.previous(txn) : Causality.NONE;
        if (previous != Causality.NONE) {
          cursor[txn] = place;
          return previous;
        }
      }
      int sources = causality.endSource(txn) - causality.firstSource(txn);
      while (place - 1 < sources) {
        int source = causality.source(causality.firstSource(txn) + place++ - 1);
        if (constraints.keeps(source, txn)) {
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
