package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.resolve.ReadsFrom;

/**
 * Read consistency of sets that only grow, one transaction at a time. An element missing from a
 * read means that its addition was not seen.
 */
final class SetReads implements TypeReads {
  private final History history;
  private final Sequences sequences;
  private final ReadsFrom reads;
  private final ReadAnomalies tally;

  SetReads(History history, ReadsFrom reads, ReadAnomalies tally) {
    this.history = history;
    this.sequences = history.sequences();
    this.reads = reads;
    this.tally = tally;
  }

  @Override
  public void check(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.SET_READ && history.value(op) != Values.UNKNOWN) {
        checkElements(txn, op);
        checkOwn(txn, op);
      }
    }
  }

  private void checkElements(int txn, int read) {
    int sequence = history.value(read);
    int future = -1;
    int partial = -1;
    for (int i = 0; i < sequences.length(sequence); i++) {
      int writer = reads.elements().writer(sequence, i);
      if (writer < 0) {
        continue;
      }
      int writerTxn = history.transactionOf(writer);
      if (future < 0 && writerTxn == txn && writer > read && !addedBefore(txn, read, writer)) {
        future = writer;
      }
      if (partial < 0 && writerTxn != txn) {
        partial = missingAfter(sequence, writer, writerTxn);
        if (partial >= 0) {
          tally.add(AnomalyType.INTERMEDIATE_READ, read, writer, partial);
        }
      }
    }
    if (reads.elements().hasThinAir(sequence)) {
      tally.add(AnomalyType.THIN_AIR_READ, read);
    }
    int aborted = reads.elements().abortedWrite(sequence);
    if (aborted >= 0) {
      tally.add(AnomalyType.ABORTED_READ, read, aborted);
    }
    if (future >= 0) {
      tally.add(AnomalyType.FUTURE_READ, read, future);
    }
  }

  /**
   * An element that the writer added after one that the read shows and that the read lacks, or −1.
   * A read that lacks only earlier ones does not show an intermediate state. An element is present
   * from its first addition on.
   */
  private int missingAfter(int sequence, int seen, int writerTxn) {
    int first = history.firstOp(writerTxn);
    while (!isSameAddition(first, seen)) {
      first++;
    }
    for (int op = first + 1; op < history.endOp(writerTxn); op++) {
      boolean sameSet = history.kind(op) == OpKind.ADD && history.key(op) == history.key(seen);
      boolean missing = sameSet && !sequences.setContains(sequence, history.value(op));
      if (missing && !addedBefore(writerTxn, first, op)) {
        return op;
      }
    }
    return -1;
  }

  private boolean addedBefore(int txn, int read, int addition) {
    for (int op = history.firstOp(txn); op < read; op++) {
      if (isSameAddition(op, addition)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSameAddition(int op, int addition) {
    return history.kind(op) == OpKind.ADD
        && history.key(op) == history.key(addition)
        && history.value(op) == history.value(addition);
  }

  private void checkOwn(int txn, int read) {
    int sequence = history.value(read);
    int earlier = -1;
    int lost = -1;
    for (int op = read - 1; op >= history.firstOp(txn); op--) {
      if (history.key(op) != history.key(read)) {
        continue;
      }
      OpKind kind = history.kind(op);
      if (kind == OpKind.ADD && lost < 0 && !sequences.setContains(sequence, history.value(op))) {
        lost = op;
      }
      if (kind == OpKind.SET_READ && earlier < 0 && history.value(op) != Values.UNKNOWN) {
        earlier = op;
      }
    }
    if (lost >= 0) {
      tally.add(AnomalyType.NOT_MY_OWN_WRITE, read, lost);
    }
    if (earlier >= 0 && !differsByOwnAdditions(read, earlier)) {
      tally.add(AnomalyType.NON_REPEATABLE_READ, read, earlier);
    }
  }

  /** Whether two reads differ only by what the transaction added in between. */
  private boolean differsByOwnAdditions(int read, int earlier) {
    int now = history.value(read);
    int before = history.value(earlier);
    for (int i = 0; i < sequences.length(before); i++) {
      int element = sequences.element(before, i);
      if (!sequences.setContains(now, element) && !addedBetween(earlier, read, element)) {
        return false;
      }
    }
    for (int i = 0; i < sequences.length(now); i++) {
      int element = sequences.element(now, i);
      if (!sequences.setContains(before, element) && !addedBetween(earlier, read, element)) {
        return false;
      }
    }
    return true;
  }

  private boolean addedBetween(int from, int to, int element) {
    for (int op = from + 1; op < to; op++) {
      boolean same =
          history.kind(op) == OpKind.ADD
              && history.key(op) == history.key(to)
              && history.value(op) == element;
      if (same) {
        return true;
      }
    }
    return false;
  }
}
