package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Checks the final reads of a recording, made after all clients finished: every element that an
 * acknowledged transaction appended to a list or added to a set must be there, because nothing
 * removes elements.
 */
public final class LostWrites implements LevelChecker {
  @Override
  public String name() {
    return "lost-writes";
  }

  @Override
  public Findings check(Subject subject) {
    History history = subject.history();
    AnomalyTally tally = new AnomalyTally(history, subject.budget().maxWitnesses());
    int session = finalSession(history);
    if (session >= 0) {
      int[] finalRead = finalReads(history, session);
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        if (history.isAcknowledged(txn) && history.session(txn) != session) {
          check(history, txn, finalRead, tally);
        }
      }
    }
    return new Findings(Map.of(), tally.anomalies(), List.of());
  }

  private static int finalSession(History history) {
    String name = history.metadata().get(History.FINAL_SESSION);
    for (int session = 0; name != null && session < history.sessionCount(); session++) {
      if (history.sessionText(session).equals(name)) {
        return session;
      }
    }
    return -1;
  }

  /** The final read of each key, or −1. */
  private static int[] finalReads(History history, int session) {
    int[] reads = new int[history.keys().count()];
    Arrays.fill(reads, -1);
    for (int i = 0; i < history.sessionSize(session); i++) {
      int txn = history.sessionTransaction(session, i);
      boolean counts = history.isCommitted(txn);
      for (int op = history.firstOp(txn); counts && op < history.endOp(txn); op++) {
        if (history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN) {
          reads[history.key(op)] = op;
        }
      }
    }
    return reads;
  }

  private static void check(History history, int txn, int[] finalRead, AnomalyTally tally) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (!history.kind(op).writesElement()) {
        continue;
      }
      int read = finalRead[history.key(op)];
      if (read >= 0
          && endedBefore(history, txn, read)
          && !history.sequences().contains(history.value(read), history.value(op))) {
        tally.add(AnomalyType.LOST_WRITE, read, op);
      }
    }
  }

  /** Whether the transaction was acknowledged before the final read began; true without times. */
  private static boolean endedBefore(History history, int txn, int read) {
    long end = history.end(txn);
    long start = history.start(history.transactionOf(read));
    return end == History.ABSENT || start == History.ABSENT || end < start;
  }
}
