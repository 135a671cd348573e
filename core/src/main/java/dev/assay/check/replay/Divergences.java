package dev.assay.check.replay;

import dev.assay.check.Evidence;
import dev.assay.history.History;

/** What replaying shows, as evidence; and what an order respects. */
final class Divergences {
  private Divergences() {}

  static Evidence evidence(Replay.Divergence divergence) {
    return divergence.expected() < 0
        ? Evidence.ofOperations(divergence.operation())
        : Evidence.ofOperations(divergence.operation(), divergence.expected());
  }

  /**
   * Whether transactions of one session follow each other.
   *
   * @param place the place of each transaction, from 1; 0 for those that are left out
   */
  static boolean respectsSessions(History history, int[] place) {
    for (int session = 0; session < history.sessionCount(); session++) {
      int last = 0;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int own = place[history.sessionTransaction(session, i)];
        if (own != 0 && own < last) {
          return false;
        }
        last = own == 0 ? last : own;
      }
    }
    return true;
  }

  /** Whether nobody comes after one that began when he had ended. */
  static boolean respectsRealTime(History history, int[] order) {
    long latestStart = Long.MIN_VALUE;
    for (int txn : order) {
      long end = history.knownEnd(txn);
      if (end != History.ABSENT && end < latestStart) {
        return false;
      }
      if (history.start(txn) != History.ABSENT) {
        latestStart = Math.max(latestStart, history.start(txn));
      }
    }
    return true;
  }
}
