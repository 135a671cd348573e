package dev.assay.proof;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.history.RawScalars;
import dev.assay.history.Versioned;
import java.util.Map;

/**
 * A history in which every write has a value of its own, so that each read names its writer: as
 * chosen where there are several, and an unknown result as long as none is chosen. Transactions and
 * operations keep their numbers.
 */
final class ChosenWrites {
  private final History whole;
  private final Sources sources;
  private final HistoryBuilder builder = new HistoryBuilder();

  private ChosenWrites(History whole, Sources sources) {
    this.whole = whole;
    this.sources = sources;
  }

  static History of(History whole, Sources sources, Map<Sources.Place, Integer> choices) {
    return new ChosenWrites(whole, sources).copy(sources.chosen(choices));
  }

  private History copy(int[][] chosen) {
    OperationCopy transactions = new OperationCopy(whole, builder);
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      transactions.begin(txn);
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        add(op, chosen[op]);
      }
    }
    return builder.build();
  }

  private void add(int op, int[] seen) {
    long key = builder.scalars().of(whole.keys().get(whole.key(op)));
    if (whole.kind(op).isWrite()) {
      builder.op(whole.kind(op), key, name(op));
      return;
    }
    boolean open = !Sources.isSeen(whole, op);
    long[] values = new long[seen.length];
    for (int e = 0; e < seen.length; e++) {
      open |= seen[e] == Sources.OPEN;
      values[e] = value(op, e, seen[e]);
    }
    if (open || !whole.kind(op).readsSequence()) {
      builder.op(whole.kind(op), key, open ? RawScalars.UNKNOWN : values[0]);
    } else {
      builder.readElements(whole.kind(op), key, values, 0, values.length);
    }
  }

  /** The value of a write, with the number of its version. */
  private long name(int write) {
    int value = whole.value(write);
    return whole.values().isVersioned(value)
        ? builder.scalars().of(new Versioned(1L + write, whole.values().version(value)))
        : builder.scalars().of(1L + write);
  }

  private long value(int op, int element, int source) {
    if (source == Sources.INITIAL) {
      return RawScalars.NIL;
    }
    return source >= 0 ? name(source) : builder.scalars().of("unwritten " + unwritten(op, element));
  }

  /**
   * What was never written keeps a value that no write has. A condition that failed may have found
   * the one that a read beside it saw.
   */
  private String unwritten(int op, int element) {
    int seen = op;
    for (int step : whole.isOtherRead(op) ? new int[] {-1, 1} : new int[0]) {
      for (int other = op + step; seen == op && isBeside(op, other); other += step) {
        boolean plain = sources.count(other) == 1 && !whole.isOtherRead(other);
        boolean found = plain && sources.candidates(other, 0)[0] == Sources.THIN_AIR;
        seen = found ? other : op;
      }
    }
    return whole.values().text(sources.value(seen, seen == op ? element : 0));
  }

  private boolean isBeside(int op, int other) {
    int txn = whole.transactionOf(op);
    return other >= whole.firstOp(txn)
        && other < whole.endOp(txn)
        && whole.key(other) == whole.key(op)
        && whole.kind(other) == whole.kind(op);
  }
}
