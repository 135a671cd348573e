package dev.assay.collect.certificate;

import java.util.List;

/** Snapshots that are a first part of a log whose ids rise. */
final class OrderedSnapshots {
  private final List<CommitLog.Committed> log;

  OrderedSnapshots(List<CommitLog.Committed> log) {
    this.log = log;
  }

  /** The transactions whose ids are at most this. */
  Snapshots.Visible upTo(long id) {
    int low = 0;
    int high = log.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (log.get(middle).id() <= id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return new Snapshots.Visible(low, new int[0]);
  }
}
