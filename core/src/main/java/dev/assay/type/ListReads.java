package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.resolve.Elements;
import dev.assay.resolve.ReadsFrom;
import java.util.Set;

/**
 * Read consistency of lists, one transaction at a time. A list shows more than a register: every
 * element names its writer, and an append also reads the version it extends, so a transaction saw
 * the version before its own appends.
 */
final class ListReads implements TypeReads {
  private final History history;
  private final Sequences sequences;
  private final Elements elements;
  private final ReadsFrom reads;
  private final ReadAnomalies tally;

  ListReads(History history, ReadsFrom reads, ReadAnomalies tally) {
    this.history = history;
    this.sequences = history.sequences();
    this.elements = reads.elements();
    this.reads = reads;
    this.tally = tally;
  }

  @Override
  public void check(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN) {
        checkElements(txn, op);
        checkOwn(txn, op);
      }
    }
  }

  /** Checks the writers of the elements: thin-air, aborted, intermediate and future reads. */
  private void checkElements(int txn, int read) {
    int sequence = history.value(read);
    if (elements.hasThinAir(sequence)) {
      tally.add(AnomalyType.THIN_AIR_READ, read);
    }
    int aborted = elements.abortedWrite(sequence);
    if (aborted >= 0) {
      tally.add(AnomalyType.ABORTED_READ, read, aborted);
    }
    for (int op = read + 1; op < history.endOp(txn); op++) {
      boolean laterAppend =
          history.kind(op) == OpKind.APPEND && history.key(op) == history.key(read);
      if (laterAppend && contains(sequence, op)) {
        tally.add(AnomalyType.FUTURE_READ, read, op);
        break;
      }
    }
    int last = elements.lastWriter(sequence);
    if (last >= 0 && !isIn(txn, last) && reads.isOverwritten(last)) {
      tally.add(AnomalyType.INTERMEDIATE_READ, read, last, LaterWrite.of(history, last));
    }
  }

  private boolean contains(int sequence, int append) {
    for (int i = 0; i < sequences.length(sequence); i++) {
      if (elements.writer(sequence, i) == append) {
        return true;
      }
    }
    return false;
  }

  /** The transaction's own appends and earlier reads of the key. */
  private void checkOwn(int txn, int read) {
    int key = history.key(read);
    int sequence = history.value(read);
    int left = sequences.length(sequence);
    int lastOwn = -1;
    for (int op = read - 1; op >= history.firstOp(txn); op--) {
      if (history.key(op) != key) {
        continue;
      }
      if (history.kind(op) == OpKind.APPEND) {
        if (lastOwn < 0) {
          lastOwn = op;
        }
        if (left == 0 || sequences.element(sequence, left - 1) != history.value(op)) {
          reportOwn(txn, read, lastOwn, left);
          return;
        }
        left--;
      } else if (history.kind(op) == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN) {
        if (!sameBeginning(sequence, left, history.value(op))) {
          reportOther(read, left, op);
          if (lastOwn < 0) {
            reportLostOwn(txn, read, op);
          }
        }
        return;
      }
    }
  }

  /**
   * The prefix before the transaction's own appends differs from what it read earlier. Where others
   * appended the same elements, the read may show theirs instead and lack its own.
   */
  private void reportOther(int read, int left, int earlier) {
    int sequence = history.value(read);
    boolean own = true;
    for (int i = left; i < sequences.length(sequence); i++) {
      own &= elements.writer(sequence, i) != ReadsFrom.AMBIGUOUS;
    }
    if (own) {
      tally.add(AnomalyType.NON_REPEATABLE_READ, read, earlier);
    } else {
      tally.addEither(
          AnomalyType.NON_REPEATABLE_READ, Set.of(AnomalyType.NOT_MY_OWN_WRITE), read, earlier);
    }
  }

  /** The transaction's own appends are not the suffix of what it read. */
  private void reportOwn(int txn, int read, int lastOwn, int left) {
    int sequence = history.value(read);
    int last = elements.lastWriter(sequence);
    boolean older = last >= history.firstOp(txn) && last < lastOwn;
    if (older && left == sequences.length(sequence)) {
      tally.add(AnomalyType.NOT_MY_LAST_WRITE, read, lastOwn, last);
    } else {
      int between = left == 0 ? ReadsFrom.INITIAL : elements.writer(sequence, left - 1);
      tally.add(AnomalyType.NOT_MY_OWN_WRITE, read, lastOwn, between);
    }
  }

  /** A repeated read that differs may also have lost an append made before the first one. */
  private void reportLostOwn(int txn, int read, int earlier) {
    int key = history.key(read);
    for (int op = earlier - 1; op >= history.firstOp(txn); op--) {
      if (history.key(op) == key && history.kind(op) == OpKind.APPEND) {
        // Compare values: an element that others appended too may be the transaction's own.
        if (!endsIn(history.value(read), history.value(op))) {
          reportOwn(txn, read, op, sequences.length(history.value(read)));
        }
        return;
      }
    }
  }

  private boolean endsIn(int sequence, int element) {
    int length = sequences.length(sequence);
    return length > 0 && sequences.element(sequence, length - 1) == element;
  }

  private boolean sameBeginning(int sequence, int length, int earlier) {
    if (sequences.length(earlier) != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (sequences.element(sequence, i) != sequences.element(earlier, i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isIn(int txn, int op) {
    return op >= history.firstOp(txn) && op < history.endOp(txn);
  }
}
