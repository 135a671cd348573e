package dev.assay.format.jepsen;

import dev.assay.history.History;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The invocations and completions of a history in the order they are written, each with its index.
 * Real time in a Jepsen history is that order alone, so of two events at one time an invocation
 * comes first: then neither transaction precedes the other.
 *
 * <p>Transactions without times come first, as completions alone. The completion of a transaction
 * whose client never learned the outcome may be anywhere after its invocation; it is put where the
 * indexes stay those that the history was read with.
 */
final class JepsenEvents {
  private final History history;
  private final JepsenProcesses processes;

  /** Transaction times two, plus one for a completion. */
  private long[] inOrder;

  private int ordered;

  private final long[] events;
  private final long[] indexes;
  private int size;

  /**
   * Transactions whose invocation comes after the end of another at the same time, because their
   * own session must end a transaction first: the file then says more than was known.
   */
  private int coinciding;

  JepsenEvents(History history, JepsenProcesses processes) {
    this.history = history;
    this.processes = processes;
    int most = Math.multiplyExact(2, history.transactionCount());
    inOrder = new long[most];
    events = new long[most];
    indexes = new long[most];
    order();
    if (!arrangeByIds()) {
      arrange();
    }
    inOrder = null;
  }

  int size() {
    return size;
  }

  int transaction(int event) {
    return (int) (events[event] >> 1);
  }

  boolean isCompletion(int event) {
    return (events[event] & 1) != 0;
  }

  long index(int event) {
    return indexes[event];
  }

  int coinciding() {
    return coinciding;
  }

  // ---- the order of time

  private void order() {
    long[] times = new long[inOrder.length];
    int n = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!processes.timed[txn]) {
        inOrder[ordered++] = completion(txn);
        continue;
      }
      times[n++] = history.start(txn);
      if (history.end(txn) != History.ABSENT) {
        times[n++] = history.end(txn);
      }
    }
    Arrays.sort(times, 0, n);
    long[] sorted = new long[n];
    int m = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (processes.timed[txn]) {
        sorted[m++] = sortable(times, n, history.start(txn), 0, txn);
        if (history.end(txn) != History.ABSENT) {
          sorted[m++] = sortable(times, n, history.end(txn), 1, txn);
        }
      }
    }
    Arrays.sort(sorted);
    for (int from = 0; from < m; ) {
      int to = from + 1;
      while (to < m && sorted[to] >>> 32 == sorted[from] >>> 32) {
        to++;
      }
      orderMoment(sorted, from, to);
      from = to;
    }
  }

  /** First the time, as the number of times below it, then invocations, then transactions. */
  private static long sortable(long[] times, int n, long time, long completion, int txn) {
    int low = 0;
    int high = n;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (long) low << 32 | completion << 31 | txn;
  }

  private static long completion(int txn) {
    return 2L * txn + 1;
  }

  private static long invocation(int txn) {
    return 2L * txn;
  }

  /** Orders the events of one time: invocations, with the completions they must wait for. */
  private void orderMoment(long[] sorted, int from, int to) {
    int[] ready = new int[to - from];
    int[] waitedFor = new int[to - from];
    int readyCount = 0;
    int waitedForCount = 0;
    int ends = from;
    while (ends < to && (sorted[ends] & 1L << 31) == 0) {
      int txn = (int) sorted[ends++];
      int previous = processes.before[txn];
      if (previous < 0 || history.end(previous) < history.start(txn)) {
        ready[readyCount++] = txn;
      } else if (history.start(previous) < history.start(txn)) {
        waitedFor[waitedForCount++] = previous;
      }
    }
    int completions = 0;
    while (readyCount + waitedForCount > 0) {
      for (int i = 0; i < readyCount; i++) {
        int txn = ready[i];
        inOrder[ordered++] = invocation(txn);
        boolean waited =
            processes.before[txn] >= 0 && history.end(processes.before[txn]) == history.start(txn);
        coinciding += completions > (waited ? 1 : 0) ? 1 : 0;
        if (history.end(txn) == history.start(txn) && isWaitedFor(txn)) {
          waitedFor[waitedForCount++] = txn;
        }
      }
      readyCount = 0;
      for (int i = 0; i < waitedForCount; i++) {
        inOrder[ordered++] = completion(waitedFor[i]);
        completions++;
        ready[readyCount++] = processes.after[waitedFor[i]];
      }
      waitedForCount = 0;
    }
    for (int i = ends; i < to; i++) {
      int txn = (int) (sorted[i] & Integer.MAX_VALUE);
      if (!isWaitedFor(txn)) {
        inOrder[ordered++] = completion(txn);
      }
    }
  }

  /** Whether the next transaction of the process begins at the moment this one ends. */
  private boolean isWaitedFor(int txn) {
    int next = processes.after[txn];
    return next >= 0 && history.end(txn) == history.start(next);
  }

  // ---- indexes

  private boolean completesAnywhere(int txn) {
    return processes.timed[txn] && history.end(txn) == History.ABSENT;
  }

  /** Numbers events so that completions keep the ids of their transactions; false if they can't. */
  private boolean arrangeByIds() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!(history.ownId(txn) instanceof Long id) || id < 0) {
        return false;
      }
    }
    PriorityQueue<Integer> floating = new PriorityQueue<>(Comparator.comparingLong(this::id));
    size = 0;
    for (int i = 0; i < ordered; i++) {
      int txn = (int) (inOrder[i] >> 1);
      boolean completes = (inOrder[i] & 1) != 0;
      long limit = completes ? id(txn) - 1 : lastIndex() + 1;
      while (!floating.isEmpty() && id(floating.peek()) <= limit) {
        int floated = floating.poll();
        if (!put(completion(floated), id(floated))) {
          return false;
        }
        limit = completes ? limit : lastIndex() + 1;
      }
      if (completes || isInvocationOnly(txn)) {
        if (!put(inOrder[i], id(txn))) {
          return false;
        }
      } else {
        put(inOrder[i], lastIndex() + 1);
        if (completesAnywhere(txn)) {
          floating.add(txn);
        }
      }
    }
    while (!floating.isEmpty()) {
      int floated = floating.poll();
      if (!put(completion(floated), id(floated))) {
        return false;
      }
    }
    return true;
  }

  /** Whether only the invocation was there to read, as far as can be seen. */
  private boolean isInvocationOnly(int txn) {
    return completesAnywhere(txn)
        && id(txn) == lastIndex() + 1
        && history.shownEnd(txn) == History.ABSENT
        && history.error(txn) == null;
  }

  private long id(int txn) {
    return (Long) history.ownId(txn);
  }

  private long lastIndex() {
    return size == 0 ? -1 : indexes[size - 1];
  }

  private boolean put(long event, long index) {
    if (index <= lastIndex()) {
      return false;
    }
    events[size] = event;
    indexes[size++] = index;
    return true;
  }

  private void arrange() {
    size = 0;
    for (int i = 0; i < ordered; i++) {
      put(inOrder[i], size);
      int txn = (int) (inOrder[i] >> 1);
      if (completesAnywhere(txn)) {
        put(completion(txn), size);
      }
    }
  }
}
