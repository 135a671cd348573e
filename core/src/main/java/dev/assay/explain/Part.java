package dev.assay.explain;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import java.util.BitSet;

/**
 * Some operations of a history as a separate history. Transactions keep their sessions, ids,
 * outcomes, times and places in the source. A transaction without an id gets its label as its id,
 * since its place in its session, from which the label is made, may have changed.
 */
final class Part {
  private final History whole;
  private final BitSet operations;
  private final Needs needs;
  private final HistoryBuilder builder = new HistoryBuilder();
  private final OperationCopy copy;

  private Part(History whole, BitSet operations, Needs needs) {
    this.whole = whole;
    this.operations = operations;
    this.needs = needs;
    this.copy = new OperationCopy(whole, builder);
  }

  /**
   * A history of these transactions with those of their operations that are kept.
   *
   * @return the history, or null if one of its keys would change its type
   */
  static History of(History whole, BitSet transactions, BitSet operations, Needs needs) {
    return new Part(whole, operations, needs).build(transactions);
  }

  private History build(BitSet transactions) {
    builder.origin(whole.origin());
    builder.initialStateOf(whole);
    whole.metadata().forEach(builder::metadata);
    for (int t = transactions.nextSetBit(0); t >= 0; t = transactions.nextSetBit(t + 1)) {
      addTransaction(t);
    }
    History part = builder.build();
    return sameKinds(part, transactions) ? part : null;
  }

  private boolean sameKinds(History part, BitSet transactions) {
    int next = 0;
    for (int t = transactions.nextSetBit(0); t >= 0; t = transactions.nextSetBit(t + 1)) {
      for (int op = whole.firstOp(t); op < whole.endOp(t); op++) {
        if (operations.get(op) && part.kind(next++) != whole.kind(op)) {
          return false;
        }
      }
    }
    return true;
  }

  private void addTransaction(int from) {
    int txn = copy.begin(from);
    Object id = whole.ownId(from);
    builder.id(txn, builder.scalars().of(id == null ? whole.label(from) : id));
    int op = whole.firstOp(from);
    while (op < whole.endOp(from)) {
      boolean kept = operations.get(op);
      if (kept && whole.kind(op).isPredicate()) {
        copy.addPredicate(op, operations::get);
      } else if (kept) {
        copy.add(op, this::stays);
      }
      // A predicate operation that is left out leaves its rows, as plain reads and writes.
      op = kept ? whole.nextOp(op) : op + 1;
    }
  }

  /** An element stays if its append does, or if it has none. */
  private boolean stays(int key, int element) {
    int[] writes = needs.writesOf(key, element);
    // Several additions are either all kept or all left out.
    return writes.length == 0 || operations.get(writes[0]);
  }
}
