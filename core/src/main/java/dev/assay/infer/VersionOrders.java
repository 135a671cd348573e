package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that is known of the order of versions before any level is looked at: what reads of lists
 * show, what the user assumes of registers, and what a certificate says.
 */
public final class VersionOrders {
  private final History history;
  private final ReadsFrom reads;
  private final Given given;
  private final ListVersions lists;
  private final GivenLists givenLists;
  private final RegisterVersions registers;
  private final EdgeList order = new EdgeList();
  private RowVersions rows;

  public VersionOrders(History history, ReadsFrom reads, Given given) {
    this.history = history;
    this.reads = reads;
    this.given = given;
    this.lists = new ListVersions(history, reads);
    this.givenLists = new GivenLists(history, reads, lists, given.certificate());
    this.registers = new RegisterVersions(history, reads, given);
    order.addAll(lists.order());
    order.addAll(givenLists.order());
    order.addAll(registers.order());
  }

  public Given given() {
    return given;
  }

  public ListVersions lists() {
    return lists;
  }

  public RegisterVersions registers() {
    return registers;
  }

  /** Edges between transactions that wrote versions of a key, labelled with the key. */
  public EdgeList order() {
    return order;
  }

  /**
   * What beside the history puts one writer of a key before another, as a clause; empty where reads
   * show it or nothing says so.
   */
  public String premise(int from, int to, int key) {
    if (!isGiven() || path(from, to, key, lists.order().size()) != null) {
      return "";
    }
    List<Integer> path = path(from, to, key, order.size());
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
    if (edge < lists.order().size()) {
      return Reason.Source.TRACE;
    }
    return edge < lists.order().size() + givenLists.order().size()
        ? Reason.Source.CERTIFICATE
        : registers.reason(order.mark(edge)).source();
  }

  /** A shortest path between writers of a key over the first edges of the order, or null. */
  private List<Integer> path(int from, int to, int key, int edges) {
    Map<Integer, Integer> enteredBy = new HashMap<>();
    List<Integer> queue = new ArrayList<>(List.of(from));
    for (int i = 0; i < queue.size() && !enteredBy.containsKey(to); i++) {
      for (int e = 0; e < edges; e++) {
        boolean leaves = order.label(e) == key && order.from(e) == queue.get(i);
        if (leaves && enteredBy.putIfAbsent(order.to(e), e) == null) {
          queue.add(order.to(e));
        }
      }
    }
    if (!enteredBy.containsKey(to)) {
      return null;
    }
    List<Integer> path = new ArrayList<>();
    for (int txn = to; path.isEmpty() || txn != from; txn = order.from(path.get(0))) {
      path.add(0, enteredBy.get(txn));
    }
    return path;
  }

  /** Whether anything beside the reads is known. */
  public boolean isGiven() {
    return !given.equals(Given.NOTHING);
  }

  /** Keys for which the certificate contradicts itself or the history. */
  public List<VersionCycle> contradictions() {
    List<VersionCycle> all = new ArrayList<>(registers.contradictions());
    all.addAll(givenLists.contradictions());
    return all;
  }

  /** The versions of registers, in order where all of it is known. */
  RowVersions rows() {
    if (rows == null) {
      List<Integer> contradicted = contradictions().stream().map(VersionCycle::key).toList();
      rows = new RowVersions(history, reads, given.certificate(), contradicted);
    }
    return rows;
  }

  /**
   * Whether a certificate says of every predicate operation what it looked at, over versions whose
   * order is known, and every read names its writer.
   */
  public boolean explainPredicates() {
    if (reads.ambiguousReads() > 0 || !reads.chosen().isEmpty() || !rows().allKnown()) {
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

  /** For how many keys the order of the versions is known. */
  public KnownOrders known() {
    KnownOrders known = KnownOrders.of(history);
    if (isGiven()) {
      known = KnownOrders.ofLists(history).plus(registers.known());
      if (history.uses(OpKind.Type.SET)) {
        known = known.plus(new SetDependencies(history, reads).known());
      }
      if (history.uses(OpKind.Type.COUNTER)) {
        known = known.plus(new CounterDependencies(history, reads).known());
      }
    }
    return known;
  }
}
