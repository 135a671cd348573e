package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import java.util.BitSet;

/**
 * For how many keys the history itself shows the version order: all of it if there is at most one
 * version or one read of a list shows every element, part of it if a read of a list shows some
 * elements, otherwise nothing.
 *
 * @param total keys whose version order is known
 * @param partial keys for which the order of some versions is known
 * @param none keys for which no two versions are ordered
 */
public record KnownOrders(int total, int partial, int none) {
  public static KnownOrders of(History history) {
    return of(history, false);
  }

  /** The same for lists only. */
  public static KnownOrders ofLists(History history) {
    return of(history, true);
  }

  private static KnownOrders of(History history, boolean listsOnly) {
    BitSet used = new BitSet();
    int[] writes = new int[history.keys().count()];
    int[] shown = new int[history.keys().count()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean counts = history.outcome(txn) != Outcome.ABORTED;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        if (listsOnly ? kind.type() != OpKind.Type.LIST : kind.isPredicate()) {
          continue;
        }
        int key = history.key(op);
        used.set(key);
        if (kind.isWrite() && counts) {
          writes[key]++;
        } else if (kind == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN) {
          shown[key] = Math.max(shown[key], history.sequences().length(history.value(op)));
        }
      }
    }
    return of(used, writes, shown);
  }

  /**
   * The same for keys that were counted.
   *
   * @param used the keys
   * @param writes how often each was written, by transactions that may have committed
   * @param shown the length of the longest list that was read of each
   */
  public static KnownOrders of(BitSet used, int[] writes, int[] shown) {
    int total = 0;
    int partial = 0;
    for (int key = used.nextSetBit(0); key >= 0; key = used.nextSetBit(key + 1)) {
      if (writes[key] <= 1 || shown[key] >= writes[key]) {
        total++;
      } else if (shown[key] > 0) {
        partial++;
      }
    }
    return new KnownOrders(total, partial, used.cardinality() - total - partial);
  }

  /** These keys and others. */
  public KnownOrders plus(KnownOrders others) {
    return new KnownOrders(total + others.total, partial + others.partial, none + others.none);
  }
}
