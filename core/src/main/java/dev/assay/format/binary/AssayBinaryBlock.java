package dev.assay.format.binary;

import dev.assay.format.LongList;
import dev.assay.format.TransactionRecord;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The transactions of the block being written, as columns. {@link AssayBinaryBlockDecoder} is the
 * way back.
 */
final class AssayBinaryBlock {
  /** Size at which a block is written: large enough to pack well, small enough to lose. */
  private static final int FULL = 1 << 16;

  private static final int FULL_ELEMENTS = 1 << 18;
  private static final int FULL_TEXT = 1 << 22;

  private AssayBinaryTraces traces = new AssayBinaryTraces();

  private final LongList sessions = new LongList();
  private final LongList outcomes = new LongList();
  private final LongList sizes = new LongList();
  private final LongList ids = new LongList();
  private final LongList[] optional = new LongList[AssayBinaryDecoder.OPTIONAL_COLUMNS];
  private final LongList errors = new LongList();

  /** Empty where no transaction has a level. */
  private final LongList levels = new LongList();

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

  /** Lists are written whole from now on: the file got reads that the traces here do not have. */
  void shareNothing() {
    traces = null;
  }

  void add(TransactionRecord record) {
    int before = transactions();
    sessions.add(record.session());
    outcomes.add(record.outcome().ordinal());
    sizes.add(record.size());
    ids.add(record.id());
    for (int i = 0; i < optional.length; i++) {
      long value = record.optional(i);
      // Most histories never have most of them, which then take no time or memory.
      if (value != History.ABSENT || optional[i].size() > 0) {
        optional[i].fill(before, History.ABSENT);
        optional[i].add(value);
      }
    }
    errors.add(record.error() == null ? 0 : 1 + text(record.error()));
    if (record.level() != null || levels.size() > 0) {
      levels.fill(before, 0);
      levels.add(record.level() == null ? 0 : 1 + text(record.level()));
    }
    addOperations(record);
  }

  private void addOperations(TransactionRecord record) {
    int element = 0;
    int predicate = 0;
    for (int i = 0; i < record.size(); i++) {
      OpKind kind = record.kind(i);
      long value = record.value(i);
      kinds.add(kind.ordinal());
      if (kind.isPredicate()) {
        conditions.add(text(record.conditions().get(predicate++)));
        rowCounts.add(value);
        continue;
      }
      keys.add(record.key(i));
      if (!kind.readsSequence()) {
        values.add(value);
      } else if (value == RawScalars.UNKNOWN) {
        lengths.add(0);
      } else {
        int from = element;
        element += (int) value;
        if (kind == OpKind.LIST_READ) {
          long[] list = record.elements().array();
          int prefix = traces == null ? 0 : traces.prefix(record.key(i), list, from, element);
          prefixes.add(prefix);
          from += prefix;
        }
        lengths.add(1L + element - from);
        elements.addAll(record.elements().array(), from, element);
      }
    }
    results.addAll(record.results().array(), 0, record.results().size());
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
    if (levels.size() > 0) {
      AssayBinaryColumns.write(out, levels);
    }
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
          levels,
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
