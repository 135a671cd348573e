package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The number of concurrent conflicts in a history: that a level holds means little if no two
 * transactions conflicted. A conflict is a pair of committed transactions of different sessions
 * that overlap in time and access a common key that one of them writes.
 *
 * @param committed how many transactions committed
 * @param pairs the number of conflicts
 * @param isLowerBound whether counting stopped early, because there are many or the history is
 *     large
 */
public record ConcurrentConflicts(long committed, int pairs, boolean isLowerBound) {
  private static final int MANY = 1_000;
  private static final int FEW = 100;
  private static final long MAX_LOOKS = 20_000_000;

  /** The next transaction of a session, by its place there. */
  private record Next(int session, int place, int txn) {}

  /** Whether there are too few conflicts to expect a violation to show. */
  public boolean areFew() {
    return !isLowerBound && pairs < FEW;
  }

  /** Counts the conflicts between transactions whose start and end are known. */
  public static ConcurrentConflicts of(History history) {
    return new Counting(history).run();
  }

  private static final class Counting {
    private final History history;
    private final PriorityQueue<Next> next;
    private final Map<Integer, Boolean> keys = new HashMap<>();
    private int[] active = new int[16];
    private int actives;
    private long looks;
    private int pairs;

    Counting(History history) {
      this.history = history;
      this.next = new PriorityQueue<>(Comparator.comparingLong(one -> history.start(one.txn())));
    }

    ConcurrentConflicts run() {
      long committed = 0;
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        committed += history.isCommitted(txn) ? 1 : 0;
      }
      for (int session = 0; session < history.sessionCount(); session++) {
        advance(session, 0);
      }
      while (!next.isEmpty() && pairs < MANY && looks < MAX_LOOKS) {
        Next one = next.poll();
        meet(one.txn());
        advance(one.session(), one.place() + 1);
      }
      return new ConcurrentConflicts(committed, pairs, pairs >= MANY || looks >= MAX_LOOKS);
    }

    /** Queues the next transaction of a session that counts. */
    private void advance(int session, int from) {
      for (int place = from; place < history.sessionSize(session); place++) {
        int txn = history.sessionTransaction(session, place);
        looks++;
        if (history.isCommitted(txn)
            && history.start(txn) != History.ABSENT
            && history.end(txn) != History.ABSENT) {
          next.add(new Next(session, place, txn));
          return;
        }
      }
    }

    /** Counts the conflicts of a transaction with those still running when it began. */
    private void meet(int txn) {
      int kept = 0;
      for (int i = 0; i < actives; i++) {
        if (history.end(active[i]) > history.start(txn)) {
          active[kept++] = active[i];
        }
      }
      actives = kept;
      keys.clear();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        if (!kind.isPredicate()) {
          keys.merge(history.key(op), kind.isWrite(), Boolean::logicalOr);
        }
      }
      for (int i = 0; i < actives; i++) {
        boolean others = history.session(active[i]) != history.session(txn);
        pairs += others && conflicts(active[i]) ? 1 : 0;
      }
      if (actives == active.length) {
        active = Arrays.copyOf(active, 2 * actives);
      }
      active[actives++] = txn;
    }

    private boolean conflicts(int other) {
      for (int op = history.firstOp(other); op < history.endOp(other); op++) {
        looks++;
        OpKind kind = history.kind(op);
        Boolean written = kind.isPredicate() ? null : keys.get(history.key(op));
        if (written != null && (written || kind.isWrite())) {
          return true;
        }
      }
      return false;
    }
  }
}
