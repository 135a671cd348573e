package dev.assay.check.replay;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import java.util.Arrays;

/** Runs transactions that see what is current at one event and commit at a later one. */
public final class SnapshotOrder {
  private SnapshotOrder() {}

  /**
   * Whether each transaction gives every result of its on what is current when it begins, and
   * nobody else commits a write of what it writes before it does.
   *
   * @param events twice a transaction where it begins, and one more where it commits
   */
  public static boolean explains(History history, int[] events) {
    try {
      return run(new Replay(history), history, events);
    } catch (ConditionException | EvaluationException e) {
      return false;
    }
  }

  private static boolean run(Replay replay, History history, int[] events) {
    int[] begun = new int[history.transactionCount()];
    int[] committed = new int[history.keys().count()];
    Arrays.fill(committed, -1);
    for (int i = 0; i < events.length; i++) {
      int txn = events[i] >> 1;
      if ((events[i] & 1) == 0) {
        begun[txn] = i;
        if (replay.tryOut(txn) != null) {
          return false;
        }
      } else {
        if (!commitsAlone(history, txn, begun[txn], i, committed)) {
          return false;
        }
        replay.install(txn);
      }
    }
    return true;
  }

  private static boolean commitsAlone(
      History history, int txn, int begun, int now, int[] committed) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      OpKind kind = history.kind(op);
      boolean excludesOthers = kind == OpKind.WRITE || kind == OpKind.APPEND;
      int key = history.key(op);
      if (excludesOthers && committed[key] > begun && committed[key] != now) {
        return false;
      }
      if (excludesOthers) {
        committed[key] = now;
      }
    }
    return true;
  }
}
