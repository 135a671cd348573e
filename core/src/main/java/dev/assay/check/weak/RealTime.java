package dev.assay.check.weak;

import dev.assay.history.History;

/** Compares a commit order with real time. */
final class RealTime {
  private RealTime() {}

  /**
   * Whether no transaction of the order ended before an earlier one in the order began. Also false
   * if a time is missing; a transaction of unknown outcome never ends.
   */
  static boolean respectedBy(CommitOrder order, History history) {
    if (!history.hasTimes()) {
      return false;
    }
    long firstEnd = Long.MAX_VALUE;
    for (int place = order.size() - 1; place >= 0; place--) {
      int txn = order.at(place);
      long end = history.isAcknowledged(txn) ? history.end(txn) : Long.MAX_VALUE;
      if (history.start(txn) == History.ABSENT || end == History.ABSENT) {
        return false;
      }
      if (firstEnd < history.start(txn)) {
        return false;
      }
      firstEnd = Math.min(firstEnd, end);
    }
    return true;
  }
}
