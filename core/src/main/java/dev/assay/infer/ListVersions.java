package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.Arrays;

/**
 * The versions of lists. The longest read of a list by a transaction that counts gives the order of
 * its elements; an element that no read shows was appended after them.
 */
public final class ListVersions {
  private static final int NONE = -1;

  private final History history;
  private final ReadsFrom reads;
  private final KeyAccess access = new KeyAccess();
  private final EdgeList order = new EdgeList();

  /** For each key, its longest read, or −1. */
  private int[] longest;

  public ListVersions(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    if (history.uses(OpKind.Type.LIST)) {
      findLongestReads();
      listKeys();
    }
    access.trim();
  }

  /** Who appended to and read which list. */
  public KeyAccess access() {
    return access;
  }

  /**
   * Edges between transactions that wrote consecutive versions of a list, labelled with the key and
   * marked with the earlier append.
   */
  public EdgeList order() {
    return order;
  }

  private boolean isKnownRead(int op) {
    return history.kind(op) == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN;
  }

  private void findLongestReads() {
    longest = new int[history.keys().count()];
    Arrays.fill(longest, NONE);
    Sequences sequences = history.sequences();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (isKnownRead(op) && reads.counts(txn)) {
          int best = longest[history.key(op)];
          boolean longer =
              best == NONE
                  || sequences.length(history.value(op)) > sequences.length(history.value(best));
          if (longer) {
            longest[history.key(op)] = op;
          }
        }
      }
    }
  }

  /** Goes over the list operations grouped by key. */
  private void listKeys() {
    int[] first = new int[history.keys().count() + 1];
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == OpKind.Type.LIST) {
        first[history.key(op) + 1]++;
      }
    }
    for (int key = 0; key + 1 < first.length; key++) {
      first[key + 1] += first[key];
    }
    int[] ops = new int[first[first.length - 1]];
    int[] next = first.clone();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == OpKind.Type.LIST) {
        ops[next[history.key(op)]++] = op;
      }
    }
    for (int key = 0; key + 1 < first.length; key++) {
      if (first[key] < first[key + 1]) {
        listAccess(key, ops, first[key], first[key + 1]);
        orderVersions(key, ops, first[key], first[key + 1]);
      }
    }
  }

  private void listAccess(int key, int[] ops, int from, int to) {
    int txn = NONE;
    boolean wrote = false;
    for (int i = from; i < to; i++) {
      int op = ops[i];
      if (txn < 0 || op >= history.endOp(txn)) {
        txn = history.transactionOf(op);
        wrote = false;
      }
      if (history.kind(op) == OpKind.APPEND) {
        if (!wrote) {
          access.addWriter(txn);
        }
        wrote = true;
      } else if (!wrote && isKnownRead(op)) {
        int write = reads.elements().lastWriter(history.value(op));
        int writer = write >= 0 ? history.transactionOf(write) : write;
        if (writer == ReadsFrom.INITIAL || (writer >= 0 && writer != txn)) {
          access.addRead(txn, writer);
        }
      }
    }
    access.endKey(key);
  }

  /** Edges along the longest read, then to every append that no read shows. */
  private void orderVersions(int key, int[] ops, int from, int to) {
    int last = NONE;
    int read = longest[key];
    int length = read == NONE ? 0 : history.sequences().length(history.value(read));
    for (int i = 0; i < length; i++) {
      int append = reads.elements().writer(history.value(read), i);
      if (append >= 0 && reads.counts(history.transactionOf(append))) {
        addEdge(last, append, key);
        last = append;
      }
    }
    if (last == NONE) {
      return;
    }
    LongIndex shown = new LongIndex();
    for (int i = 0; i < length; i++) {
      shown.indexOf(history.sequences().element(history.value(read), i));
    }
    for (int i = from; i < to; i++) {
      boolean unread =
          history.kind(ops[i]) == OpKind.APPEND
              && reads.counts(history.transactionOf(ops[i]))
              && shown.find(history.value(ops[i])) < 0;
      if (unread) {
        addEdge(last, ops[i], key);
      }
    }
  }

  private void addEdge(int earlier, int later, int key) {
    if (earlier == NONE) {
      return;
    }
    int from = history.transactionOf(earlier);
    int to = history.transactionOf(later);
    if (from != to) {
      order.add(from, to, key, earlier);
    }
  }
}
