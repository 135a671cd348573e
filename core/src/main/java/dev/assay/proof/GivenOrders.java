package dev.assay.proof;

import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.infer.VersionCycle;
import dev.assay.infer.VersionOrders;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * What the verdicts about a history rest on beside it, in terms of its operations.
 *
 * @param by where it comes from, in words; empty if nothing is given
 * @param committed transactions of unknown outcome that committed
 * @param versions pairs of writes of a key, the earlier one first
 * @param order transactions in an expected serialization order; empty if there is none, or if it
 *     lacks some that count
 */
record GivenOrders(String by, int[] committed, List<int[]> versions, int[] order) {
  static final GivenOrders NOTHING = new GivenOrders("", new int[0], List.of(), new int[0]);

  /**
   * What is given: first what contradicts nothing; then, if there is more, all of it.
   *
   * @param known the history with the outcomes that are given
   */
  static List<GivenOrders> of(History known, Given given) {
    if (given.isNothing()) {
      return List.of(NOTHING);
    }
    ReadsFrom reads = ReadsFrom.of(known);
    VersionOrders orders = new VersionOrders(known, reads, given);
    IntList committed = new IntList();
    for (int txn = 0; txn < known.transactionCount(); txn++) {
      if (known.isCommitted(txn) && !known.isAcknowledged(txn)) {
        committed.add(txn);
      }
    }
    List<int[]> versions = new ArrayList<>();
    EdgeList edges = orders.order();
    for (int e = orders.lists().order().size(); e < edges.size(); e++) {
      versions.add(writes(known, edges.from(e), edges.to(e), edges.label(e)));
    }
    int[] serial = SerialOrderChecker.order(known, reads, given);
    GivenOrders used = new GivenOrders(given.text(), committed.toArray(), versions, serial);
    if (!orders.hasContradiction()) {
      return List.of(used);
    }
    List<int[]> all = new ArrayList<>(versions);
    List<VersionCycle> cycles = new ArrayList<>(orders.contradictions());
    cycles.addAll(orders.registers().cycles());
    for (VersionCycle cycle : cycles) {
      for (VersionCycle.Step step : cycle.steps()) {
        boolean read = step.reason().source() == Reason.Source.READ_MODIFY_WRITE;
        if (!read && step.from() >= 0 && step.to() >= 0) {
          all.add(writes(known, step.from(), step.to(), cycle.key()));
        }
      }
    }
    return List.of(used, new GivenOrders(used.by, used.committed, all, serial));
  }

  private static int[] writes(History history, int from, int to, int key) {
    return new int[] {history.lastWrite(from, key), history.lastWrite(to, key)};
  }

  boolean isNothing() {
    return by.isEmpty();
  }
}
