package dev.assay.format.binary;

import dev.assay.format.TransactionRecord;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpBuffer;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;

/**
 * A block of transactions on its way into a history. {@link #decode} needs only the payload and the
 * definitions before it, so blocks are decoded in parallel; {@link #addTo} then hands the result to
 * the builder, one block after the other.
 */
abstract class AssayBinaryDecoder {
  /** Start, end, shown start, shown end, snapshot, commit timestamp, serial position. */
  static final int OPTIONAL_COLUMNS = TransactionRecord.OPTIONAL;

  static final int KINDS = OpKind.values().length;
  static final int OUTCOMES = Outcome.values().length;

  final AssayBinaryIn in;
  final long[] dictionary;
  final int defined;
  final int sessionCount;

  // What the payload has; arrays may be followed by spare room.

  int transactions;
  int operations;
  long[] sessions;
  long[] outcomes;
  long[] sizes;
  long[] ids;
  final long[][] optional = new long[OPTIONAL_COLUMNS][];

  /** 0 without an error, else one more than its place among the texts. */
  long[] errors;

  /** 0 without a level, else one more than its place among the texts; null if none has one. */
  long[] levels;

  String[] texts;
  OpBuffer ops;
  int sequenceReads;
  int predicateOps;

  /** For each list or set read 0 if its result is unknown, else one more than its elements here. */
  long[] lengths;

  /** For each known list read how many elements of the trace come before those. */
  long[] prefixes;

  long[] elements;
  long[] conditions;
  long[] rowCounts;
  long[] results;

  private BadBlock failure;

  AssayBinaryDecoder(AssayBinaryIn in, long[] dictionary, int defined, int sessionCount) {
    this.in = in;
    this.dictionary = dictionary;
    this.defined = defined;
    this.sessionCount = sessionCount;
  }

  // ---- in parallel

  /** Decodes the payload; {@link #addTo} says what was wrong with it, if anything. */
  final AssayBinaryDecoder decode() {
    try {
      decodePayload();
      checkRows();
    } catch (BadBlock e) {
      failure = e;
    }
    return this;
  }

  /** Fills in all fields. */
  abstract void decodePayload() throws BadBlock;

  /** Rows are the operations after their predicate operation, in the same transaction. */
  private void checkRows() throws BadBlock {
    int predicate = 0;
    int op = 0;
    for (int txn = 0; txn < transactions && predicate < predicateOps; txn++) {
      int end = op + (int) sizes[txn];
      while (op < end) {
        OpKind kind = ops.kind(op++);
        if (!kind.isPredicate()) {
          continue;
        }
        long rows = rowCounts[predicate++];
        if (rows < 0 || rows > end - op) {
          throw new BadBlock(rows + " rows where " + (end - op) + " operations follow");
        }
        for (int last = op + (int) rows; op < last; op++) {
          if (ops.kind(op) != kind.rowKind()) {
            throw new BadBlock("a row of kind " + ops.kind(op).ordinal());
          }
        }
      }
    }
  }

  // ---- in order

  /** Adds the transactions to a history; {@code position} is where the block begins. */
  void addTo(AssayBinaryTarget target, long position) throws BadBlock {
    if (failure != null) {
      throw failure;
    }
    if (sequenceReads > 0 || predicateOps > 0) {
      resolveIds(target);
    }
    if (target.translates()) {
      translate(target);
    }
    HistoryBuilder builder = target.builder();
    builder.adopt(ops);
    for (int i = 0; i < transactions; i++) {
      int txn = builder.begin((int) sessions[i], Outcome.of((int) outcomes[i]));
      builder.run(txn, (int) sizes[i]);
      builder.position(txn, position);
      builder.id(txn, ids[i]);
      if (errors[i] > 0) {
        builder.error(txn, texts[(int) errors[i] - 1]);
      }
      if (levels != null && levels[i] > 0) {
        builder.level(txn, texts[(int) levels[i] - 1]);
      }
      builder.start(txn, at(0, i));
      builder.end(txn, at(1, i));
      builder.shownStart(txn, at(2, i));
      builder.shownEnd(txn, at(3, i));
      builder.snapshotTs(txn, at(4, i));
      builder.commitTs(txn, at(5, i));
      builder.serialPosition(txn, at(6, i));
    }
  }

  private long at(int column, int txn) {
    return optional[column] == null ? History.ABSENT : optional[column][txn];
  }

  /** Turns ids, keys and values into those of the target. */
  private void translate(AssayBinaryTarget target) {
    for (int i = 0; i < transactions; i++) {
      ids[i] = target.scalar(ids[i]);
    }
    for (int i = 0; i < operations; i++) {
      OpKind kind = ops.kind(i);
      if (!kind.isPredicate()) {
        ops.setKey(i, target.scalar(ops.key(i)));
        if (!kind.readsSequence()) {
          ops.setValue(i, target.scalar(ops.value(i)));
        }
      }
    }
  }

  private void resolveIds(AssayBinaryTarget target) throws BadBlock {
    int read = 0;
    int list = 0;
    int element = 0;
    int predicate = 0;
    for (int i = 0; i < operations; i++) {
      OpKind kind = ops.kind(i);
      if (kind.isPredicate()) {
        String condition = texts[(int) conditions[predicate]];
        int rows = (int) rowCounts[predicate];
        long result = target.scalar(results[predicate++]);
        ops.setValue(i, target.builder().predicateId(condition, rows, result));
      } else if (kind.readsSequence()) {
        long length = lengths[read++];
        if (length == 0) {
          ops.setValue(i, RawScalars.UNKNOWN);
          continue;
        }
        int from = element;
        element += (int) length - 1;
        boolean isList = kind == OpKind.LIST_READ;
        ops.setValue(
            i,
            isList
                ? target.list(ops.key(i), prefixes[list++], elements, from, element)
                : target.set(elements, from, element));
      }
    }
  }
}
