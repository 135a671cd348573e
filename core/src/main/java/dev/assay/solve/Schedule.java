package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Guesses an order by a greedy schedule: of the events all of whose predecessors have happened, the
 * next is one that does not overwrite a version still to be read and, where writers must not
 * overlap, does not begin a second writer of a key. If there is no such event, the first one
 * happens nevertheless; the search then has to repair that.
 */
final class Schedule {
  /** Events between two looks at the budget. */
  private static final int EVENTS_AT_A_TIME = 4096;

  private final Polygraph problem;
  private final Digraph after;
  private final int[] waitingFor;
  private final int[] rank;

  /**
   * For each key its current version and the number of writers that have begun and not committed.
   */
  private final int[] current;

  private final int[] active;

  /** For each version how many transactions have still to read it. */
  private final int[] unread;

  /** Ready events by rank. */
  private final RankHeap ready = new RankHeap();

  /**
   * Events that wait for a key by rank, to begin and to commit; none if none ever did. Some of them
   * no longer wait for it.
   */
  private final RankHeap[] toBegin;

  private final RankHeap[] toCommit;

  /** For each event the key that blocks it, or that released it last; −1 if none did. */
  private final int[] waitsFor;

  private final boolean[] isBlocked;
  private int firstBlocked;
  private final BooleanSupplier expired;
  private boolean over;

  /**
   * Prepares.
   *
   * @param order a topological order, from which the schedule differs only for a reason
   * @param expired once true, events happen as soon as their predecessors have
   */
  Schedule(Polygraph problem, EdgeList added, int[] order, BooleanSupplier expired) {
    this.problem = problem;
    this.expired = expired;
    this.after = Digraph.successors(problem.nodes, problem.known, added);
    this.rank = TopologicalOrder.positions(order);
    this.waitingFor = new int[problem.nodes];
    for (int place = 0; place < after.size(); place++) {
      waitingFor[after.neighbour(place)]++;
    }
    this.current = Arrays.copyOf(problem.keyFirst, problem.keys());
    this.active = new int[problem.keys()];
    this.unread = new int[problem.writer.length];
    for (int version = 0; version < unread.length; version++) {
      unread[version] = problem.readers.size(version);
    }
    this.toBegin = new RankHeap[problem.keys()];
    this.toCommit = new RankHeap[problem.keys()];
    this.waitsFor = new int[problem.nodes];
    this.isBlocked = new boolean[problem.nodes];
    Arrays.fill(waitsFor, Polygraph.NONE);
  }

  /** A topological order of all nodes. */
  int[] run() {
    int[] byRank = new int[problem.nodes];
    for (int node = 0; node < problem.nodes; node++) {
      byRank[rank[node]] = node;
      if (waitingFor[node] == 0) {
        push(node);
      }
    }
    int[] order = new int[problem.nodes];
    for (int placed = 0; placed < order.length; placed++) {
      over |= placed % EVENTS_AT_A_TIME == 0 && expired.getAsBoolean();
      int node = next(byRank);
      order[placed] = node;
      happen(node);
      for (int i = after.first(node); i < after.end(node); i++) {
        if (--waitingFor[after.neighbour(i)] == 0) {
          push(after.neighbour(i));
        }
      }
    }
    return order;
  }

  private int next(int[] byRank) {
    while (!ready.isEmpty()) {
      int node = (int) (ready.pop() & Integer.MAX_VALUE);
      int key = over ? Polygraph.NONE : blockingKey(node);
      if (key == Polygraph.NONE) {
        return node;
      }
      block(node, key);
    }
    // All are blocked: the first of them happens anyway.
    while (!isBlocked[byRank[firstBlocked]]) {
      firstBlocked++;
    }
    int node = byRank[firstBlocked];
    isBlocked[node] = false;
    return node;
  }

  private void block(int node, int key) {
    int before = waitsFor[node];
    isBlocked[node] = true;
    waitsFor[node] = key;
    firstBlocked = Math.min(firstBlocked, rank[node]);
    RankHeap[] heaps = commits(node) ? toCommit : toBegin;
    if (heaps[key] == null) {
      heaps[key] = new RankHeap();
    }
    heaps[key].push(priority(node));
    if (before != Polygraph.NONE && before != key) {
      // The event did not use the release by the other key.
      release(before);
    }
  }

  private boolean commits(int node) {
    return problem.isEvent(node) && problem.commit(problem.owner[node]) == node;
  }

  /** A key on which an event must wait for others, or −1. */
  private int blockingKey(int node) {
    if (!problem.isEvent(node)) {
      return Polygraph.NONE;
    }
    int txn = problem.owner[node];
    boolean begins = problem.shape.exclusive && problem.begin(txn) == node;
    boolean commits = problem.commit(txn) == node;
    for (int i = problem.writes.first(txn); i < problem.writes.end(txn); i++) {
      int key = problem.keyOf[problem.writes.item(i)];
      if (begins && active[key] > 0) {
        return key;
      }
      if (commits && unread[current[key]] > (readsHere(txn, current[key]) ? 1 : 0)) {
        return key;
      }
    }
    return Polygraph.NONE;
  }

  /** Whether a transaction with one event reads a version and writes the next. */
  private boolean readsHere(int txn, int version) {
    return !problem.shape.split && problem.isReader(version, txn);
  }

  private void happen(int node) {
    if (!problem.isEvent(node)) {
      return;
    }
    int txn = problem.owner[node];
    if (problem.begin(txn) == node) {
      for (int i = problem.reads.first(txn); i < problem.reads.end(txn); i++) {
        int version = problem.reads.item(i);
        if (--unread[version] <= 1) {
          release(problem.keyOf[version]);
        }
      }
    }
    for (int i = problem.writes.first(txn); i < problem.writes.end(txn); i++) {
      int version = problem.writes.item(i);
      int key = problem.keyOf[version];
      if (problem.shape.split && problem.begin(txn) == node) {
        active[key]++;
      } else {
        active[key] -= problem.shape.split ? 1 : 0;
        current[key] = version;
        release(key);
      }
    }
  }

  /**
   * Releases an event that a key no longer blocks. Of several equivalent events only the first is
   * released: the others would have to wait for it.
   */
  private void release(int key) {
    if (active[key] == 0) {
      releaseFirst(toBegin[key], key);
    }
    int version = current[key];
    if (unread[version] == 0) {
      releaseFirst(toCommit[key], key);
    } else if (unread[version] == 1 && !problem.shape.split && toCommit[key] != null) {
      for (int i = problem.readers.first(version); i < problem.readers.end(version); i++) {
        int node = problem.commit(problem.readers.item(i));
        if (isBlocked[node] && waitsFor[node] == key) {
          free(node);
        }
      }
    }
  }

  private void releaseFirst(RankHeap waiting, int key) {
    while (waiting != null && !waiting.isEmpty()) {
      int node = (int) (waiting.pop() & Integer.MAX_VALUE);
      if (isBlocked[node] && waitsFor[node] == key) {
        free(node);
        return;
      }
    }
  }

  private void free(int node) {
    isBlocked[node] = false;
    push(node);
  }

  private void push(int node) {
    ready.push(priority(node));
  }

  private long priority(int node) {
    // Commits go first: what has begun should not stay open.
    boolean first = problem.shape.split && commits(node);
    return ((long) (first ? 0 : 1) << 62) | ((long) rank[node] << 31) | node;
  }
}
