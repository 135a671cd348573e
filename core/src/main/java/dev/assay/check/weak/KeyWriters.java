package dev.assay.check.weak;

import dev.assay.history.History;
import dev.assay.infer.KeyAccess;
import java.util.Arrays;

/** The writers of one key as ranks in an order: ascending, and session by session. */
final class KeyWriters {
  private int[] ranks = new int[64];
  private int size;

  /** The ranks by session, ascending in each; made when asked for. */
  private int[] bySession = new int[0];

  private int[] session = new int[0];
  private int[] start = new int[0];
  private int sessions;
  private boolean grouped;

  void load(KeyAccess part, int k, CommitOrder order) {
    int count = part.endWriter(k) - part.firstWriter(k);
    if (count > ranks.length) {
      ranks = new int[Math.max(count, ranks.length * 2)];
    }
    size = 0;
    grouped = false;
    boolean sorted = true;
    for (int w = part.firstWriter(k); w < part.endWriter(k); w++) {
      int rank = order.rank(part.writer(w));
      if (rank >= 0) {
        sorted &= size == 0 || ranks[size - 1] < rank;
        ranks[size++] = rank;
      }
    }
    if (!sorted) {
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

  int firstAtOrAfter(int rank) {
    int found = Arrays.binarySearch(ranks, 0, size, rank);
    return found < 0 ? -found - 1 : found;
  }

  boolean contains(int rank) {
    return Arrays.binarySearch(ranks, 0, size, rank) >= 0;
  }

  /** Whether some writer is strictly between. */
  boolean hasBetween(int low, int high) {
    int index = firstAtOrAfter(high);
    return index > 0 && ranks[index - 1] > low;
  }

  /** Groups them by session; an order that respects sessions has each session ascending. */
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
