package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;

/**
 * Transactions that read a register from another transaction and then wrote it.
 *
 * <p>Where a value was written several times, {@link ReadsFrom} only rules out writers that Adya's
 * read committed rules out too, with one exception: the reader itself, if it wrote the value later.
 * Such a read gives no edge.
 */
final class ReadModifyWrites {
  private final History history;
  private final ReadsFrom reads;

  ReadModifyWrites(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
  }

  /** Adds an edge from each transaction read from to the one that read and wrote. */
  void addTo(EdgeList chains) {
    long[] sorted = new long[64];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!reads.repeatsAccess(txn) || !reads.counts(txn)) {
        continue;
      }
      int size = history.endOp(txn) - history.firstOp(txn);
      if (size > sorted.length) {
        sorted = new long[size + (size >>> 1)];
      }
      int count = 0;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op).type() == OpKind.Type.REGISTER) {
          sorted[count++] = ((long) history.key(op) << 32) | op;
        }
      }
      java.util.Arrays.sort(sorted, 0, count);
      int from = 0;
      while (from < count) {
        int to = from + 1;
        while (to < count && sorted[to] >>> 32 == sorted[from] >>> 32) {
          to++;
        }
        addKey(txn, sorted, from, to, chains);
        from = to;
      }
    }
  }

  /** The operations of a transaction on one key, in program order. */
  private void addKey(int txn, long[] ops, int from, int to, EdgeList chains) {
    int firstWrite = from;
    while (firstWrite < to && history.kind((int) ops[firstWrite]) != OpKind.WRITE) {
      firstWrite++;
    }
    int before = ReadsFrom.NONE;
    for (int i = from; i < firstWrite && firstWrite < to; i++) {
      int read = (int) ops[i];
      int source = reads.source(read);
      boolean chain =
          source >= 0
              && history.transactionOf(source) != txn
              && reads.counts(history.transactionOf(source))
              && !reads.isOverwritten(source)
              && !isRewritten(read, ops, firstWrite, to);
      if (chain && source != before) {
        chains.add(history.transactionOf(source), txn, history.key(read), read);
        before = source;
      }
    }
  }

  private boolean isRewritten(int read, long[] ops, int from, int to) {
    for (int i = from; i < to; i++) {
      int op = (int) ops[i];
      if (history.kind(op) == OpKind.WRITE && history.value(op) == history.value(read)) {
        return true;
      }
    }
    return false;
  }

  /** The first write of the key of a read after it in its transaction. */
  static int laterWrite(History history, int read) {
    int op = read + 1;
    while (history.kind(op) != OpKind.WRITE || history.key(op) != history.key(read)) {
      op++;
    }
    return op;
  }
}
