package dev.assay.check.strong;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * Which transactions read from which, including reads after a write of the key by the reader
 * itself. The levels that require only this allow inconsistent reads, so a value that was written
 * more than once names no writer here, even if read consistency leaves one candidate, unless a
 * certificate names it.
 */
final class Flow {
  /** Receives a read by a member from another, as an operation. */
  interface Visitor {
    void read(int writer, int member, int op);
  }

  private final Instance instance;
  private final History history;

  /** Register writes as key and value, sorted. */
  private final long[] written;

  private boolean ambiguous;

  Flow(Instance instance) {
    this.instance = instance;
    this.history = instance.history;
    long[] found = new long[history.operationCount()];
    int size = 0;
    for (int op = 0; op < found.length; op++) {
      if (history.kind(op) == OpKind.WRITE) {
        found[size++] = pair(op);
      }
    }
    written = Arrays.copyOf(found, size);
    Arrays.sort(written);
  }

  private long pair(int op) {
    return ((long) history.key(op) << 32) | (history.value(op) & 0xffff_ffffL);
  }

  /** Whether some reads were left out because of values written more than once. */
  boolean hasAmbiguous() {
    return ambiguous;
  }

  void forEach(Visitor visitor) {
    for (int member = 0; member < instance.size(); member++) {
      int txn = instance.members[member];
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int source = instance.isRead(op) ? instance.sourceOp(op) : ReadsFrom.NONE;
        if (source != ReadsFrom.NONE && isAmbiguous(op)) {
          ambiguous = true;
        } else if (source >= 0) {
          int writer = instance.number[history.transactionOf(source)];
          if (writer != Instance.NONE && writer != member) {
            visitor.read(writer, member, op);
          }
        }
      }
    }
  }

  private boolean isAmbiguous(int op) {
    if (history.kind(op) != OpKind.READ || instance.reads.isCertified(op)) {
      return false;
    }
    if (history.isOtherRead(op)) {
      return true;
    }
    int at = Arrays.binarySearch(written, pair(op));
    if (at < 0) {
      return false;
    }
    boolean twice =
        (at > 0 && written[at - 1] == written[at])
            || (at + 1 < written.length && written[at + 1] == written[at]);
    return twice || history.hasInitialValue(op);
  }
}
