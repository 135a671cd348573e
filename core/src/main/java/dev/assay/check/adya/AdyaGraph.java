package dev.assay.check.adya;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.infer.Dependencies;
import dev.assay.infer.ReadsFrom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The dependencies between transactions with session order and real time.
 *
 * <p>Real time is a line of moments, so it takes linear size however many transactions overlap:
 * each transaction leads to the moment it ended at, each moment to the next, and the last moment
 * before a transaction began leads to it. Moments, like the hubs of {@link Dependencies}, are
 * numbered from {@link #transactions} on; an edge that leaves one continues the edge that entered
 * it.
 */
final class AdyaGraph {
  static final int WW = 1 << Dependencies.WW;
  static final int WR = 1 << Dependencies.WR;
  static final int RW = 1 << Dependencies.RW;
  static final int SO = 1 << 3;
  static final int RT = 1 << 4;

  private static final int SO_LABEL = 3;
  private static final int RT_LABEL = 4;

  private final Dependencies dependencies;
  private final History history;
  private final EdgeList edges;
  private int nodes;

  AdyaGraph(Dependencies dependencies) {
    this.dependencies = dependencies;
    this.history = dependencies.history();
    this.edges = dependencies.edges();
    this.nodes = dependencies.nodes();
    addSessions();
    if (history.hasTimes()) {
      addRealTime();
    }
  }

  /** The same with more ww edges between transactions, labelled with their keys. */
  private AdyaGraph(AdyaGraph base, EdgeList overwrites) {
    this.dependencies = base.dependencies;
    this.history = base.history;
    this.nodes = base.nodes;
    this.edges = new EdgeList();
    edges.addAll(base.edges);
    for (int i = 0; i < overwrites.size(); i++) {
      edges.add(overwrites.from(i), overwrites.to(i), Dependencies.WW, overwrites.label(i));
    }
  }

  AdyaGraph with(EdgeList overwrites) {
    return new AdyaGraph(this, overwrites);
  }

  Dependencies dependencies() {
    return dependencies;
  }

  History history() {
    return history;
  }

  int transactions() {
    return history.transactionCount();
  }

  int nodes() {
    return nodes;
  }

  EdgeList edges() {
    return edges;
  }

  /** The kind of an edge as a bit: {@link #WW}, {@link #WR}, {@link #RW}, … */
  int kind(int edge) {
    return 1 << edges.label(edge);
  }

  boolean isTransaction(int node) {
    return node < transactions();
  }

  private void addSessions() {
    ReadsFrom reads = dependencies.reads();
    for (int session = 0; session < history.sessionCount(); session++) {
      int last = -1;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        if (reads.counts(txn)) {
          if (last >= 0) {
            edges.add(last, txn, SO_LABEL, -1);
          }
          last = txn;
        }
      }
    }
  }

  /**
   * Goes over all beginnings and ends in order of time. Ends with no beginning in between share a
   * moment. Where an end and a beginning have the same time the beginning comes first, because
   * neither is then before the other.
   */
  private void addRealTime() {
    int[] begun = known(txn -> history.start(txn) != History.ABSENT);
    int[] ended = known(this::endsKnown);
    begun = Sorted.by(begun, history::start);
    ended = Sorted.by(ended, history::end);
    int moment = -1;
    boolean open = false;
    int next = 0;
    for (int txn : begun) {
      while (next < ended.length && history.end(ended[next]) < history.start(txn)) {
        if (!open) {
          if (moment >= 0) {
            edges.add(moment, nodes, RT_LABEL, -1);
          }
          moment = nodes++;
          open = true;
        }
        edges.add(ended[next++], moment, RT_LABEL, -1);
      }
      if (moment >= 0) {
        edges.add(moment, txn, RT_LABEL, -1);
        open = false;
      }
    }
  }

  private int[] known(IntPredicate condition) {
    return IntStream.range(0, transactions())
        .filter(txn -> dependencies.reads().counts(txn) && condition.test(txn))
        .toArray();
  }

  /** A transaction whose outcome is unknown may have taken effect at any time after. */
  private boolean endsKnown(int txn) {
    long end = history.end(txn);
    boolean sane = history.start(txn) == History.ABSENT || history.start(txn) <= end;
    return history.isCommitted(txn) && end != History.ABSENT && sane;
  }
}
