package dev.assay.infer;

import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import dev.assay.type.AsRegisters;
import dev.assay.type.KnownOrders;
import dev.assay.type.TypeDependencies;
import java.util.ArrayList;
import java.util.List;

/**
 * All that is known of the version orders before any level is considered: what reads of lists show,
 * what the user assumes about registers, and what a certificate gives. Each part is computed on
 * first use, because many histories are decided without it. Thread-safe.
 */
public final class VersionOrders {
  private final History history;
  private final ReadsFrom reads;
  private final Given given;
  private ListVersions lists;
  private GivenLists givenLists;
  private RegisterVersions registers;
  private EdgeList order;
  private RowVersions rows;
  private AsRegisters asRegisters;

  public VersionOrders(History history, ReadsFrom reads, Given given) {
    this.history = history;
    this.reads = reads;
    this.given = given;
  }

  /**
   * Version orders that are already known.
   *
   * @param order edges between transactions that wrote versions of a key, labelled with the key
   */
  public static VersionOrders known(History history, ReadsFrom reads, EdgeList order) {
    VersionOrders orders = new VersionOrders(history, reads, Given.NOTHING);
    orders.order = order;
    return orders;
  }

  public Given given() {
    return given;
  }

  public synchronized ListVersions lists() {
    if (lists == null) {
      lists = new ListVersions(history, reads);
    }
    return lists;
  }

  private synchronized GivenLists givenLists() {
    if (givenLists == null) {
      givenLists = new GivenLists(history, reads, lists(), given.certificate());
    }
    return givenLists;
  }

  /** The history with operations of other types as those of registers. */
  public synchronized AsRegisters asRegisters() {
    if (asRegisters == null) {
      asRegisters = AsRegisters.of(history, given);
    }
    return asRegisters;
  }

  public synchronized RegisterVersions registers() {
    if (registers == null) {
      registers = new RegisterVersions(history, reads, given);
    }
    return registers;
  }

  /** Edges between transactions that wrote versions of a key, labelled with the key. */
  public synchronized EdgeList order() {
    if (order == null) {
      EdgeList shown = lists().order();
      EdgeList given = givenLists().order();
      order = registers().order();
      if (shown.size() + given.size() > 0) {
        EdgeList all = new EdgeList(shown.size() + given.size() + order.size());
        all.addAll(shown);
        all.addAll(given);
        all.addAll(order);
        order = all;
      }
    }
    return order;
  }

  /**
   * What besides the history puts one writer of a key before another, as a clause; empty where
   * reads show it or nothing says so.
   */
  public String premise(int from, int to, int key) {
    if (!isKnownOtherwise() || path(from, to, key, lists().order().size()) != null) {
      return "";
    }
    int[] path = path(from, to, key, order().size());
    if (path != null) {
      for (int edge : path) {
        String clause = given.clause(source(edge));
        if (!clause.isEmpty()) {
          return clause;
        }
      }
    }
    return "";
  }

  private Reason.Source source(int edge) {
    if (edge < lists().order().size()) {
      return Reason.Source.TRACE;
    }
    return edge < lists().order().size() + givenLists().order().size()
        ? Reason.Source.CERTIFICATE
        : registers().reason(order().mark(edge)).source();
  }

  /** A shortest path between writers of a key over the first edges of the order, or null. */
  private int[] path(int from, int to, int key, int edges) {
    EdgeList all = order();
    EdgeList ofKey = new EdgeList();
    for (int e = 0; e < edges; e++) {
      if (all.label(e) == key) {
        ofKey.add(all.from(e), all.to(e), key, e);
      }
    }
    if (from < 0 || to < 0 || ofKey.size() == 0) {
      return null;
    }
    Digraph graph = Digraph.successors(history.transactionCount(), ofKey);
    BreadthFirstSearch search = new BreadthFirstSearch(graph.nodes());
    search.start(from);
    for (int txn = search.next(); txn >= 0 && !search.hasReached(to); txn = search.next()) {
      for (int place = graph.first(txn); place < graph.end(txn); place++) {
        search.reach(graph.neighbour(place), ofKey.mark(graph.edge(place)));
      }
    }
    return search.hasReached(to) ? search.path(to) : null;
  }

  /** Whether the versions of registers were computed. */
  public synchronized boolean wereUsed() {
    return registers != null || rows != null;
  }

  /**
   * Whether the certificate gives the versions of every register, in the order in which these
   * transactions wrote them. Then it contradicts nothing.
   *
   * @param order all transactions that count
   */
  public synchronized boolean agreeWith(int[] order) {
    RowVersions certified = RowVersions.certified(history, reads, given.certificate());
    boolean agrees = certified != null && certified.follow(order);
    if (agrees && rows == null) {
      rows = certified;
    }
    return agrees;
  }

  /** Whether version numbers, or what the user gave, may order versions that no read shows. */
  public boolean isKnownOtherwise() {
    return isGiven() || history.hasVersionNumbers();
  }

  /** Whether the user gave anything beyond the history. */
  public boolean isGiven() {
    return !given.isNothing();
  }

  /** Keys for which the certificate contradicts itself or the history. */
  public List<VersionCycle> contradictions() {
    List<VersionCycle> all = new ArrayList<>(registers().contradictions());
    all.addAll(givenLists().contradictions());
    return all;
  }

  /** Whether the certificate or an assumption contradicts itself or the history anywhere. */
  public boolean hasContradiction() {
    return isGiven() && !(contradictions().isEmpty() && registers().cycles().isEmpty());
  }

  /** The versions of registers, in order where all of it is known. */
  public synchronized RowVersions rows() {
    if (rows == null) {
      List<Integer> contradicted = contradictions().stream().map(VersionCycle::key).toList();
      rows = new RowVersions(history, reads, given.certificate(), contradicted);
    }
    return rows;
  }

  /** Like {@link #knowPredicateSnapshots}, and every read names its writer. */
  public boolean explainPredicates() {
    return reads.ambiguousReads() == 0 && reads.chosen().isEmpty() && knowPredicateSnapshots();
  }

  /**
   * Whether a certificate gives the versions that every predicate operation saw, and their order is
   * known.
   */
  public boolean knowPredicateSnapshots() {
    if (!rows().allKnown()) {
      return false;
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean looks = history.kind(op).isPredicate() && reads.counts(txn);
        if (looks && given.certificate().versionSet(txn, op) == null) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a predicate update wrote a row, and so read its previous version. */
  public boolean hasUpdatedRows() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean update = history.kind(op) == OpKind.UPDATE && reads.counts(txn);
        for (int row = op + 1; update && row < history.nextOp(op); row++) {
          if (history.value(row) != Values.NIL) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * The edges of a certificate that orders all versions: between writers of versions, and from
   * those writers to predicate operations that saw their versions. Null if it does not order all
   * versions.
   */
  public EdgeList certifiedBefore() {
    if (given.certificate().order().length > 0 || !rows().allKnown()) {
      return null;
    }
    EdgeList edges = new EdgeList();
    for (int key = 0; key < rows.keys(); key++) {
      for (int version = rows.first(key) + 2; version < rows.end(key); version++) {
        edges.add(rows.writer(version - 1), rows.writer(version), 0, 0);
      }
    }
    return new PredicateVisibility(history, reads, given.certificate()).addTo(edges);
  }

  /** For how many keys the order of the versions is known. */
  public KnownOrders known() {
    if (!isKnownOtherwise()) {
      return KnownOrders.of(history);
    }
    KnownOrders known = knownRegisters();
    if (history.uses(OpKind.Type.LIST)) {
      known = known.plus(KnownOrders.ofLists(history));
    }
    for (TypeDependencies type : TypeDependencies.of(history, reads).values()) {
      known = known.plus(type.known());
    }
    return known;
  }

  private KnownOrders knownRegisters() {
    boolean certified = given.certificate().hasCompleteChains() && rows().allKnown();
    return certified
        ? new KnownOrders(RegisterCoverage.registers(history).cardinality(), 0, 0)
        : registers().known();
  }
}
