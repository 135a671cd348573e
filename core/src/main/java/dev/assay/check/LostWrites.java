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

  /**
   * The acknowledged writes that are missing from the final reads.
   *
   * @param first when the first of them was acknowledged, by the clock of the recording; {@link
   *     History#ABSENT} without times
   * @param last the same for the last
   */
  public record Lost(long count, long first, long last) {}

  /** What is lost of a history that is there as a whole; null if nothing is. */
  public static Lost lost(History history) {
    int session = finalSession(history);
    if (session < 0) {
      return null;
    }
    int[] finalRead = finalReads(history, session);
    long count = 0;
    long first = History.ABSENT;
    long last = History.ABSENT;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!history.isAcknowledged(txn) || history.session(txn) == session) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (isLost(history, txn, op, finalRead)) {
          long end = history.end(txn);
          count++;
          first = first == History.ABSENT ? end : Math.min(first, end);
          last = Math.max(last, end);
        }
      }
    }
    return count == 0 ? null : new Lost(count, first, last);
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
      if (isLost(history, txn, op, finalRead)) {
        tally.add(AnomalyType.LOST_WRITE, finalRead[history.key(op)], op);
      }
    }
  }

  private static boolean isLost(History history, int txn, int op, int[] finalRead) {
    if (!history.kind(op).writesElement()) {
      return false;
    }
    int read = finalRead[history.key(op)];
    return read >= 0
        && endedBefore(history, txn, read)
        && !history.sequences().contains(history.value(read), history.value(op));
  }

  /** Whether the transaction was acknowledged before the final read began; true without times. */
  private static boolean endedBefore(History history, int txn, int read) {
    long end = history.end(txn);
    long start = history.start(history.transactionOf(read));
    return end == History.ABSENT || start == History.ABSENT || end < start;
  }
}
