package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The transactions of the block being written, as columns. {@link AssayBinaryDecoder} is the way
 * back.
 */
final class AssayBinaryBlock {
  /** Size at which a block is written: large enough to pack well, small enough to lose. */
  private static final int FULL = 1 << 14;

  private static final int FULL_ELEMENTS = 1 << 16;
  private static final int FULL_TEXT = 1 << 22;

  private final AssayBinaryTraces traces = new AssayBinaryTraces();

  private final LongList sessions = new LongList();
  private final LongList outcomes = new LongList();
  private final LongList sizes = new LongList();
  private final LongList ids = new LongList();
  private final LongList[] optional = new LongList[AssayBinaryDecoder.OPTIONAL_COLUMNS];
  private final LongList errors = new LongList();
  private final Map<String, Integer> texts = new LinkedHashMap<>();
  private int textLength;

  private final LongList kinds = new LongList();
  private final LongList keys = new LongList();
  private final LongList values = new LongList();
  private final LongList lengths = new LongList();
  private final LongList prefixes = new LongList();
  private final LongList elements = new LongList();
  private final LongList conditions = new LongList();
  private final LongList rowCounts = new LongList();
  private final LongList results = new LongList();

  AssayBinaryBlock() {
    for (int i = 0; i < optional.length; i++) {
      optional[i] = new LongList();
    }
  }

  int transactions() {
    return sessions.size();
  }

  int operations() {
    return kinds.size();
  }

  boolean isFull() {
    return operations() >= FULL
        || transactions() >= FULL
        || elements.size() >= FULL_ELEMENTS
        || textLength >= FULL_TEXT;
  }

  /** Takes in transactions whose scalars are those of the file. */
  void add(TransactionLog log) {
    addHeads(log);
    addOperations(log);
  }

  private void addHeads(TransactionLog log) {
    int before = transactions();
    addColumn(log, TransactionLog.SESSION, sessions);
    addColumn(log, TransactionLog.OUTCOME, outcomes);
    addColumn(log, TransactionLog.SIZE, sizes);
    addColumn(log, TransactionLog.ID, ids);
    for (int i = 0; i < optional.length; i++) {
      // Most histories never have most of them, which then take no time or memory.
      if (optional[i].size() > 0 || has(log, TransactionLog.OPTIONAL + i)) {
        optional[i].fill(before, History.ABSENT);
        addColumn(log, TransactionLog.OPTIONAL + i, optional[i]);
      }
    }
    for (int txn = 0; txn < log.transactions(); txn++) {
      String error = log.error(txn);
      errors.add(error == null ? 0 : 1 + text(error));
    }
  }

  private static void addColumn(TransactionLog log, int column, LongList to) {
    for (int txn = 0; txn < log.transactions(); txn++) {
      to.add(log.head(txn, column));
    }
  }

  private static boolean has(TransactionLog log, int column) {
    for (int txn = 0; txn < log.transactions(); txn++) {
      if (log.head(txn, column) != History.ABSENT) {
        return true;
      }
    }
    return false;
  }

  private void addOperations(TransactionLog log) {
    byte[] newKinds = log.kinds();
    long[] newKeys = log.keys();
    long[] newValues = log.values();
    long[] newElements = log.elements().array();
    int element = 0;
    int predicate = 0;
    for (int i = 0; i < log.operations(); i++) {
      OpKind kind = OpKind.of(newKinds[i]);
      long value = newValues[i];
      kinds.add(newKinds[i]);
      if (kind.isPredicate()) {
        conditions.add(text(log.conditions().get(predicate++)));
        rowCounts.add(value);
        continue;
      }
      keys.add(newKeys[i]);
      if (!kind.readsSequence()) {
        values.add(value);
      } else if (value == RawScalars.UNKNOWN) {
        lengths.add(0);
      } else {
        int from = element;
        element += (int) value;
        if (kind == OpKind.LIST_READ) {
          int prefix = traces.prefix(newKeys[i], newElements, from, element);
          prefixes.add(prefix);
          from += prefix;
        }
        lengths.add(1L + element - from);
        elements.addAll(newElements, from, element);
      }
    }
    results.addAll(log.results().array(), 0, log.results().size());
  }

  private int text(String text) {
    Integer known = texts.putIfAbsent(text, texts.size());
    if (known == null) {
      textLength += Math.min(text.length(), FULL_TEXT);
      return texts.size() - 1;
    }
    return known;
  }

  void write(AssayBinaryOut out) {
    out.varint(transactions());
    out.varint(operations());
    AssayBinaryColumns.write(out, sessions);
    AssayBinaryColumns.write(out, outcomes);
    AssayBinaryColumns.write(out, sizes);
    AssayBinaryColumns.writeScalars(out, ids);
    for (LongList column : optional) {
      AssayBinaryColumns.writeOptional(out, column);
    }
    out.varint(texts.size());
    for (String text : texts.keySet()) {
      out.text(text);
    }
    AssayBinaryColumns.write(out, errors);
    AssayBinaryColumns.write(out, kinds);
    AssayBinaryColumns.writeScalars(out, keys);
    AssayBinaryColumns.writeScalars(out, values);
    AssayBinaryColumns.write(out, lengths);
    AssayBinaryColumns.write(out, prefixes);
    AssayBinaryColumns.writeScalars(out, elements);
    AssayBinaryColumns.write(out, conditions);
    AssayBinaryColumns.write(out, rowCounts);
    AssayBinaryColumns.writeScalars(out, results);
  }

  void clear() {
    for (LongList column : optional) {
      column.clear();
    }
    for (LongList column :
        new LongList[] {
          sessions,
          outcomes,
          sizes,
          ids,
          errors,
          kinds,
          keys,
          values,
          lengths,
          prefixes,
          elements,
          conditions,
          rowCounts,
          results
        }) {
      column.clear();
    }
    texts.clear();
    textLength = 0;
  }
}
