package dev.assay.format.jsonl;

import dev.assay.format.LongList;
import dev.assay.format.TransactionRecord;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Transactions one after another in primitive columns, so that threads can fill logs of their own,
 * which are then taken in one after another.
 *
 * <p>A parallel reader gives each log {@linkplain RawScalars raw scalars} of its own and
 * {@linkplain #addTo adds} the logs to one history, which is the same as if one thread had read it
 * all.
 */
final class TransactionLog {
  /** Columns of {@link #heads} for each transaction, and their places. */
  private static final int HEAD = 14;

  private static final int SESSION = 0;
  private static final int LINE = 1;
  private static final int OUTCOME = 2;
  private static final int ID = 3;

  /** Added to the outcome of a loader. */
  private static final int LOADS = 4;

  /** Number of operations. */
  private static final int SIZE = 4;

  /** 0 without an error, else one more than its place among the {@link #errors}. */
  private static final int ERROR = 5;

  /** 0 without a level, else one more than its place among the {@link #levels}. */
  private static final int LEVEL = 6;

  /** The first of those that need not be there. */
  private static final int OPTIONAL = 7;

  private final RawScalars scalars = new RawScalars();
  private final LongList heads = new LongList();
  private final List<String> errors = new ArrayList<>();
  private final List<String> levels = new ArrayList<>();
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

  /**
   * Adds a transaction.
   *
   * @param session the raw name of its session, or whatever else identifies it
   * @param line its line in the file
   */
  void add(TransactionRecord record, long session, long line) {
    heads.add(session);
    heads.add(line);
    heads.add(record.outcome().ordinal() + (record.isLoader() ? LOADS : 0));
    heads.add(record.id());
    heads.add(record.size());
    heads.add(record.error() == null ? 0 : errors.size() + 1);
    heads.add(record.level() == null ? 0 : 1 + numberOf(record.level()));
    record.addOptionalTo(heads);
    transactions++;
    if (record.error() != null) {
      errors.add(record.error());
    }
    reserve(record.size());
    record.copyOperations(kinds, keys, values, operations);
    operations += record.size();
    elements.addAll(record.elements().array(), 0, record.elements().size());
    if (!record.conditions().isEmpty()) {
      conditions.addAll(record.conditions());
      results.addAll(record.results().array(), 0, record.results().size());
    }
  }

  /** The number of a level; there are few. */
  private int numberOf(String level) {
    int known = levels.indexOf(level);
    if (known < 0) {
      levels.add(level);
      return levels.size() - 1;
    }
    return known;
  }

  private void reserve(int more) {
    if (operations + more > kinds.length) {
      int capacity = Math.addExact(operations, Math.max(more, operations >>> 1));
      kinds = Arrays.copyOf(kinds, capacity);
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
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

  /** What a raw scalar is in another dictionary. */
  static long translated(long raw, long[] translation) {
    return RawScalars.isInteger(raw) ? raw : translation[(int) (raw - Long.MIN_VALUE)];
  }

  /**
   * Adds all transactions to a history.
   *
   * @param lines how many lines of the file came before
   * @param loaders receives the numbers of the transactions that load the initial state
   */
  void addTo(HistoryBuilder builder, long[] translation, long lines, IntConsumer loaders) {
    TransactionRecord record = new TransactionRecord();
    Playback playback = new Playback(translation);
    while (playback.next(record, builder)) {
      int txn = record.addTo(builder);
      builder.position(txn, lines + playback.line);
      if (playback.loads) {
        loaders.accept(txn);
      }
    }
  }

  /** Goes through the transactions in their order. */
  private final class Playback {
    private final long[] translation;
    private int transaction;
    private int operation;
    private int element;
    private int predicate;
    private long line;
    private boolean loads;

    Playback(long[] translation) {
      this.translation = translation;
    }

    /** Fills the record with the next transaction; false after the last. */
    boolean next(TransactionRecord record, HistoryBuilder builder) {
      if (transaction == transactions) {
        return false;
      }
      long session = translated(heads.get(transaction * HEAD + SESSION));
      record.begin(builder.rawSession(session));
      readOperations(record, readHead(record));
      transaction++;
      return true;
    }

    private long translated(long raw) {
      return TransactionLog.translated(raw, translation);
    }

    /** Returns the number of operations. */
    private int readHead(TransactionRecord record) {
      long[] columns = heads.array();
      int head = transaction * HEAD;
      int optional = head + OPTIONAL;
      line = columns[head + LINE];
      int outcome = (int) columns[head + OUTCOME];
      record.outcome(Outcome.of(outcome % LOADS));
      loads = outcome >= LOADS;
      record.id(translated(columns[head + ID]));
      int error = (int) columns[head + ERROR];
      record.error(error == 0 ? null : errors.get(error - 1));
      int level = (int) columns[head + LEVEL];
      record.level(level == 0 ? null : levels.get(level - 1));
      record.times(columns[optional], columns[optional + 1]);
      record.shownTimes(columns[optional + 2], columns[optional + 3]);
      record.timestamps(columns[optional + 4], columns[optional + 5]);
      record.serialPosition(columns[optional + 6]);
      return (int) columns[head + SIZE];
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
      for (int i = element; i < element + count; i++) {
        all[i] = translated(all[i]);
      }
      record.readElements(kind, key, all, element, element + count);
      element += count;
    }
  }
}
