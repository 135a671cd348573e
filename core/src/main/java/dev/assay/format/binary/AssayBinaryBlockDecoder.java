package dev.assay.format.binary;

import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.OpBuffer;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;

/** Decodes a block of transactions that {@link AssayBinaryBlock} wrote. */
final class AssayBinaryBlockDecoder extends AssayBinaryDecoder {
  /** No writer makes larger blocks; a larger length is damage, not data. */
  private static final int MAX_OPERATIONS = 1 << 28;

  AssayBinaryBlockDecoder(AssayBinaryIn in, long[] dictionary, int defined, int sessionCount) {
    super(in, dictionary, defined, sessionCount);
  }

  @Override
  void decodePayload() throws BadBlock {
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
      levels = indexes(transactions, texts.length + 1, "text");
    }
    if (in.remaining() > 0) {
      throw new BadBlock(in.remaining() + " bytes after the last column");
    }
  }

  private void decodeOperations() throws BadBlock {
    long[] kinds = indexes(operations, KINDS, "operation kind");
    for (long kind : kinds) {
      predicateOps += OpKind.of((int) kind).isPredicate() ? 1 : 0;
      sequenceReads += OpKind.of((int) kind).readsSequence() ? 1 : 0;
    }
    long[] keys = knownScalars(operations - predicateOps);
    long[] values = scalars(operations - predicateOps - sequenceReads);
    fill(kinds, keys, values);
    decodeSequences(kinds);
    conditions = indexes(predicateOps, texts.length, "text");
    rowCounts = AssayBinaryColumns.read(in, predicateOps);
    results = scalars(predicateOps);
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
      if (OpKind.of((int) kinds[i]).readsSequence()) {
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
}
