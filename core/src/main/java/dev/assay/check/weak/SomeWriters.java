package dev.assay.check.weak;

import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.BitSet;

/**
 * The writers of a key that must be looked at for a read, where only t1, t2 and t3 matter of which
 * one is among some transactions: all writers if the source or the reader is, else the few that
 * are.
 */
final class SomeWriters {
  private final KeyWriters all = new KeyWriters();
  private final KeyWriters few = new KeyWriters();
  private KeyAccess part;
  private int index;
  private CommitOrder order;
  private BitSet among;

  /** Before the first key there is nothing to load. */
  private boolean loaded = true;

  /** Begins a key; all transactions matter if those given are null. */
  void begin(KeyAccess ofPart, int k, CommitOrder inOrder, BitSet someTransactions) {
    part = ofPart;
    index = k;
    order = inOrder;
    among = someTransactions;
    loaded = false;
    if (among == null) {
      all();
    } else {
      few.load(part, index, order, among);
    }
  }

  /** Whether a read can have writers to look at. */
  boolean any(int read) {
    return among == null || few.size() > 0 || among.get(part.reader(read));
  }

  KeyWriters of(int read) {
    return among == null || isAmong(read) ? all() : few;
  }

  private boolean isAmong(int read) {
    int source = part.source(read);
    return among.get(part.reader(read)) || (source != ReadsFrom.INITIAL && among.get(source));
  }

  /** All writers of the key. */
  KeyWriters all() {
    if (!loaded) {
      all.load(part, index, order);
      loaded = true;
    }
    return all;
  }
}
