package dev.assay.check.adya;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.graph.RealTimeChain;
import dev.assay.history.History;
import dev.assay.infer.Dependencies;
import dev.assay.infer.TimestampOrder;
import dev.assay.infer.predicates.PredicateDependencies;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.ReadsFrom;
import java.util.function.IntPredicate;

/**
 * The dependencies between transactions with session order and real time.
 *
 * <p>Real time is a line of moments, so it takes linear size however many transactions overlap:
 * each transaction leads to the moment it ended at, each moment to the next, and the last moment
 * before a transaction began leads to it. The database's own timestamps are another such line.
 * Moments, like the hubs of {@link Dependencies}, are numbered from {@link #transactions} on; an
 * edge that leaves one continues the edge that entered it.
 */
final class AdyaGraph {
  // Kinds of edges, as sets of one.
  static final int WW = EdgeKind.WW.bit();
  static final int WR = EdgeKind.WR.bit();
  static final int RW = EdgeKind.RW.bit();
  static final int SO = EdgeKind.SO.bit();
  static final int RT = EdgeKind.RT.bit();
  static final int TIMESTAMP = EdgeKind.TIMESTAMP.bit();

  private final Dependencies dependencies;
  private final PredicateDependencies predicates;
  private final History history;
  private final EdgeList edges;
  private int nodes;
  private boolean timestamps;

  /**
   * The graph of a history.
   *
   * @param predicates what predicate operations depend on; null if unknown
   */
  AdyaGraph(Dependencies dependencies, PredicateDependencies predicates) {
    this.dependencies = dependencies;
    this.predicates = predicates;
    this.history = dependencies.history();
    this.edges = new EdgeList(room(dependencies));
    edges.addAll(dependencies.edges());
    this.nodes = dependencies.nodes();
    addSessions();
    if (history.hasTimes()) {
      addRealTime();
    }
    if (dependencies.versions().given().assumes(Assumption.TIMESTAMPS)) {
      addTimestamps();
    }
    if (hasPredicates()) {
      addPredicates();
    }
  }

  /**
   * Room for the dependencies, one edge per transaction in its session and three on the line of
   * real time, so that the list does not have to grow: it is the largest thing here.
   */
  private static int room(Dependencies dependencies) {
    int perTransaction = dependencies.history().hasTimes() ? 4 : 1;
    long edges = dependencies.edges().size() + (long) perTransaction * dependencies.transactions();
    return (int) Math.min(edges, Integer.MAX_VALUE - 8);
  }

  /** The same with more ww edges between transactions, labelled with their keys. */
  private AdyaGraph(AdyaGraph base, EdgeList overwrites) {
    this.dependencies = base.dependencies;
    this.predicates = base.predicates;
    this.history = base.history;
    this.nodes = base.nodes;
    this.timestamps = base.timestamps;
    this.edges = new EdgeList();
    edges.addAll(base.edges);
    for (int i = 0; i < overwrites.size(); i++) {
      edges.add(overwrites.from(i), overwrites.to(i), EdgeKind.WW.ordinal(), overwrites.label(i));
    }
  }

  AdyaGraph with(EdgeList overwrites) {
    return new AdyaGraph(this, overwrites);
  }

  Dependencies dependencies() {
    return dependencies;
  }

  /** What predicate operations depend on; null if unknown. */
  PredicateDependencies predicates() {
    return predicates;
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
    return 1 << Dependencies.kind(edges.label(edge));
  }

  EdgeKind edgeKind(int edge) {
    return EdgeKind.of(Dependencies.kind(edges.label(edge)));
  }

  /** Whether an edge is a dependency by a predicate rather than on an item. */
  boolean isByPredicate(int edge) {
    return (edges.label(edge) & Dependencies.BY_PREDICATE) != 0;
  }

  /** Whether a predicate operation makes an edge, be it one on an item that it updated. */
  boolean isOfPredicateOperation(int edge) {
    return (edges.label(edge) & (Dependencies.BY_PREDICATE | Dependencies.BY_UPDATE)) != 0;
  }

  boolean hasPredicates() {
    return predicates != null;
  }

  boolean isTransaction(int node) {
    return node < transactions();
  }

  /** Whether anything is known about real time. */
  boolean hasRealTime() {
    return history.hasTimes() || timestamps;
  }

  /** The start order of the database's own timestamps, where the user trusts them. */
  private void addTimestamps() {
    int before = edges.size();
    TimestampOrder.build(history, dependencies.reads(), new Chain(EdgeKind.TIMESTAMP));
    timestamps = edges.size() > before;
  }

  private void addPredicates() {
    EdgeList more = predicates.edges(nodes, edges);
    for (int i = 0; i < more.size(); i++) {
      edges.add(more.from(i), more.to(i), more.label(i), more.mark(i));
    }
  }

  private void addSessions() {
    ReadsFrom reads = dependencies.reads();
    for (int session = 0; session < history.sessionCount(); session++) {
      int last = -1;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        if (reads.counts(txn)) {
          if (last >= 0) {
            edges.add(last, txn, EdgeKind.SO.ordinal(), -1);
          }
          last = txn;
        }
      }
    }
  }

  private void addRealTime() {
    int[] begun = known(txn -> history.start(txn) != History.ABSENT);
    int[] ended = known(txn -> history.knownEnd(txn) != History.ABSENT);
    RealTimeChain.build(begun, history::start, ended, history::end, new Chain(EdgeKind.RT));
  }

  /** Adds the instants of an order as nodes, and its steps as edges of a kind. */
  private final class Chain implements RealTimeChain.Sink {
    private final int kind;

    Chain(EdgeKind kind) {
      this.kind = kind.ordinal();
    }

    @Override
    public int instant(int before) {
      if (before >= 0) {
        edges.add(before, nodes, kind, -1);
      }
      return nodes++;
    }

    @Override
    public void ended(int txn, int instant) {
      edges.add(txn, instant, kind, -1);
    }

    @Override
    public void began(int instant, int txn) {
      edges.add(instant, txn, kind, -1);
    }
  }

  private int[] known(IntPredicate condition) {
    IntList known = new IntList();
    for (int txn = 0; txn < transactions(); txn++) {
      if (dependencies.reads().counts(txn) && condition.test(txn)) {
        known.add(txn);
      }
    }
    return known.toArray();
  }
}
