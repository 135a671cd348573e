package dev.assay.proof;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.infer.VersionOrders;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.List;

/**
 * What the verdicts about a history rest on beside it, in terms of its operations.
 *
 * @param by where it comes from, in words; empty if nothing is given
 * @param committed transactions of unknown outcome that committed
 * @param versions pairs of writes of a key, the earlier one first
 */
record GivenOrders(String by, int[] committed, List<int[]> versions) {
  static final GivenOrders NOTHING = new GivenOrders("", new int[0], List.of());

  /**
   * What is given.
   *
   * @param known the history with the outcomes that are given
   * @return null if the certificate or an assumption contradicts itself or the history
   */
  static GivenOrders of(History known, Given given) {
    if (given.isNothing()) {
      return NOTHING;
    }
    ReadsFrom reads = ReadsFrom.of(known);
    VersionOrders orders = new VersionOrders(known, reads, given);
    if (orders.hasContradiction()) {
      return null;
    }
    IntList committed = new IntList();
    for (int txn = 0; txn < known.transactionCount(); txn++) {
      if (known.isCommitted(txn) && !known.isAcknowledged(txn)) {
        committed.add(txn);
      }
    }
    List<int[]> versions = new ArrayList<>();
    EdgeList edges = orders.order();
    for (int e = orders.lists().order().size(); e < edges.size(); e++) {
      int key = edges.label(e);
      versions.add(
          new int[] {known.lastWrite(edges.from(e), key), known.lastWrite(edges.to(e), key)});
    }
    return new GivenOrders(given.text(), committed.toArray(), versions);
  }

  boolean isNothing() {
    return by.isEmpty();
  }
}
