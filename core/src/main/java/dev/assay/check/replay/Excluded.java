package dev.assay.check.replay;

import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.OtherThan;
import dev.assay.history.Values;

/**
 * The versions that transactions of a {@link SerialOrder} must not find, because a condition on
 * them failed: those of the value that the condition asks for.
 */
final class Excluded {
  private static final int NONE = -1;

  private final int[] first;
  private final IntList keys = new IntList();
  private final IntList versions = new IntList();

  /**
   * The versions that are excluded.
   *
   * @param recorded the history with its conditions that failed
   * @see OtherThan
   */
  Excluded(History recorded, Footprints footprints) {
    this.first = new int[recorded.transactionCount() + 1];
    if (!recorded.hasOtherReads()) {
      return;
    }
    LongIndex written = new LongIndex();
    IntList writes = new IntList();
    for (int op = 0; op < recorded.operationCount(); op++) {
      if (recorded.kind(op) == OpKind.WRITE) {
        int before = written.size();
        if (written.indexOf(pair(recorded.key(op), recorded.value(op))) == before) {
          writes.add(op);
        }
      }
    }
    for (int txn = 0; txn < recorded.transactionCount(); txn++) {
      for (int op = recorded.firstOp(txn); op < recorded.endOp(txn); op++) {
        if (recorded.isOtherRead(op) && !isOwn(recorded, txn, op)) {
          int key = recorded.key(op);
          int value = recorded.values().excluded(recorded.value(op));
          int write = value == Values.UNKNOWN ? NONE : written.find(pair(key, value));
          if (value == recorded.initialValue(key)) {
            add(key, footprints.initial(key));
          } else if (write >= 0) {
            add(key, writes.get(write));
          }
        }
      }
      first[txn + 1] = keys.size();
    }
  }

  /** Whether a read sees what its transaction wrote. */
  private static boolean isOwn(History recorded, int txn, int read) {
    for (int op = recorded.firstOp(txn); op < read; op++) {
      if (recorded.kind(op) == OpKind.WRITE && recorded.key(op) == recorded.key(read)) {
        return true;
      }
    }
    return false;
  }

  private void add(int key, int version) {
    keys.add(key);
    versions.add(version);
  }

  private static long pair(int key, int value) {
    return (long) key << 32 | value & 0xFFFFFFFFL;
  }

  /** The key of a version that a transaction must not find and that is current; −1 for none. */
  int current(int txn, int[] current) {
    for (int i = first[txn]; i < first[txn + 1]; i++) {
      if (current[keys.get(i)] == versions.get(i)) {
        return keys.get(i);
      }
    }
    return NONE;
  }
}
