package dev.assay.format;

import dev.assay.format.AssayBinaryIn.BadBlock;
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
final class AssayBinaryDecoder {
  /** Start, end, shown start, shown end, snapshot, commit timestamp, serial position. */
  static final int OPTIONAL_COLUMNS = 7;

  /** No writer makes larger blocks; a claim beyond is damage, not data. */
  private static final int MAX_OPERATIONS = 1 << 28;

  private static final int KINDS = OpKind.values().length;
  private static final int OUTCOMES = Outcome.values().length;

  private final AssayBinaryIn in;
  private final long[] dictionary;
  private final int defined;
  private final int sessionCount;

  private BadBlock failure;
  private int transactions;
  private int operations;
  private long[] sessions;
  private long[] outcomes;
  private long[] sizes;
  private long[] ids;
  private final long[][] optional = new long[OPTIONAL_COLUMNS][];
  private long[] errors;
  private String[] texts;
  private OpBuffer ops;
  private int sequenceReads;
  private int predicateOps;
  private long[] lengths;
  private long[] prefixes;
  private long[] elements;
  private long[] conditions;
  private long[] rowCounts;
  private long[] results;

  AssayBinaryDecoder(AssayBinaryIn in, long[] dictionary, int defined, int sessionCount) {
    this.in = in;
    this.dictionary = dictionary;
    this.defined = defined;
    this.sessionCount = sessionCount;
  }

  int transactions() {
    return transactions;
  }

  int operations() {
    return operations;
  }

  // ---- in parallel

  /** Decodes the payload; {@link #addTo} says what was wrong with it, if anything. */
  AssayBinaryDecoder decode() {
    try {
      decodePayload();
    } catch (BadBlock e) {
      failure = e;
    }
    return this;
  }

  private void decodePayload() throws BadBlock {
    transactions = in.count(MAX_OPERATIONS, "transactions");
    operations = in.count(MAX_OPERATIONS, "operations");
    sessions = indexes(transactions, sessionCount, "session");
    outcomes = indexes(transactions, OUTCOMES, "outcome");
    sizes = counts(transactions, operations, "operations");
    ids = knownScalars(transactions);
    for (int i = 0; i < OPTIONAL_COLUMNS; i++) {
      optional[i] = AssayBinaryColumns.readOptional(in, transactions);
    }
    texts = new String[in.count(in.remaining(), "texts")];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.text();
    }
    errors = indexes(transactions, texts.length + 1, "text");
    decodeOperations();
    if (in.remaining() > 0) {
      throw new BadBlock(in.remaining() + " bytes after the last column");
    }
  }

  private void decodeOperations() throws BadBlock {
    long[] kinds = indexes(operations, KINDS, "operation kind");
    int listReads = 0;
    int setReads = 0;
    for (long kind : kinds) {
      if (kind >= OpKind.SELECT.ordinal()) {
        predicateOps++;
      } else if (kind == OpKind.LIST_READ.ordinal()) {
        listReads++;
      } else if (kind == OpKind.SET_READ.ordinal()) {
        setReads++;
      }
    }
    sequenceReads = listReads + setReads;
    long[] keys = knownScalars(operations - predicateOps);
    long[] values = scalars(operations - predicateOps - sequenceReads);
    fill(kinds, keys, values);
    decodeSequences(kinds);
    conditions = indexes(predicateOps, texts.length, "text");
    rowCounts = AssayBinaryColumns.read(in, predicateOps);
    results = scalars(predicateOps);
    checkRows(kinds);
  }

  /** Rows are the operations after their predicate operation, in the same transaction. */
  private void checkRows(long[] kinds) throws BadBlock {
    int predicate = 0;
    int op = 0;
    for (int txn = 0; txn < transactions && predicate < predicateOps; txn++) {
      int end = op + (int) sizes[txn];
      while (op < end) {
        OpKind kind = OpKind.of((int) kinds[op++]);
        if (!kind.isPredicate()) {
          continue;
        }
        long rows = rowCounts[predicate++];
        if (rows < 0 || rows > end - op) {
          throw new BadBlock(rows + " rows where " + (end - op) + " operations follow");
        }
        for (int last = op + (int) rows; op < last; op++) {
          if (kinds[op] != kind.rowKind().ordinal()) {
            throw new BadBlock("a row of kind " + kinds[op]);
          }
        }
      }
    }
  }

  private void fill(long[] kinds, long[] keys, long[] values) {
    ops = new OpBuffer(operations);
    if (values.length == operations) {
      for (int i = 0; i < operations; i++) {
        ops.add(OpKind.of((int) kinds[i]), keys[i], values[i]);
      }
      return;
    }
    int key = 0;
    int value = 0;
    for (int i = 0; i < operations; i++) {
      OpKind kind = OpKind.of((int) kinds[i]);
      boolean byId = kind.isPredicate() || kind.readsSequence();
      // Ids are set when the block is added; nil would make the column wide for nothing.
      ops.add(kind, kind.isPredicate() ? 0 : keys[key++], byId ? 0 : values[value++]);
    }
  }

  private void decodeSequences(long[] kinds) throws BadBlock {
    lengths = AssayBinaryColumns.read(in, sequenceReads);
    int knownLists = 0;
    int read = 0;
    for (int i = 0; read < sequenceReads; i++) {
      if (kinds[i] == OpKind.LIST_READ.ordinal() || kinds[i] == OpKind.SET_READ.ordinal()) {
        boolean known = lengths[read++] > 0;
        knownLists += known && kinds[i] == OpKind.LIST_READ.ordinal() ? 1 : 0;
      }
    }
    prefixes = AssayBinaryColumns.read(in, knownLists);
    long[] given = new long[sequenceReads];
    for (int i = 0; i < sequenceReads; i++) {
      given[i] = lengths[i] == 0 ? 0 : lengths[i] - 1;
    }
    elements = knownScalars(total(given, "elements"));
  }

  private long[] scalars(int count) throws BadBlock {
    return AssayBinaryColumns.readScalars(in, count, dictionary, defined);
  }

  private long[] knownScalars(int count) throws BadBlock {
    long[] column = scalars(count);
    for (long raw : column) {
      if (raw == RawScalars.UNKNOWN) {
        throw new BadBlock("an unknown key, element or id");
      }
    }
    return column;
  }

  /** A column of indexes below {@code limit}. */
  private long[] indexes(int count, int limit, String of) throws BadBlock {
    long[] column = AssayBinaryColumns.read(in, count);
    for (long index : column) {
      if (index < 0 || index >= limit) {
        throw new BadBlock(of + " " + index + " of " + limit);
      }
    }
    return column;
  }

  private long[] counts(int count, int expected, String things) throws BadBlock {
    long[] column = AssayBinaryColumns.read(in, count);
    int total = total(column, things);
    if (total != expected) {
      throw new BadBlock(total + " " + things + " where " + expected + " are announced");
    }
    return column;
  }

  private static int total(long[] counts, String things) throws BadBlock {
    long total = 0;
    for (long count : counts) {
      if (count < 0 || count > MAX_OPERATIONS || total + count > MAX_OPERATIONS) {
        throw new BadBlock(count + " " + things);
      }
      total += count;
    }
    return (int) total;
  }

  // ---- in order

  /** Adds the transactions to the history; {@code position} is where the block begins. */
  void addTo(HistoryBuilder builder, long position) throws BadBlock {
    if (failure != null) {
      throw failure;
    }
    if (sequenceReads > 0 || predicateOps > 0) {
      resolveIds(builder);
    }
    builder.adopt(ops);
    for (int i = 0; i < transactions; i++) {
      int txn = builder.begin((int) sessions[i], Outcome.of((int) outcomes[i]));
      builder.run(txn, (int) sizes[i]);
      builder.position(txn, position);
      builder.id(txn, ids[i]);
      if (errors[i] > 0) {
        builder.error(txn, texts[(int) errors[i] - 1]);
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

  private void resolveIds(HistoryBuilder builder) throws BadBlock {
    int read = 0;
    int list = 0;
    int element = 0;
    int predicate = 0;
    for (int i = 0; i < operations; i++) {
      OpKind kind = ops.kind(i);
      if (kind.isPredicate()) {
        String condition = texts[(int) conditions[predicate]];
        int rows = (int) rowCounts[predicate];
        ops.setValue(i, builder.predicateId(condition, rows, results[predicate++]));
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
                ? list(builder, ops.key(i), prefixes[list++], from, element)
                : builder.setSequence(elements, from, element));
      }
    }
  }

  private int list(HistoryBuilder builder, long key, long prefix, int from, int to)
      throws BadBlock {
    int trace = builder.traceLength(key);
    if (prefix < 0 || prefix > trace) {
      throw new BadBlock("a list read of " + prefix + " known elements where " + trace + " are");
    }
    return builder.listSequence(key, (int) prefix, elements, from, to);
  }
}
