package dev.assay.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fills a {@link History} as a reader or recorder goes along.
 *
 * <pre>{@code
 * HistoryBuilder b = new HistoryBuilder();
 * int alice = b.session("alice");
 * int t = b.begin(alice, Outcome.COMMITTED);
 * b.write("x", 1);
 * b.read("y", null);
 * History history = b.build();
 * }</pre>
 *
 * <p>Operations go to the transaction begun or {@linkplain #resume resumed} last. Readers that
 * handle millions of operations use the methods on {@linkplain RawScalars raw scalars}; readers
 * that work in parallel fill {@link OpBuffer}s and {@link #adopt} them in order. Transactions are
 * numbered in the order they begin; a session's transactions follow each other in that order.
 */
public final class HistoryBuilder {
  /** Operations a buffer holds before the next one is opened, so that growing stays cheap. */
  private static final int BUFFER_SIZE = 1 << 20;

  private final RawScalars scalars = new RawScalars();
  private final Values values = new Values(scalars);
  private final LongIndex sessions = new LongIndex();
  private final Sequences.Builder sequences = new Sequences.Builder();
  private final Predicates.Builder predicates = new Predicates.Builder();
  private OpKind rowKind;
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final Map<Integer, String> errors = new HashMap<>();
  private Origin origin = Origin.MEMORY;
  private final InitialState initial = new InitialState();
  private final BitSet loaders = new BitSet();
  private final LongIndex loaderSessions = new LongIndex();

  private final List<OpBuffer> buffers = new ArrayList<>();
  private OpBuffer open = new OpBuffer();
  private int closedOperations;

  /** Runs of consecutive operations of one transaction, over all buffers in order. */
  private int[] runTxn = new int[64];

  private int[] runLength = new int[64];
  private int runs;

  private int transactions;
  private int[] session = new int[64];
  private byte[] outcome = new byte[64];
  private int[] id = new int[64];
  private final LongColumn position = new LongColumn(0);
  private final LongColumn file = new LongColumn(0);
  private final LongColumn start = new LongColumn(History.ABSENT);
  private final LongColumn end = new LongColumn(History.ABSENT);
  private final LongColumn shownStart = new LongColumn(History.ABSENT);
  private final LongColumn shownEnd = new LongColumn(History.ABSENT);
  private final LongColumn snapshotTs = new LongColumn(History.ABSENT);
  private final LongColumn commitTs = new LongColumn(History.ABSENT);
  private final LongColumn serialPosition = new LongColumn(History.ABSENT);
  private final LongColumn level = new LongColumn(-1);
  private final Map<String, Integer> levelNames = new LinkedHashMap<>();

  // ---- the whole

  /** The dictionary behind the raw scalars that the methods of this builder take. */
  public RawScalars scalars() {
    return scalars;
  }

  public void origin(Origin newOrigin) {
    origin = newOrigin;
  }

  public void metadata(String name, String text) {
    metadata.put(name, text);
  }

  /** Says that 0 is the initial value, as in formats that have no nil. */
  public void zeroIsInitial(boolean isInitial) {
    initial.ofAll(isInitial ? 0 : RawScalars.NIL);
  }

  /** Declares what every register holds before the first transaction; nil by default. */
  public void initially(Object value) {
    rawInitially(scalars.of(value));
  }

  /** The same for a raw scalar. */
  public void rawInitially(long rawValue) {
    initial.ofAll(rawValue);
  }

  /** Declares what one register holds before the first transaction, whatever the others do. */
  public void initially(Object key, Object value) {
    rawInitially(scalars.of(key), scalars.of(value));
  }

  /** The same for raw scalars. */
  public void rawInitially(long rawKey, long rawValue) {
    initial.of(rawKey, rawValue);
  }

  /** The initial state of another history, for keys of the same names. */
  public void initialStateOf(History other) {
    initial.like(other);
    metadata.putAll(other.countersBeginAnywhere() ? History.COUNTERS_ANYWHERE : Map.of());
  }

  /**
   * Marks a transaction that loads the initial state: it precedes all others, and what it writes
   * becomes the initial state of the history, which does not have it as a transaction.
   */
  public void loader(int txn) {
    loaders.set(txn);
  }

  /** The same for all transactions of the session with this raw name. */
  public void loaderSession(long rawName) {
    loaderSessions.indexOf(rawName);
  }

  public int transactionCount() {
    return transactions;
  }

  public int operationCount() {
    return closedOperations + open.size();
  }

  // ---- sessions and transactions

  /** The number of the session with this name, new or known. */
  public int session(Object name) {
    return rawSession(scalars.of(name));
  }

  /** The number of the session with this raw name, new or known. */
  public int rawSession(long rawName) {
    return sessions.indexOf(rawName);
  }

  /** Begins the next transaction of a session and makes it the current one. */
  public int begin(int inSession, Outcome newOutcome) {
    if (inSession < 0 || inSession >= sessions.size()) {
      throw new IllegalArgumentException("no session " + inSession);
    }
    int txn = transactions;
    if (txn == session.length) {
      int capacity = grown(txn);
      session = Arrays.copyOf(session, capacity);
      outcome = Arrays.copyOf(outcome, capacity);
      id = Arrays.copyOf(id, capacity);
    }
    session[txn] = inSession;
    outcome[txn] = (byte) newOutcome.ordinal();
    id[txn] = Values.UNKNOWN;
    transactions++;
    resume(txn);
    return txn;
  }

  /** Makes an earlier transaction the current one, where operations of several interleave. */
  public void resume(int txn) {
    if (runs == runTxn.length) {
      int capacity = grown(runs);
      runTxn = Arrays.copyOf(runTxn, capacity);
      runLength = Arrays.copyOf(runLength, capacity);
    }
    runTxn[runs] = txn;
    runLength[runs++] = 0;
  }

  public void outcome(int txn, Outcome newOutcome) {
    outcome[txn] = (byte) newOutcome.ordinal();
  }

  public Outcome outcome(int txn) {
    return Outcome.of(outcome[txn]);
  }

  /** The source's own id of a transaction, as a raw scalar; {@link RawScalars#NIL} for none. */
  public void id(int txn, long rawId) {
    id[txn] = rawId == RawScalars.NIL ? Values.UNKNOWN : values.code(rawId);
  }

  /**
   * Gives transactions without an id the name that they have in a larger history, of which this is
   * a part.
   *
   * @param before for each session the number of its transactions in earlier parts; those here are
   *     added
   */
  public void nameAfter(Map<Object, Integer> before) {
    int[] places = new int[sessions.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = before.getOrDefault(scalars.get(sessions.get(i)), 0);
    }
    for (int txn = 0; txn < transactions; txn++) {
      if (loaders.get(txn)) {
        continue;
      }
      int place = ++places[session[txn]];
      if (id[txn] == Values.UNKNOWN) {
        String name = values.text(values.code(sessions.get(session[txn])));
        id(txn, scalars.of(Labels.unnamed(name, place)));
      }
    }
    for (int i = 0; i < places.length; i++) {
      before.put(scalars.get(sessions.get(i)), places[i]);
    }
  }

  /** Line or offset of the transaction in the source. */
  public void position(int txn, long lineOrOffset) {
    position.set(txn, lineOrOffset);
  }

  /** Which of {@link Origin#files} the transaction was read from. */
  public void file(int txn, int index) {
    file.set(txn, index);
  }

  public void start(int txn, long time) {
    start.set(txn, time);
  }

  public void end(int txn, long time) {
    end.set(txn, time);
  }

  public void shownStart(int txn, long time) {
    shownStart.set(txn, time);
  }

  public void shownEnd(int txn, long time) {
    shownEnd.set(txn, time);
  }

  public void snapshotTs(int txn, long timestamp) {
    snapshotTs.set(txn, timestamp);
  }

  public void commitTs(int txn, long timestamp) {
    commitTs.set(txn, timestamp);
  }

  public void serialPosition(int txn, long place) {
    serialPosition.set(txn, place);
  }

  /** The name of the level that a transaction ran at; null if that is not known. */
  public void level(int txn, String name) {
    if (name != null) {
      level.set(txn, levelNames.computeIfAbsent(name, first -> levelNames.size()));
    }
  }

  public void error(int txn, String message) {
    errors.put(txn, message);
  }

  // ---- operations of the current transaction

  public void read(Object key, Object value) {
    op(OpKind.READ, scalars.of(key), scalars.of(value));
  }

  /** A read that is known only not to have returned a value: a condition that failed. */
  public void readOther(Object key, Object value) {
    read(key, new OtherThan(value));
  }

  public void write(Object key, Object value) {
    op(OpKind.WRITE, scalars.of(key), scalars.of(value));
  }

  public void append(Object key, Object element) {
    op(OpKind.APPEND, scalars.of(key), scalars.of(element));
  }

  public void readList(Object key, List<?> elements) {
    long[] raw = raw(elements);
    readList(scalars.of(key), raw, 0, raw.length);
  }

  public void add(Object key, Object element) {
    op(OpKind.ADD, scalars.of(key), scalars.of(element));
  }

  public void readSet(Object key, List<?> elements) {
    long[] raw = raw(elements);
    readElements(OpKind.SET_READ, scalars.of(key), raw, 0, raw.length);
  }

  public void increment(Object key, long amount) {
    op(OpKind.INCREMENT, scalars.of(key), scalars.of(amount));
  }

  public void readCounter(Object key, long total) {
    op(OpKind.COUNTER_READ, scalars.of(key), scalars.of(total));
  }

  /** An operation on one key with a raw value, {@link RawScalars#UNKNOWN} for an unseen result. */
  public void op(OpKind kind, long rawKey, long rawValue) {
    requireRun();
    if (open.size() == BUFFER_SIZE) {
      closeBuffer();
    }
    open.add(kind, rawKey, rawValue);
    runLength[runs - 1]++;
  }

  /** A read of a type with elements. */
  public void readElements(OpKind kind, long rawKey, long[] rawElements, int from, int to) {
    boolean list = kind.type().ordersVersions();
    int id =
        list ? listSequence(rawKey, rawElements, from, to) : setSequence(rawElements, from, to);
    op(kind, rawKey, id);
  }

  public void readList(long rawKey, long[] rawElements, int from, int to) {
    readElements(OpKind.LIST_READ, rawKey, rawElements, from, to);
  }

  /** The id of the result of a list read, for operations that are added in a buffer. */
  public int listSequence(long rawKey, long[] rawElements, int from, int to) {
    return sequences.addList(rawKey, codes(rawElements, from, to), 0, to - from);
  }

  /**
   * The length of the trace of a list: its longest read so far, where a longer read that disagrees
   * with the trace takes its place; 0 before the first.
   */
  public int traceLength(long rawKey) {
    return sequences.mainTraceLength(rawKey);
  }

  /**
   * The id of the result of a list read that is the first {@code prefix} elements of the list's
   * trace followed by these elements. The same as {@link #listSequence(long, long[], int, int)} on
   * all of them, without the cost of naming them.
   */
  public int listSequence(long rawKey, int prefix, long[] rawElements, int from, int to) {
    return sequences.addList(rawKey, prefix, codes(rawElements, from, to), 0, to - from);
  }

  /** The id of the result of a set read, for operations that are added in a buffer. */
  public int setSequence(long[] rawElements, int from, int to) {
    return sequences.addSet(codes(rawElements, from, to), 0, to - from);
  }

  /** A predicate operation; its rows follow by {@link #row}, or {@link #result}. */
  public void predicate(OpKind kind, String condition) {
    rowKind = kind.rowKind();
    op(kind, RawScalars.NIL, predicates.add(condition, 0, RawScalars.UNKNOWN));
  }

  /** A row of the predicate operation added last, which no other operation may have followed. */
  public void row(long rawKey, long rawValue) {
    predicates.addRow();
    op(rowKind, rawKey, rawValue);
  }

  /** What the aggregate added last gave. */
  public void result(long rawValue) {
    predicates.setResult(rawValue);
  }

  /**
   * The id of a predicate operation that is added in a buffer, where its rows follow it as
   * operations of {@link OpKind#rowKind}; {@link RawScalars#UNKNOWN} if it is not an aggregate.
   */
  public int predicateId(String condition, int rows, long rawResult) {
    return predicates.add(condition, rows, rawResult);
  }

  // ---- whole buffers

  /** Takes over a filled buffer. {@link #run} must then assign its operations to transactions. */
  public void adopt(OpBuffer buffer) {
    closeBuffer();
    add(buffer);
  }

  private void add(OpBuffer buffer) {
    buffers.add(buffer);
    closedOperations = Math.addExact(closedOperations, buffer.size());
  }

  /** Maximum number of runs that will follow. */
  public void expectRuns(long most) {
    int capacity = Math.toIntExact(Math.addExact(runs, most));
    if (capacity > runTxn.length) {
      runTxn = Arrays.copyOf(runTxn, capacity);
      runLength = Arrays.copyOf(runLength, capacity);
    }
  }

  /** The next operations of the adopted buffer belong to this transaction. */
  public void run(int txn, int length) {
    if (runs == 0 || runTxn[runs - 1] != txn) {
      resume(txn);
    }
    runLength[runs - 1] += length;
  }

  // ---- the result

  /**
   * The finished history. The builder must not be used afterwards.
   *
   * @throws InvalidHistoryException if what was declared about the initial state cannot be, or a
   *     key is written as several data types
   */
  public History build() {
    closeBuffer();
    open = null;
    Columns columns = new Columns();
    columns.origin = origin;
    columns.metadata = Collections.unmodifiableMap(metadata);
    columns.errors = Collections.unmodifiableMap(errors);
    columns.sessionNames = new int[sessions.size()];
    for (int i = 0; i < columns.sessionNames.length; i++) {
      columns.sessionNames[i] = values.code(sessions.get(i));
    }
    columns.session = Arrays.copyOf(session, transactions);
    columns.outcome = Arrays.copyOf(outcome, transactions);
    columns.id = Arrays.copyOf(id, transactions);
    columns.position = position.finish(transactions);
    columns.file = file.finishInts(transactions);
    columns.start = start.finish(transactions);
    columns.end = end.finish(transactions);
    columns.shownStart = shownStart.finish(transactions);
    columns.shownEnd = shownEnd.finish(transactions);
    columns.snapshotTs = snapshotTs.finish(transactions);
    columns.commitTs = commitTs.finish(transactions);
    columns.serialPosition = serialPosition.finish(transactions);
    scalars.describe(columns);
    columns.level = level.finishInts(transactions);
    columns.levelNames = List.copyOf(levelNames.keySet());
    Keys keys =
        new OpLayout(buffers, runTxn, runLength, runs, transactions)
            .layOut(columns, scalars, values);
    new KeyTypes(columns, scalars, values, sequences, predicates).settle(keys);
    initial.settle(columns, keys, scalars, values);
    History history =
        new History(columns, keys, values, sequences.build(), predicates.build(values));
    for (int i = 0; i < loaderSessions.size(); i++) {
      int loading = sessions.find(loaderSessions.get(i));
      loaders.or(DeclaredLoader.transactions(history, loading, scalars.get(loaderSessions.get(i))));
    }
    return loaders.isEmpty() ? history : DeclaredLoader.taken(history, loaders);
  }

  private void closeBuffer() {
    if (open.size() > 0) {
      add(open);
      open = new OpBuffer();
    }
  }

  private void requireRun() {
    if (runs == 0) {
      throw new IllegalStateException("begin a transaction first");
    }
  }

  private long[] raw(List<?> elements) {
    long[] raw = new long[elements.size()];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = scalars.of(elements.get(i));
    }
    return raw;
  }

  private int[] codes(long[] raw, int from, int to) {
    if (codes.length < to - from) {
      codes = new int[grown(to - from)];
    }
    for (int i = from; i < to; i++) {
      codes[i - from] = values.code(raw[i]);
    }
    return codes;
  }

  private int[] codes = new int[64];

  static int grown(int size) {
    return Math.addExact(size, Math.max(size >>> 1, 64));
  }
}
