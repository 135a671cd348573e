package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.ArrayList;
import java.util.List;

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
