package dev.assay.check.replay;

import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.infer.predicates.Deadline;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs transactions that see what is current when they begin and commit later: no other transaction
 * commits a write of what one writes in between.
 */
public final class SnapshotOrder {
  private final History history;
  private final Replay replay;

  /** When each key was committed last, and what wrote it. */
  private final long[] lastCommit;

  private final int[] lastWrite;
  private final List<Replay.Divergence> found = new ArrayList<>();

  SnapshotOrder(History history, Budget budget) throws ConditionException {
    this.history = history;
    this.replay = new Replay(history, new Deadline(budget::expired));
    this.lastCommit = new long[history.keys().count()];
    this.lastWrite = new int[lastCommit.length];
    Arrays.fill(lastCommit, Long.MIN_VALUE);
  }

  /**
   * Whether each transaction gives its recorded results on the state at its begin, and no other
   * commits a write of the same key before it commits; false if the budget expires.
   *
   * @param events twice a transaction where it begins, and one more where it commits
   */
  public static boolean explains(History history, int[] events, Budget budget) {
    try {
      SnapshotOrder order = new SnapshotOrder(history, budget);
      int[] begun = new int[history.transactionCount()];
      for (int i = 0; i < events.length && order.found.isEmpty(); i++) {
        int txn = events[i] >> 1;
        if ((events[i] & 1) == 0) {
          begun[txn] = i;
          order.begin(txn);
        } else {
          order.commit(txn, begun[txn], i);
        }
      }
      return order.found.isEmpty();
    } catch (ConditionException | EvaluationException | Deadline.Expired e) {
      return false;
    }
  }

  void begin(int txn) {
    Replay.Divergence divergence = replay.tryOut(txn);
    if (divergence != null) {
      found.add(divergence);
    }
  }

  void commit(int txn, long begun, long now) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int key = history.key(op);
      if (!history.kind(op).isWrite() || history.kind(op).isPredicate()) {
        continue;
      }
      boolean own =
          lastCommit[key] != Long.MIN_VALUE && history.transactionOf(lastWrite[key]) == txn;
      if (!own && lastCommit[key] > begun && !history.kind(op).type().commutes()) {
        found.add(new Replay.Divergence(op, lastWrite[key]));
      }
      lastCommit[key] = now;
      lastWrite[key] = op;
    }
    replay.install(txn);
  }

  /** The divergences found so far. */
  List<Replay.Divergence> found() {
    return found;
  }
}
