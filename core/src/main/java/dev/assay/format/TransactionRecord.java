package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One whole transaction in reusable primitive buffers: what a client fills while its transaction
 * runs and hands over once it knows the outcome. Keys and values are {@linkplain RawScalars raw
 * scalars} of the writer that takes the record. A record belongs to one thread at a time.
 *
 * <pre>{@code
 * record.begin(session);
 * record.op(OpKind.WRITE, key, value);
 * record.outcome(Outcome.COMMITTED);
 * writer.append(record);
 * }</pre>
 */
public final class TransactionRecord {
  /** How many numbers there are that a transaction need not have. */
  public static final int OPTIONAL = 7;

  private static final int START = 0;
  private static final int END = 1;
  private static final int SHOWN_START = 2;
  private static final int SHOWN_END = 3;
  private static final int SNAPSHOT = 4;
  private static final int COMMIT = 5;
  private static final int SERIAL_POSITION = 6;

  private int session;
  private Outcome outcome;
  private long id;
  private String error;
  private String level;
  private boolean loader;

  /** The numbers that need not be there: {@link #optional}. */
  private final long[] optional = new long[OPTIONAL];

  private int size;
  private byte[] kinds = new byte[32];
  private long[] keys = new long[32];
  private long[] values = new long[32];
  private final LongList elements = new LongList();
  private final List<String> conditions = new ArrayList<>();
  private final LongList results = new LongList();

  /** The predicate operation added last. */
  private int predicate;

  public TransactionRecord() {
    begin(0);
  }

  /**
   * Forgets the last transaction and begins one: committed and without operations until set
   * otherwise.
   */
  public void begin(int inSession) {
    session = inSession;
    outcome = Outcome.COMMITTED;
    id = RawScalars.NIL;
    Arrays.fill(optional, History.ABSENT);
    error = null;
    level = null;
    loader = false;
    size = 0;
    elements.clear();
    conditions.clear();
    results.clear();
  }

  public void outcome(Outcome newOutcome) {
    outcome = newOutcome;
  }

  /** The source's own id, as a raw scalar; {@link RawScalars#NIL} for none. */
  public void id(long rawId) {
    id = rawId;
  }

  /** When the client began and when it learned the outcome; {@link History#ABSENT} if unknown. */
  public void times(long startTime, long endTime) {
    optional[START] = startTime;
    optional[END] = endTime;
  }

  /** Times to show to people where {@link #times} are only an order. */
  public void shownTimes(long startTime, long endTime) {
    optional[SHOWN_START] = startTime;
    optional[SHOWN_END] = endTime;
  }

  /** The database's timestamps of the snapshot read and of the commit. */
  public void timestamps(long snapshot, long commit) {
    optional[SNAPSHOT] = snapshot;
    optional[COMMIT] = commit;
  }

  /** The place in an expected serialization order. */
  public void serialPosition(long place) {
    optional[SERIAL_POSITION] = place;
  }

  /** What the database said when the transaction did not commit. */
  public void error(String message) {
    error = message;
  }

  /** The name of the level it ran at; null if that is not known. */
  public void level(String name) {
    level = name;
  }

  /** Whether the transaction loads the initial state, and precedes all others. */
  public void loader(boolean loads) {
    loader = loads;
  }

  public int session() {
    return session;
  }

  public Outcome outcome() {
    return outcome;
  }

  public long id() {
    return id;
  }

  /** What the database said, or null. */
  public String error() {
    return error;
  }

  /** The name of the level it ran at, or null. */
  public String level() {
    return level;
  }

  public boolean isLoader() {
    return loader;
  }

  /**
   * One of the {@value #OPTIONAL} numbers that need not be there, in the order in which files have
   * them: {@link #times}, {@link #shownTimes}, {@link #timestamps}, {@link #serialPosition}.
   */
  public long optional(int column) {
    return optional[column];
  }

  /** Adds them all, in that order. */
  public void addOptionalTo(LongList list) {
    list.addAll(optional, 0, OPTIONAL);
  }

  /** Number of operations so far. */
  public int size() {
    return size;
  }

  public OpKind kind(int operation) {
    return OpKind.of(kinds[operation]);
  }

  public long key(int operation) {
    return keys[operation];
  }

  /**
   * By kind: a raw scalar; how many of {@link #elements} a list or set read takes, {@link
   * RawScalars#UNKNOWN} for one without a result; how many of the operations after it are the rows
   * of a predicate operation.
   */
  public long value(int operation) {
    return values[operation];
  }

  /**
   * Copies the ordinals of {@link #kind}, {@link #key} and {@link #value} of all operations.
   *
   * @param at the index of the first one in the columns
   */
  public void copyOperations(byte[] toKinds, long[] toKeys, long[] toValues, int at) {
    System.arraycopy(kinds, 0, toKinds, at, size);
    System.arraycopy(keys, 0, toKeys, at, size);
    System.arraycopy(values, 0, toValues, at, size);
  }

  /** What list and set reads returned, one after another. */
  public LongList elements() {
    return elements;
  }

  /** The condition of each predicate operation. */
  public List<String> conditions() {
    return conditions;
  }

  /** For each predicate operation what it gave if it is an aggregate, else unknown. */
  public LongList results() {
    return results;
  }

  /** An operation on one key with a raw value, {@link RawScalars#UNKNOWN} for an unseen result. */
  public void op(OpKind kind, long rawKey, long rawValue) {
    if (kind.isPredicate() || (kind.readsSequence() && rawValue != RawScalars.UNKNOWN)) {
      throw new IllegalArgumentException(kind + " has its own method");
    }
    add(kind, rawKey, rawValue);
  }

  public void readList(long rawKey, long[] rawElements, int from, int to) {
    readElements(OpKind.LIST_READ, rawKey, rawElements, from, to);
  }

  /** A read of a type with elements. */
  public void readElements(OpKind kind, long rawKey, long[] rawElements, int from, int to) {
    elements.addAll(rawElements, from, to);
    add(kind, rawKey, to - from);
  }

  /** A predicate operation; its rows follow by {@link #row}, or {@link #result}. */
  public void predicate(OpKind kind, String condition) {
    if (!kind.isPredicate()) {
      throw new IllegalArgumentException(kind + " has no condition");
    }
    conditions.add(condition);
    results.add(RawScalars.UNKNOWN);
    predicate = size;
    add(kind, RawScalars.NIL, 0);
  }

  /** A row of the predicate operation, which no operation but its rows may have followed. */
  public void row(long rawKey, long rawValue) {
    requirePredicate();
    values[predicate]++;
    add(OpKind.of(kinds[predicate]).rowKind(), rawKey, rawValue);
  }

  /** What the predicate operation added last gave, if it is an aggregate. */
  public void result(long rawValue) {
    requirePredicate();
    results.array()[results.size() - 1] = rawValue;
  }

  private void requirePredicate() {
    boolean open = !conditions.isEmpty() && size == predicate + 1 + values[predicate];
    if (!open) {
      throw new IllegalStateException("rows and results belong to a predicate operation");
    }
  }

  private void add(OpKind kind, long rawKey, long value) {
    reserve(Math.addExact(size, 1));
    kinds[size] = (byte) kind.ordinal();
    keys[size] = rawKey;
    values[size++] = value;
  }

  private void reserve(int operations) {
    if (operations > kinds.length) {
      int capacity = Math.max(operations, Math.addExact(kinds.length, kinds.length));
      kinds = Arrays.copyOf(kinds, capacity);
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
    }
  }

  /** Adds the transaction to a builder whose raw scalars and sessions it was filled with. */
  public int addTo(HistoryBuilder builder) {
    int txn = builder.begin(session, outcome);
    builder.id(txn, id);
    builder.start(txn, optional[START]);
    builder.end(txn, optional[END]);
    builder.shownStart(txn, optional[SHOWN_START]);
    builder.shownEnd(txn, optional[SHOWN_END]);
    builder.snapshotTs(txn, optional[SNAPSHOT]);
    builder.commitTs(txn, optional[COMMIT]);
    builder.serialPosition(txn, optional[SERIAL_POSITION]);
    builder.level(txn, level);
    if (error != null) {
      builder.error(txn, error);
    }
    if (loader) {
      builder.loader(txn);
    }
    int element = 0;
    int predicates = 0;
    for (int i = 0; i < size; i++) {
      OpKind kind = OpKind.of(kinds[i]);
      if (kind.isPredicate()) {
        builder.predicate(kind, conditions.get(predicates));
        builder.result(results.get(predicates++));
        for (int end = i + (int) values[i]; i < end; ) {
          i++;
          builder.row(keys[i], values[i]);
        }
      } else if (kind.readsSequence() && values[i] != RawScalars.UNKNOWN) {
        int from = element;
        element += (int) values[i];
        builder.readElements(kind, keys[i], elements.array(), from, element);
      } else {
        builder.op(kind, keys[i], values[i]);
      }
    }
    return txn;
  }
}
