package dev.assay.infer.counters;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Searches for an order of the commits of increments in which each read shows the sum of those
 * before it. The order respects sessions and real time. The next to commit is the likeliest of the
 * transactions whose increments do not skip a sum that is still to be read. This is a heuristic: an
 * order that it finds is correct, but it may miss some.
 */
final class CounterSearch {
  /** When transactions read. */
  enum Reading {
    /** All at once when they commit. */
    AT_COMMIT,
    /** All at once; from then on no other transaction increments what they do. */
    AT_ONCE,
    /** One read after the other. */
    ONE_BY_ONE
  }

  private static final int MAX_SESSIONS = 1_000;

  /** Maximum number of choices kept for backtracking; the latest are kept. */
  private static final int MAX_CHOICES = 10_000;

  private static final int[] NONE = {};

  private static final int READ = 0;
  private static final int FINISH = 1;
  private static final int HOLD = 2;
  private static final int COMMIT = 3;

  private final History history;
  private final Reading reading;
  private final BooleanSupplier isOver;
  private final int[] rank;

  // The transactions that use counters, by session.
  private final int[][] ofSession;
  private final int[] next;

  private final CounterUse use;

  /** Pairs of a counter and a sum, with the number of reads still to see it. */
  private final LongIndex pairs = new LongIndex();

  private final int[] pending;

  /** The pair of each read. */
  private final int[] read;

  private final long[] sum;

  /**
   * For each counter the number of transactions that increment it and have read but not committed.
   */
  private final int[] holders;

  /** Which reads are done, and which transactions have read all at once. */
  private final boolean[] done;

  private final boolean[] holds;

  /** For each read that is done the number of commits before it. */
  private final int[] seenAfter;

  /** Counters that only grow: a sum that they pass does not come again. */
  private final boolean[] grows;

  private final CounterDeadlines deadlines;

  private final int[] order;
  private int size;
  private int left;

  /** The undo log, and the points of it at which there was a choice. */
  private int[] journal = new int[64];

  private int journalSize;
  private final Deque<Choice> choices = new ArrayDeque<>();

  /** Hashes of the states visited: the {@link #mark}s of what was done, combined. */
  private final LongIndex states = new LongIndex();

  private long state;
  private final int budget;

  private record Choice(int journal, int[] ready) {}

  CounterSearch(
      History history, CounterUse use, Reading reading, int[] likely, BooleanSupplier isOver) {
    this.history = history;
    this.reading = reading;
    this.isOver = isOver;
    int transactions = history.transactionCount();
    this.rank = new int[transactions];
    for (int i = 0; i < likely.length; i++) {
      rank[likely[i]] = i;
    }
    this.use = use;
    this.read = new int[use.reads()];
    for (int place = 0; place < read.length; place++) {
      read[place] = pairs.indexOf(pair(use.readCounter(place), use.sum(place)));
    }
    this.pending = new int[pairs.size()];
    for (int pair : read) {
      pending[pair]++;
    }
    this.sum = new long[history.keys().count()];
    this.holders = new int[history.keys().count()];
    this.done = new boolean[use.reads()];
    this.holds = new boolean[transactions];
    this.seenAfter = new int[use.reads()];
    this.grows = new boolean[history.keys().count()];
    Arrays.fill(grows, true);
    for (int i = 0; i < use.increments(); i++) {
      grows[use.counter(i)] &= use.amount(i) >= 0;
    }
    this.order = new int[transactions];
    this.ofSession = new int[history.sessionCount()][];
    this.next = new int[history.sessionCount()];
    for (int session = 0; session < next.length; session++) {
      int[] own = new int[history.sessionSize(session)];
      int count = 0;
      for (int i = 0; i < own.length; i++) {
        int txn = history.sessionTransaction(session, i);
        if (use.isUsed(txn)) {
          own[count++] = txn;
          left += use.isOptional(txn) ? 0 : 1;
        }
      }
      ofSession[session] = Arrays.copyOf(own, count);
    }
    deadlines = new CounterDeadlines(history, use);
    budget = 4 * left + 500_000;
  }

  private static long pair(int counter, long value) {
    return ((long) counter << 33) ^ (value & 0x1ffffffffL);
  }

  /** The transactions that increment, in the order they commit; null if none was found. */
  int[] order() {
    if (next.length > MAX_SESSIONS) {
      return null;
    }
    while (left > 0 && states.size() < budget && !isOver.getAsBoolean()) {
      long end = earliestEnd();
      if (readOn(end)) {
        continue;
      }
      int known = states.size();
      int[] ready = states.indexOf(state) < known ? NONE : readyToCommit(end);
      if (ready.length > 1) {
        choices.push(new Choice(journalSize, ready));
        if (choices.size() > MAX_CHOICES) {
          choices.removeLast();
        }
      }
      if (ready.length > 0) {
        commit(ready[0], end);
      } else if (!tryAnother()) {
        return null;
      }
    }
    return left > 0 ? null : Arrays.copyOf(order, size);
  }

  /** The number of commits before a read, in the order found. */
  int seenAfter(int place) {
    return seenAfter[place];
  }

  /** Backtracks to the last choice and takes the next alternative; returns whether there is one. */
  private boolean tryAnother() {
    if (choices.isEmpty()) {
      return false;
    }
    Choice last = choices.pop();
    undo(last.journal);
    int[] others = Arrays.copyOfRange(last.ready, 1, last.ready.length);
    if (others.length > 1) {
      choices.push(new Choice(last.journal, others));
    }
    commit(others[0], earliestEnd());
    return true;
  }

  private void undo(int to) {
    while (journalSize > to) {
      int what = journal[--journalSize];
      int number = what >> 2;
      switch (what & 3) {
        case READ -> unread(number);
        case FINISH -> unfinish(number);
        case HOLD -> hold(number, false);
        default -> install(number, false);
      }
    }
  }

  private void note(int what, int number) {
    if (journalSize == journal.length) {
      journal = Arrays.copyOf(journal, 2 * journalSize);
    }
    journal[journalSize++] = number << 2 | what;
  }

  private void doRead(int place) {
    done[place] = true;
    seenAfter[place] = size;
    pending[read[place]]--;
    state ^= mark(2L * place);
    note(READ, place);
  }

  private void unread(int place) {
    done[place] = false;
    pending[read[place]]++;
    state ^= mark(2L * place);
  }

  private void finish(int session) {
    state ^= mark(2L * current(session) + 1);
    left -= use.isOptional(current(session)) ? 0 : 1;
    next[session]++;
    note(FINISH, session);
  }

  private void unfinish(int session) {
    next[session]--;
    left += use.isOptional(current(session)) ? 0 : 1;
    state ^= mark(2L * current(session) + 1);
  }

  private void hold(int txn, boolean now) {
    holds[txn] = now;
    for (int i = use.firstIncrement(txn); i < use.endIncrement(txn); i++) {
      holders[use.counter(i)] += now ? 1 : -1;
    }
  }

  private void install(int txn, boolean now) {
    for (int i = use.firstIncrement(txn); i < use.endIncrement(txn); i++) {
      sum[use.counter(i)] += now ? use.amount(i) : -use.amount(i);
      deadlines.note(i, now);
      holders[use.counter(i)] -= holds[txn] ? (now ? 1 : -1) : 0;
    }
    size += now ? 1 : -1;
  }

  /** A hash of one step, to be combined with those of the others. */
  private static long mark(long what) {
    long mixed = (what + 1) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  private int current(int session) {
    int[] own = ofSession[session];
    return next[session] < own.length ? own[next[session]] : -1;
  }

  /** A transaction that began later than this cannot be the next. */
  private long earliestEnd() {
    long earliest = Long.MAX_VALUE;
    for (int session = 0; session < next.length; session++) {
      int txn = current(session);
      long end = txn < 0 ? History.ABSENT : history.knownEnd(txn);
      earliest = end == History.ABSENT ? earliest : Math.min(earliest, end);
    }
    return earliest;
  }

  private boolean hasBegun(int txn, long end) {
    return txn >= 0 && (history.start(txn) == History.ABSENT || history.start(txn) <= end);
  }

  /** Performs all reads that are possible now; returns whether there was one. */
  private boolean readOn(long end) {
    boolean moved = false;
    for (int session = 0; session < next.length; session++) {
      int txn = current(session);
      if (!hasBegun(txn, end)) {
        continue;
      }
      if (reading == Reading.ONE_BY_ONE) {
        boolean waits = false;
        for (int place = use.firstRead(txn); !waits && place < use.endRead(txn); place++) {
          if (!done[place] && !use.isAfterOwn(place)) {
            waits = !shows(place);
            moved |= !waits;
            if (!waits) {
              doRead(place);
            }
          }
        }
        if (!waits && !use.increments(txn)) {
          finish(session);
          moved = true;
        }
      } else if (!use.increments(txn) && seesAll(txn)) {
        readAll(txn);
        finish(session);
        moved = true;
      }
    }
    return moved;
  }

  private boolean shows(int place) {
    return sum[use.readCounter(place)] == use.sum(place);
  }

  private boolean seesAll(int txn) {
    for (int place = use.firstRead(txn); place < use.endRead(txn); place++) {
      if (!done[place] && !shows(place)) {
        return false;
      }
    }
    return true;
  }

  private void readAll(int txn) {
    for (int place = use.firstRead(txn); place < use.endRead(txn); place++) {
      if (!done[place]) {
        doRead(place);
      }
    }
  }

  /** The transactions that may commit now, the likeliest first. */
  private int[] readyToCommit(long end) {
    int[] ready = new int[next.length];
    int count = 0;
    for (int session = 0; session < next.length; session++) {
      int txn = current(session);
      if (hasBegun(txn, end) && use.increments(txn) && mayCommit(txn, end)) {
        ready[count++] = txn;
      }
    }
    int last = rank.length;
    return Sorted.by(
        Arrays.copyOf(ready, count), txn -> use.isOptional(txn) ? last + rank[txn] : rank[txn]);
  }

  private boolean mayCommit(int txn, long end) {
    boolean ready = holds[txn] || seesAll(txn);
    for (int i = use.firstIncrement(txn); ready && i < use.endIncrement(txn); i++) {
      ready =
          holders[use.counter(i)] == (holds[txn] ? 1 : 0)
              && (!grows[use.counter(i)]
                  || (deadlines.mayBeNext(i, sum[use.counter(i)])
                      && leavesNoneBehind(txn, i, end)));
    }
    return ready;
  }

  /** Whether all transactions still to read the sum that an increment ends can do so now. */
  private boolean leavesNoneBehind(int txn, int increment, long end) {
    int counter = use.counter(increment);
    for (long value = 0; value < Math.min(use.amount(increment), 64); value++) {
      int waiting = pairs.find(pair(counter, sum[counter] + value));
      if (waiting >= 0 && pending[waiting] > ownReads(txn, waiting)) {
        int now = value == 0 ? readingNow(txn, waiting, end) : 0;
        if (pending[waiting] > ownReads(txn, waiting) + now) {
          return false;
        }
      }
    }
    return true;
  }

  private int ownReads(int txn, int pair) {
    int count = 0;
    for (int place = use.firstRead(txn); place < use.endRead(txn); place++) {
      count += !done[place] && read[place] == pair ? 1 : 0;
    }
    return count;
  }

  /** The number of reads of a sum by others that may read at once before the commit. */
  private int readingNow(int committing, int pair, long end) {
    int count = 0;
    for (int session = 0; session < next.length; session++) {
      int txn = current(session);
      if (mayReadBefore(committing, txn, end)) {
        count += ownReads(txn, pair);
      }
    }
    return count;
  }

  private boolean mayReadBefore(int committing, int txn, long end) {
    if (reading != Reading.AT_ONCE
        || txn == committing
        || !hasBegun(txn, end)
        || holds[txn]
        || !seesAll(txn)) {
      return false;
    }
    for (int i = use.firstIncrement(txn); i < use.endIncrement(txn); i++) {
      if (use.increment(committing, use.counter(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private void commit(int txn, long end) {
    for (int i = use.firstIncrement(txn); i < use.endIncrement(txn); i++) {
      int leaving = pairs.find(pair(use.counter(i), sum[use.counter(i)]));
      for (int session = 0; leaving >= 0 && session < next.length; session++) {
        int other = current(session);
        if (mayReadBefore(txn, other, end) && ownReads(other, leaving) > 0) {
          readAll(other);
          hold(other, true);
          note(HOLD, other);
        }
      }
    }
    readAll(txn);
    order[size] = txn;
    install(txn, true);
    note(COMMIT, txn);
    finish(history.session(txn));
  }
}
