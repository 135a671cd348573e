package dev.assay.history;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/** Adds transactions and operations of one history to another that is under construction. */
public final class OperationCopy {
  private final History whole;
  private final HistoryBuilder builder;

  /** The raw names of keys in the builder, as far as they are known. */
  private final long[] keys;

  private final BitSet known = new BitSet();

  /** Selects the elements that stay in the results of list and set reads. */
  public interface Elements {
    boolean stays(int key, int element);
  }

  public OperationCopy(History whole, HistoryBuilder builder) {
    this.whole = whole;
    this.builder = builder;
    this.keys = new long[whole.keys().count()];
  }

  /** Adds a transaction, with all but its id and its operations. */
  public int begin(int from) {
    int session = builder.session(whole.sessionName(whole.session(from)));
    int txn = builder.begin(session, whole.outcome(from));
    builder.position(txn, whole.position(from));
    builder.file(txn, whole.file(from));
    builder.start(txn, whole.start(from));
    builder.end(txn, whole.end(from));
    builder.shownStart(txn, whole.shownStart(from));
    builder.shownEnd(txn, whole.shownEnd(from));
    builder.snapshotTs(txn, whole.snapshotTs(from));
    builder.commitTs(txn, whole.commitTs(from));
    builder.serialPosition(txn, whole.serialPosition(from));
    builder.level(txn, whole.level(from));
    if (whole.error(from) != null) {
      builder.error(txn, whole.error(from));
    }
    return txn;
  }

  public void add(int op) {
    add(op, (key, element) -> true);
  }

  /** Adds an operation, a predicate operation with its rows. */
  public void add(int op, Elements elements) {
    OpKind kind = whole.kind(op);
    int value = whole.value(op);
    if (kind.isPredicate()) {
      addPredicate(op, row -> true);
    } else if (value == Values.UNKNOWN) {
      builder.op(kind, key(op), RawScalars.UNKNOWN);
    } else if (kind.readsSequence()) {
      long[] kept = elements(op, elements);
      builder.readElements(kind, key(op), kept, 0, kept.length);
    } else {
      builder.op(kind, key(op), scalar(value));
    }
  }

  /** Adds a placeholder operation, so that those after it keep their numbers. */
  public void addNothing() {
    builder.op(OpKind.READ, RawScalars.NIL, RawScalars.UNKNOWN);
  }

  /** Adds a predicate operation with some of its rows. */
  public void addPredicate(int op, IntPredicate rows) {
    Predicates predicates = whole.predicates();
    int predicate = whole.value(op);
    builder.predicate(whole.kind(op), predicates.condition(predicate));
    if (predicates.result(predicate) != Values.UNKNOWN) {
      builder.result(scalar(predicates.result(predicate)));
    }
    for (int row = op + 1; row < whole.nextOp(op); row++) {
      if (rows.test(row)) {
        builder.row(key(row), scalar(whole.value(row)));
      }
    }
  }

  private long key(int op) {
    int key = whole.key(op);
    if (!known.get(key)) {
      known.set(key);
      keys[key] = builder.scalars().of(whole.keys().get(key));
    }
    return keys[key];
  }

  private long scalar(int code) {
    return builder.scalars().of(whole.values(), code);
  }

  private long[] elements(int read, Elements staying) {
    Sequences sequences = whole.sequences();
    int sequence = whole.value(read);
    long[] elements = new long[sequences.length(sequence)];
    int size = 0;
    for (int i = 0; i < elements.length; i++) {
      int element = sequences.element(sequence, i);
      if (staying.stays(whole.key(read), element)) {
        elements[size++] = scalar(element);
      }
    }
    return Arrays.copyOf(elements, size);
  }
}
