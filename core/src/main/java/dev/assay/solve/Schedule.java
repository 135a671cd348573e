package dev.assay.solve;

import dev.assay.graph.EdgeList;
import java.util.Arrays;

/**
 * Guesses an order by playing it: of the events all of whose predecessors have happened, the next
 * is one that overwrites no version somebody has still to read and, where writers must not overlap,
 * begins no second writer of a key. Only when every such event would, one of them happens
 * nevertheless; that is what the search then has to put right.
 */
final class Schedule {
  private final Polygraph problem;
  private final Rows after;
  private final int[] waitingFor;
  private final int[] rank;

  /** For each key its current version and how many writers of it have begun and not committed. */
  private final int[] current;

  private final int[] active;

  /** For each version how many transactions have still to read it. */
  private final int[] unread;

  /** Ready events by rank, smallest first. */
  private long[] ready = new long[64];

  private int readySize;

  /** Blocked events by the key that blocks them, as a linked list. */
  private final int[] blockedAt;

  private final int[] nextBlocked;
  private final boolean[] isBlocked;
  private int firstBlocked;

  Schedule(Polygraph problem, EdgeList added, int[] order) {
    this.problem = problem;
    this.after = Rows.successors(problem.nodes, problem.known, added);
    this.rank = TopologicalOrder.places(order);
    this.waitingFor = new int[problem.nodes];
    for (int target : after.node) {
      waitingFor[target]++;
    }
    this.current = Arrays.copyOf(problem.keyFirst, problem.keys());
    this.active = new int[problem.keys()];
    this.unread = new int[problem.writer.length];
    for (int version = 0; version < unread.length; version++) {
      unread[version] = problem.readers.size(version);
    }
    this.blockedAt = new int[problem.keys()];
    this.nextBlocked = new int[problem.nodes];
    this.isBlocked = new boolean[problem.nodes];
    Arrays.fill(blockedAt, Polygraph.NONE);
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
      int node = next(byRank);
      order[placed] = node;
      happen(node);
      for (int i = after.first(node); i < after.end(node); i++) {
        if (--waitingFor[after.node[i]] == 0) {
          push(after.node[i]);
        }
      }
    }
    return order;
  }

  private int next(int[] byRank) {
    while (readySize > 0) {
      int node = (int) pop();
      int key = blockingKey(node);
      if (key == Polygraph.NONE) {
        return node;
      }
      isBlocked[node] = true;
      nextBlocked[node] = blockedAt[key];
      blockedAt[key] = node;
      firstBlocked = Math.min(firstBlocked, rank[node]);
    }
    // All are blocked: the first of them happens, wrongly.
    while (!isBlocked[byRank[firstBlocked]]) {
      firstBlocked++;
    }
    int node = byRank[firstBlocked];
    isBlocked[node] = false;
    return node;
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

  /** Whether a transaction of one event reads a version while it writes the next. */
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

  private void release(int key) {
    for (int node = blockedAt[key]; node != Polygraph.NONE; node = nextBlocked[node]) {
      if (isBlocked[node]) {
        isBlocked[node] = false;
        push(node);
      }
    }
    blockedAt[key] = Polygraph.NONE;
  }

  private void push(int node) {
    if (readySize == ready.length) {
      ready = Arrays.copyOf(ready, readySize * 2);
    }
    // Commits go first: what has begun should not stay open.
    boolean commits =
        problem.shape.split && problem.isEvent(node) && problem.commit(problem.owner[node]) == node;
    long key = ((long) (commits ? 0 : 1) << 62) | ((long) rank[node] << 31) | node;
    int at = readySize++;
    while (at > 0 && ready[(at - 1) >> 1] > key) {
      ready[at] = ready[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    ready[at] = key;
  }

  private long pop() {
    long top = ready[0];
    long last = ready[--readySize];
    int at = 0;
    while (2 * at + 1 < readySize) {
      int child = 2 * at + 1;
      if (child + 1 < readySize && ready[child + 1] < ready[child]) {
        child++;
      }
      if (ready[child] >= last) {
        break;
      }
      ready[at] = ready[child];
      at = child;
    }
    ready[at] = last;
    return top & Integer.MAX_VALUE;
  }
}
