package dev.assay.format.jepsen;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Which process runs each transaction of a history that is written for Jepsen, and what that cannot
 * express. There a process does one thing at a time, and none after an outcome it never learned. A
 * transaction that breaks this goes to a process of its own: that forgets an order, and never
 * invents one.
 */
final class JepsenProcesses {
  private final History history;
  private final Set<Long> used = new HashSet<>();
  private long nextFree;

  /** The process of each transaction. */
  final long[] process;

  /** Whether a transaction is written as an invocation and what follows it, in real time. */
  final boolean[] timed;

  /** The timed transaction before and after each one on its process, or −1. */
  final int[] before;

  final int[] after;

  /** Sessions that go on after an outcome they never learned. */
  int continuing;

  /** Transactions that overlap one before them in their session. */
  int overlapping;

  /** Transactions that lack times after others of their session had them. */
  int detached;

  /** Transactions whose start or end cannot be kept as it lacks the other, or precedes it. */
  int halfTimed;

  /** Indeterminate transactions with an end. */
  int indeterminateEnds;

  JepsenProcesses(History history) {
    this.history = history;
    int transactions = history.transactionCount();
    process = new long[transactions];
    timed = new boolean[transactions];
    before = new int[transactions];
    after = new int[transactions];
    Arrays.fill(before, -1);
    Arrays.fill(after, -1);
    for (int s = 0; s < history.sessionCount(); s++) {
      if (history.sessionName(s) instanceof Long number) {
        used.add(number);
      }
    }
    for (int s = 0; s < history.sessionCount(); s++) {
      assign(s);
    }
  }

  private void assign(int session) {
    boolean named = history.sessionName(session) instanceof Long;
    long current = named ? (Long) history.sessionName(session) : fresh();
    boolean crashed = false;
    boolean continues = false;
    int last = -1;
    for (int place = 0; place < history.sessionSize(session); place++) {
      int txn = history.sessionTransaction(session, place);
      timed[txn] = isTimed(txn);
      countLostTimes(txn);
      if (crashed) {
        continues = true;
        crashed = false;
        current = fresh();
        last = -1;
      }
      if (last >= 0 && !timed[txn]) {
        detached++;
        process[txn] = fresh();
      } else if (last >= 0 && history.start(txn) < history.end(last)) {
        overlapping++;
        process[txn] = fresh();
      } else {
        process[txn] = current;
        crashed = history.outcome(txn) == Outcome.INDETERMINATE;
        if (timed[txn]) {
          if (last >= 0) {
            before[txn] = last;
            after[last] = txn;
          }
          last = txn;
        }
      }
    }
    continuing += continues ? 1 : 0;
  }

  private boolean isTimed(int txn) {
    long start = history.start(txn);
    long end = history.end(txn);
    if (start == History.ABSENT) {
      return false;
    }
    return end == History.ABSENT ? history.outcome(txn) == Outcome.INDETERMINATE : start <= end;
  }

  private void countLostTimes(int txn) {
    boolean hasEnd = history.end(txn) != History.ABSENT;
    if (!timed[txn] && (hasEnd || history.start(txn) != History.ABSENT)) {
      halfTimed++;
    } else if (hasEnd && history.outcome(txn) == Outcome.INDETERMINATE) {
      indeterminateEnds++;
    }
  }

  private long fresh() {
    while (!used.add(nextFree)) {
      nextFree++;
    }
    return nextFree;
  }
}
