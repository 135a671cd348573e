package dev.assay.check.weak;

import dev.assay.history.History;
import dev.assay.resolve.KeyAccess;
import java.util.Arrays;
import java.util.BitSet;

/** The writers of one key as ranks in an order: ascending, and session by session. */
final class KeyWriters {
  /** Maximum number of moves per writer; beyond it a general sort is cheaper. */
  private static final int MOVES = 4;

  private int[] ranks = new int[64];
  private int size;
  private int near;

  /** The ranks by session, ascending in each; computed on first use. */
  private int[] bySession = new int[0];

  private int[] session = new int[0];
  private int[] start = new int[0];
  private int sessions;
  private boolean grouped;

  void load(KeyAccess part, int k, CommitOrder order) {
    load(part, k, order, null);
  }

  /** Loads those of the writers that are among some transactions; all if that is null. */
  void load(KeyAccess part, int k, CommitOrder order, BitSet among) {
    int count = part.endWriter(k) - part.firstWriter(k);
    if (count > ranks.length) {
      ranks = new int[Math.max(count, ranks.length * 2)];
    }
    size = 0;
    near = 0;
    grouped = false;
    long moves = (long) MOVES * count;
    for (int w = part.firstWriter(k); w < part.endWriter(k); w++) {
      if (among != null && !among.get(part.writer(w))) {
        continue;
      }
      int rank = order.rank(part.writer(w));
      if (rank < 0) {
        continue;
      }
      int at = size++;
      // File order is mostly close to commit order, so insertion takes few moves.
      for (; at > 0 && moves > 0 && ranks[at - 1] > rank; moves--) {
        ranks[at] = ranks[at - 1];
        at--;
      }
      ranks[at] = rank;
    }
    if (moves == 0) {
      Arrays.sort(ranks, 0, size);
    }
  }

  int size() {
    return size;
  }

  int rank(int index) {
    return ranks[index];
  }

  /** The ranks, ascending, at the first {@link #size} places. */
  int[] ranks() {
    return ranks;
  }

  /** Starts at the previous result: consecutive reads of a key are mostly close. */
  int firstAtOrAfter(int rank) {
    int low = near;
    int high = near;
    int step = 1;
    while (low > 0 && ranks[low - 1] >= rank) {
      high = low - 1;
      low = Math.max(0, low - step);
      step *= 2;
    }
    step = 1;
    while (high < size && ranks[high] < rank) {
      low = high + 1;
      high = Math.min(size, high + step);
      step *= 2;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranks[middle] < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    near = low;
    return low;
  }

  boolean contains(int rank) {
    return Arrays.binarySearch(ranks, 0, size, rank) >= 0;
  }

  /** Whether some writer is strictly between. */
  boolean hasBetween(int low, int high) {
    int index = firstAtOrAfter(high);
    return index > 0 && ranks[index - 1] > low;
  }

  /** Groups the writers by session; an order that respects sessions has each session ascending. */
  void group(History history, CommitOrder order) {
    if (grouped) {
      return;
    }
    grouped = true;
    long[] keyed = new long[size];
    for (int i = 0; i < size; i++) {
      keyed[i] = ((long) history.session(order.at(ranks[i])) << 32) | ranks[i];
    }
    Arrays.sort(keyed);
    bySession = new int[size];
    session = new int[size];
    start = new int[size + 1];
    sessions = 0;
    for (int i = 0; i < size; i++) {
      bySession[i] = (int) keyed[i];
      int own = (int) (keyed[i] >>> 32);
      if (i == 0 || session[sessions - 1] != own) {
        session[sessions] = own;
        start[sessions++] = i;
      }
    }
    start[sessions] = size;
  }

  /** How many sessions have writers, once they are grouped. */
  int sessions() {
    return sessions;
  }

  /** The group of a session, or a negative number. */
  int groupOf(int ofSession) {
    return Arrays.binarySearch(session, 0, sessions, ofSession);
  }

  /** The writers of a group are those at these places. */
  int first(int group) {
    return start[group];
  }

  int end(int group) {
    return start[group + 1];
  }

  /** The rank at a place of a group. */
  int inGroup(int place) {
    return bySession[place];
  }
}
