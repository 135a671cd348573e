package dev.assay.check.replay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.List;

/** Turns divergences of a replay into evidence, and finds what an order respects. */
final class Divergences {
  private Divergences() {}

  /** The operations that diverge from an order, as an anomaly that violates a level. */
  static Anomaly anomaly(List<Replay.Divergence> found, Level against, Budget budget) {
    List<Evidence> witnesses =
        found.stream().limit(budget.maxWitnesses()).map(Divergences::evidence).toList();
    return new Anomaly(
        AnomalyType.CERTIFICATE_CONTRADICTION,
        against.andStronger(),
        found.size(),
        false,
        witnesses);
  }

  private static Evidence evidence(Replay.Divergence divergence) {
    return divergence.expected() < 0
        ? Evidence.ofOperations(divergence.operation())
        : Evidence.ofOperations(divergence.operation(), divergence.expected());
  }

  /** The strongest level that a serial order which explains every read proves. */
  static Level proven(History history, int[] order) {
    int[] place = new int[history.transactionCount()];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i + 1;
    }
    if (!respectsSessions(history, place)) {
      return Level.SERIALIZABLE;
    }
    return history.hasTimes() && respectsRealTime(history, order)
        ? Level.STRICT_SERIALIZABLE
        : Level.STRONG_SESSION_SERIALIZABLE;
  }

  /**
   * Whether transactions of one session follow each other.
   *
   * @param place the place of each transaction, from 1; 0 for those that are left out
   */
  private static boolean respectsSessions(History history, int[] place) {
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

  /** Whether no transaction comes after one that began after it had ended. */
  private static boolean respectsRealTime(History history, int[] order) {
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
