package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;

/** The version order of lists ({@link ListChains}) as edges between transactions. */
public final class ListVersions {
  private static final int NONE = -1;

  private final History history;
  private final ReadsFrom reads;
  private final ListChains chains;
  private KeyAccess access = new KeyAccess();
  private final EdgeList order = new EdgeList();

  public ListVersions(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    this.chains = new ListChains(history, reads);
    for (int key = 0; key < chains.keys(); key++) {
      if (chains.firstOperation(key) < chains.endOperation(key)) {
        listAccess(key);
        orderVersions(key);
      }
    }
    access = access.taken();
  }

  /** The appends to each list in order. */
  public ListChains chains() {
    return chains;
  }

  /** The appenders and readers of each list. */
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

  private void listAccess(int key) {
    int txn = NONE;
    boolean wrote = false;
    for (int i = chains.firstOperation(key); i < chains.endOperation(key); i++) {
      int op = chains.operation(i);
      if (txn < 0 || op >= history.endOp(txn)) {
        txn = history.transactionOf(op);
        wrote = false;
      }
      if (history.kind(op) == OpKind.APPEND) {
        if (!wrote) {
          access.addWriter(txn);
        }
        wrote = true;
      } else if (!wrote && chains.isKnownRead(op)) {
        int write = reads.elements().lastWriter(history.value(op));
        int writer = write >= 0 ? history.transactionOf(write) : write;
        if (writer == ReadsFrom.INITIAL || (writer >= 0 && writer != txn)) {
          access.addRead(txn, writer);
        }
      }
    }
    access.endKey(key);
  }

  /** Edges along what reads show, then to every append that no read shows. */
  private void orderVersions(int key) {
    int last = NONE;
    for (int i = chains.first(key); i < chains.end(key); i++) {
      addEdge(last, chains.append(i), key);
      if (i < chains.shownEnd(key)) {
        last = chains.append(i);
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
