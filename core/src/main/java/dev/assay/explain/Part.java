package dev.assay.explain;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Predicates;
import dev.assay.history.RawScalars;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Some operations of a history as a history of their own. Transactions keep their sessions, ids,
 * outcomes, times and places in the source. One without an id gets its label as its id, since its
 * place in its session, which is its name otherwise, may have changed.
 */
final class Part {
  private final History whole;
  private final BitSet operations;
  private final Needs needs;
  private final HistoryBuilder builder = new HistoryBuilder();

  private Part(History whole, BitSet operations, Needs needs) {
    this.whole = whole;
    this.operations = operations;
    this.needs = needs;
  }

  /**
   * A history of these transactions with those of their operations that are kept.
   *
   * @return the history, or null where one of its keys would look like one of another type
   */
  static History of(History whole, BitSet transactions, BitSet operations, Needs needs) {
    return new Part(whole, operations, needs).build(transactions);
  }

  private History build(BitSet transactions) {
    builder.origin(whole.origin());
    builder.zeroIsInitial(whole.zeroIsInitial());
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
    int session = builder.session(whole.sessionName(whole.session(from)));
    int txn = builder.begin(session, whole.outcome(from));
    Object id = whole.ownId(from);
    builder.id(txn, builder.scalars().of(id == null ? whole.label(from) : id));
    builder.position(txn, whole.position(from));
    builder.file(txn, whole.file(from));
    builder.start(txn, whole.start(from));
    builder.end(txn, whole.end(from));
    builder.shownStart(txn, whole.shownStart(from));
    builder.shownEnd(txn, whole.shownEnd(from));
    builder.snapshotTs(txn, whole.snapshotTs(from));
    builder.commitTs(txn, whole.commitTs(from));
    builder.serialPosition(txn, whole.serialPosition(from));
    if (whole.error(from) != null) {
      builder.error(txn, whole.error(from));
    }
    int op = whole.firstOp(from);
    while (op < whole.endOp(from)) {
      boolean kept = operations.get(op);
      if (kept) {
        addOperation(op);
      }
      // What is left of a predicate operation that goes are its rows, as plain reads and writes.
      op = kept ? whole.nextOp(op) : op + 1;
    }
  }

  private void addOperation(int op) {
    OpKind kind = whole.kind(op);
    int value = whole.value(op);
    if (kind.isPredicate()) {
      Predicates predicates = whole.predicates();
      builder.predicate(kind, predicates.condition(value));
      if (predicates.result(value) != Values.UNKNOWN) {
        builder.result(value(predicates.result(value)));
      }
      for (int row = op + 1; row < whole.nextOp(op); row++) {
        builder.row(key(whole.key(row)), value(whole.value(row)));
      }
      return;
    }
    long key = key(whole.key(op));
    if (value == Values.UNKNOWN) {
      builder.op(kind, key, RawScalars.UNKNOWN);
    } else if (kind.readsSequence()) {
      long[] elements = elements(whole.key(op), value);
      if (kind == OpKind.LIST_READ) {
        builder.readList(key, elements, 0, elements.length);
      } else {
        builder.readSet(key, elements, 0, elements.length);
      }
    } else {
      builder.op(kind, key, value(value));
    }
  }

  /** The elements whose append is kept too, and those that nobody appended. */
  private long[] elements(int key, int sequence) {
    Sequences sequences = whole.sequences();
    long[] elements = new long[sequences.length(sequence)];
    int size = 0;
    for (int i = 0; i < elements.length; i++) {
      int[] writes = needs.writesOf(key, sequences.element(sequence, i));
      // Of several additions all are kept or none.
      if (writes.length == 0 || operations.get(writes[0])) {
        elements[size++] = value(sequences.element(sequence, i));
      }
    }
    return Arrays.copyOf(elements, size);
  }

  private long key(int key) {
    return builder.scalars().of(whole.keys().get(key));
  }

  private long value(int code) {
    return builder.scalars().of(whole.values().get(code));
  }
}
