package dev.assay.check.weak;

import dev.assay.history.History;
import java.util.Arrays;

/**
 * When each session first read from the writers of one key. Finds the writers from which a session
 * had read before a transaction of it, without a look at all of them.
 */
final class FirstReads {
  private final int[] session;

  /** The entries of a session are from its start to the start of the next. */
  private final int[] start;

  /** The writer of each entry, by its number, ascending in each session. */
  private final int[] writer;

  /**
   * For each session a binary tree with the least place of a reader below each node; its root is at
   * place 1, and its leaves are the entries.
   */
  private final int[][] least;

  /** Prepares the writers of a key; sessions must have been prepared for these premises. */
  FirstReads(History history, AxiomPremises premises, CommitOrder order, KeyWriters writers) {
    long[] entries = new long[64];
    int size = 0;
    for (int w = 0; w < writers.size(); w++) {
      int txn = order.at(writers.rank(w));
      for (int i = premises.firstReader(txn); i < premises.endReader(txn); i++) {
        if (size == entries.length) {
          entries = Arrays.copyOf(entries, Math.multiplyExact(size, 2));
        }
        entries[size++] = ((long) history.session(premises.reader(i)) << 32) | w;
      }
    }
    Arrays.sort(entries, 0, size);
    this.writer = new int[size];
    int[] sessions = new int[size];
    int[] starts = new int[size + 1];
    int count = 0;
    for (int i = 0; i < size; i++) {
      writer[i] = (int) entries[i];
      int own = (int) (entries[i] >> 32);
      if (i == 0 || sessions[count - 1] != own) {
        sessions[count] = own;
        starts[count++] = i;
      }
    }
    starts[count] = size;
    this.session = Arrays.copyOf(sessions, count);
    this.start = Arrays.copyOf(starts, count + 1);
    this.least = new int[count][];
    for (int group = 0; group < count; group++) {
      int leaves = Integer.highestOneBit(Math.max(1, end(group) - start[group] - 1)) << 1;
      int[] tree = new int[2 * leaves];
      Arrays.fill(tree, Integer.MAX_VALUE);
      for (int i = start[group]; i < end(group); i++) {
        int reader = premises.readerIn(session[group], order.at(writers.rank(writer[i])));
        tree[leaves + i - start[group]] = history.placeInSession(reader);
      }
      for (int node = leaves - 1; node > 0; node--) {
        tree[node] = Math.min(tree[2 * node], tree[2 * node + 1]);
      }
      least[group] = tree;
    }
  }

  private int end(int group) {
    return start[group + 1];
  }

  /** The group of a session, or a negative number. */
  int group(int ofSession) {
    return Arrays.binarySearch(session, ofSession);
  }

  /**
   * The first writer from a number on from which a session had read before a place in it; {@link
   * Integer#MAX_VALUE} if there is none.
   */
  int next(int group, int from, int place) {
    int entry = Arrays.binarySearch(writer, start[group], end(group), from);
    entry = entry < 0 ? -entry - 1 : entry;
    if (entry == end(group)) {
      return Integer.MAX_VALUE;
    }
    int[] tree = least[group];
    int leaves = tree.length / 2;
    int node = leaves + entry - start[group];
    while (tree[node] >= place) {
      // On to the next subtree on the right.
      while ((node & 1) == 1) {
        node >>= 1;
      }
      if (node == 0) {
        return Integer.MAX_VALUE;
      }
      node++;
    }
    while (node < leaves) {
      node = 2 * node + (tree[2 * node] < place ? 0 : 1);
    }
    return writer[start[group] + node - leaves];
  }
}
