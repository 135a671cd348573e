package dev.assay.format;

import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Transactions one after another in primitive columns, so that threads can fill logs of their own,
 * which are then played back one after another.
 *
 * <p>Those who read a file in parallel use {@linkplain RawScalars raw scalars} of the log's own and
 * {@linkplain #addTo add} them to one history, which becomes the same as if one had read it all.
 */
final class TransactionLog {
  /** Columns of {@link #heads} for each transaction. */
  private static final int HEAD = 12;

  private final RawScalars scalars = new RawScalars();
  private final LongList heads = new LongList();
  private final List<String> errors = new ArrayList<>();
  private int transactions;
  private byte[] kinds = new byte[1024];
  private long[] keys = new long[1024];
  private long[] values = new long[1024];
  private int operations;
  private final LongList elements = new LongList();
  private final List<String> conditions = new ArrayList<>();
  private final LongList results = new LongList();

  RawScalars scalars() {
    return scalars;
  }

  int operations() {
    return operations;
  }

  int elements() {
    return elements.size();
  }

  void clear() {
    heads.clear();
    errors.clear();
    transactions = 0;
    operations = 0;
    elements.clear();
    conditions.clear();
    results.clear();
  }

  /**
   * Adds a transaction.
   *
   * @param session the raw name of its session, or whatever else tells it
   * @param line where it stands
   */
  void add(TransactionRecord record, long session, long line) {
    heads.add(session);
    heads.add(line);
    heads.add(record.outcome.ordinal());
    heads.add(record.id);
    heads.add(record.start);
    heads.add(record.end);
    heads.add(record.shownStart);
    heads.add(record.shownEnd);
    heads.add(record.snapshotTs);
    heads.add(record.commitTs);
    heads.add(record.serialPosition);
    heads.add(record.size);
    errors.add(record.error);
    transactions++;
    int size = record.size;
    if (operations + size > kinds.length) {
      int capacity = Math.addExact(operations, Math.max(size, operations >>> 1));
      kinds = Arrays.copyOf(kinds, capacity);
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    System.arraycopy(record.kinds, 0, kinds, operations, size);
    System.arraycopy(record.keys, 0, keys, operations, size);
    System.arraycopy(record.values, 0, values, operations, size);
    operations += size;
    elements.addAll(record.elements.array(), 0, record.elements.size());
    if (!record.conditions.isEmpty()) {
      conditions.addAll(record.conditions);
      results.addAll(record.results.array(), 0, record.results.size());
    }
  }

  /** For each entry of the dictionary the raw scalar it is in another. */
  long[] translation(RawScalars to) {
    long[] translation = new long[scalars.size()];
    for (int i = 0; i < translation.length; i++) {
      long raw = Long.MIN_VALUE + i;
      boolean own = raw == RawScalars.NIL || raw == RawScalars.UNKNOWN;
      translation[i] = own ? raw : to.of(scalars.get(raw));
    }
    return translation;
  }

  /** What a raw scalar is in another dictionary; the same if there is no other. */
  static long translated(long raw, long[] translation) {
    return RawScalars.isInteger(raw) || translation == null
        ? raw
        : translation[(int) (raw - Long.MIN_VALUE)];
  }

  /**
   * Adds all transactions to a history.
   *
   * @param lines how many lines of the file came before
   */
  void addTo(HistoryBuilder builder, long[] translation, long lines) {
    TransactionRecord record = new TransactionRecord();
    Playback playback = new Playback(translation);
    while (playback.next(record)) {
      record.session = builder.rawSession(playback.session());
      builder.position(record.addTo(builder), lines + playback.line());
    }
  }

  /** Goes through the transactions in their order. */
  final class Playback {
    private final long[] translation;
    private int transaction;
    private int operation;
    private int element;
    private int predicate;
    private long session;
    private long line;

    /**
     * From the first on.
     *
     * @param translation of the log's dictionary; null if it has none of its own
     */
    Playback(long[] translation) {
      this.translation = translation;
    }

    /** Fills the record, all but its session, with the next transaction; false after the last. */
    boolean next(TransactionRecord record) {
      if (transaction == transactions) {
        return false;
      }
      record.begin(0);
      record.error(errors.get(transaction));
      readOperations(record, readHead(record));
      transaction++;
      return true;
    }

    long session() {
      return session;
    }

    long line() {
      return line;
    }

    private long translated(long raw) {
      return TransactionLog.translated(raw, translation);
    }

    /** Returns the number of operations. */
    private int readHead(TransactionRecord record) {
      long[] columns = heads.array();
      int head = transaction * HEAD;
      session = translated(columns[head]);
      line = columns[head + 1];
      record.outcome(Outcome.of((int) columns[head + 2]));
      record.id(translated(columns[head + 3]));
      record.times(columns[head + 4], columns[head + 5]);
      record.shownTimes(columns[head + 6], columns[head + 7]);
      record.timestamps(columns[head + 8], columns[head + 9]);
      record.serialPosition(columns[head + 10]);
      return (int) columns[head + 11];
    }

    private void readOperations(TransactionRecord record, int size) {
      int rows = 0;
      for (int end = operation + size; operation < end; operation++) {
        OpKind kind = OpKind.of(kinds[operation]);
        long value = values[operation];
        if (kind.isPredicate()) {
          record.predicate(kind, conditions.get(predicate));
          record.result(translated(results.get(predicate++)));
          rows = (int) value;
          continue;
        }
        long key = translated(keys[operation]);
        if (rows > 0) {
          record.row(key, translated(value));
          rows--;
        } else if (kind.readsSequence() && value != RawScalars.UNKNOWN) {
          readElements(record, kind, key, (int) value);
        } else {
          record.op(kind, key, translated(value));
        }
      }
    }

    private void readElements(TransactionRecord record, OpKind kind, long key, int count) {
      long[] all = elements.array();
      for (int i = element; translation != null && i < element + count; i++) {
        all[i] = translated(all[i]);
      }
      if (kind == OpKind.LIST_READ) {
        record.readList(key, all, element, element + count);
      } else {
        record.readSet(key, all, element, element + count);
      }
      element += count;
    }
  }
}
