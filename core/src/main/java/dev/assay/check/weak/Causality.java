package dev.assay.check.weak;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * The transactions that count and their direct causal predecessors: the previous transaction of the
 * session, those it reads from, and, where versions are known, the writers of the previous
 * versions.
 */
final class Causality {
  static final int NONE = -1;

  private static final int PIECES = 64;

  /** Maximum number of sources that are sorted by insertion and searched linearly. */
  private static final int FEW = 24;

  private final History history;
  private final ReadsFrom reads;
  private final int pieces;
  private final int[] previous;
  private final int[] firstSource;
  private final int[] source;
  private final EdgeList versions;
  private final Digraph versionsByTo;

  Causality(History history, ReadsFrom reads, EdgeList versions) {
    this.history = history;
    this.reads = reads;
    this.versions = versions;
    this.versionsByTo = Digraph.predecessors(history.transactionCount(), versions);
    this.previous = previousInSession();
    int transactions = history.transactionCount();
    this.pieces = Cores.pieces(history, PIECES);
    int[][] found = new int[pieces][];
    this.firstSource = new int[transactions + 1];
    Cores.over(history, pieces).forEach(piece -> found[piece] = collectSources(piece));
    for (int txn = 0; txn < transactions; txn++) {
      firstSource[txn + 1] += firstSource[txn];
    }
    this.source = new int[firstSource[transactions]];
    for (int piece = 0; piece < pieces; piece++) {
      System.arraycopy(found[piece], 0, source, firstSource[start(piece)], found[piece].length);
    }
  }

  private int start(int piece) {
    return (int) ((long) history.transactionCount() * piece / pieces);
  }

  private int[] previousInSession() {
    int[] result = new int[history.transactionCount()];
    Arrays.fill(result, NONE);
    for (int session = 0; session < history.sessionCount(); session++) {
      int last = NONE;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        if (counts(txn)) {
          result[txn] = last;
          last = txn;
        }
      }
    }
    return result;
  }

  /** The sources of a piece of the transactions, sorted; their numbers go to firstSource. */
  private int[] collectSources(int piece) {
    int[] found = new int[64];
    int size = 0;
    for (int txn = start(piece); txn < start(piece + 1); txn++) {
      int first = size;
      if (counts(txn)) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int writer = sourceOf(op);
          if (writer < 0 || writer == txn || !counts(writer)) {
            continue;
          }
          if (size == found.length) {
            found = Arrays.copyOf(found, Math.addExact(size, size >>> 1));
          }
          found[size++] = writer;
        }
        sort(found, first, size);
        size = first + distinct(found, first, size);
      }
      firstSource[txn + 1] = size - first;
    }
    return Arrays.copyOf(found, size);
  }

  /** Insertion sort: most transactions read from so few others that a general sort costs more. */
  private static void sort(int[] found, int from, int to) {
    if (to - from > FEW) {
      Arrays.sort(found, from, to);
      return;
    }
    for (int i = from + 1; i < to; i++) {
      int item = found[i];
      int at = i;
      while (at > from && found[at - 1] > item) {
        found[at] = found[at - 1];
        at--;
      }
      found[at] = item;
    }
  }

  private static int distinct(int[] sorted, int from, int to) {
    int size = 0;
    for (int i = from; i < to; i++) {
      if (i == from || sorted[i] != sorted[i - 1]) {
        sorted[from + size++] = sorted[i];
      }
    }
    return size;
  }

  History history() {
    return history;
  }

  ReadsFrom reads() {
    return reads;
  }

  int transactions() {
    return history.transactionCount();
  }

  boolean counts(int txn) {
    return reads.counts(txn);
  }

  /** The write whose version an operation read, as an operation; negative when there is none. */
  int sourceOp(int op) {
    return reads.versionSource(op);
  }

  /** The transaction an operation read from, {@link ReadsFrom#INITIAL}, or another negative. */
  int sourceOf(int op) {
    int write = sourceOp(op);
    return write >= 0 ? history.transactionOf(write) : write;
  }

  /** The transaction before in the same session that counts, or −1. */
  int previous(int txn) {
    return previous[txn];
  }

  /** The transactions read from, ascending, are those at these places. */
  int firstSource(int txn) {
    return firstSource[txn];
  }

  int endSource(int txn) {
    return firstSource[txn + 1];
  }

  /** Number of pairs of a transaction and one it reads from. */
  int sources() {
    return source.length;
  }

  int source(int place) {
    return source[place];
  }

  boolean readsFrom(int txn, int writer) {
    int from = firstSource[txn];
    int to = firstSource[txn + 1];
    if (to - from <= FEW) {
      while (from < to && source[from] < writer) {
        from++;
      }
      return from < to && source[from] == writer;
    }
    return Arrays.binarySearch(source, from, to, writer) >= 0;
  }

  boolean precedesInSession(int earlier, int later) {
    return history.session(earlier) == history.session(later)
        && history.placeInSession(earlier) < history.placeInSession(later);
  }

  /** Edges between writers of consecutive versions, where these are known. */
  EdgeList versions() {
    return versions;
  }

  /** Those edges by the node they enter. */
  Digraph versionsByTo() {
    return versionsByTo;
  }
}
