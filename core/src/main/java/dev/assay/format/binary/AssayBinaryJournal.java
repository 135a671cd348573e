package dev.assay.format.binary;

import dev.assay.format.LongList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one client records, transaction after transaction in words of four bytes. {@link
 * AssayBinaryJournalDecoder} is the way back. What it has waits here until the writer is flushed,
 * or until there is much of it, so that clients do not meet at every transaction.
 *
 * <pre>{@code
 * journal.begin(session);
 * journal.op(OpKind.WRITE, key, value);
 * journal.times(start, end);
 * journal.end(Outcome.COMMITTED);
 * }</pre>
 *
 * <p>Keys and values are raw scalars of the writer, which takes what is complete at any time. A
 * client that holds the journal's lock keeps it, and all others, from doing so. Whatever needs the
 * locks of a journal and of the writer takes the writer's second.
 *
 * <p>A {@linkplain AssayBinaryBlock block of columns} is a quarter as large. But a client that
 * makes one while the database runs in the same process slows it down by 3 to 4.5 %, and one that
 * writes variable-length integers by 2 %: after each transaction neither the code nor the memory
 * they need is in a cache. For the same reason operations are written where they stay, and not
 * copied when their transaction ends.
 */
public final class AssayBinaryJournal {
  /** Size at which it is written: large enough to be worth a call, small enough for a cache. */
  private static final int FULL = 1 << 16;

  // The first word of a transaction: its outcome, what follows, and how many operations.

  static final int OUTCOME = 3;

  /** The transaction has more, or less, than the times it began and ended. */
  static final int MORE = 1 << 2;

  /** The session is that of the transaction before, and left out. */
  static final int SAME_SESSION = 1 << 3;

  static final int SIZE_SHIFT = 4;

  /** In the mask of what a transaction has, after a bit for each of the optional numbers. */
  static final int ID = 1 << AssayBinaryDecoder.OPTIONAL_COLUMNS;

  static final int ERROR = ID << 1;
  static final int LEVEL = ERROR << 1;

  // The first word of an operation: its kind, what follows, and its key.

  static final int KIND = 15;

  /** The key takes two words of its own. */
  static final int WIDE_KEY = 1 << 4;

  /** The value, or each element, takes two words. */
  static final int WIDE_VALUE = 1 << 5;

  static final int KEY_SHIFT = 6;

  /** In place of the number of elements of a read whose result is unknown. */
  static final int UNKNOWN_RESULT = -1;

  /** What most transactions have: when they began, the first number, and ended. */
  private static final int TIMES = 3;

  /** Bytes before the operations of most transactions: the first word and two times. */
  private static final int USUAL_HEAD = 4 * 3;

  private static final int MAX_HEAD = 4 * (4 + 2 * AssayBinaryDecoder.OPTIONAL_COLUMNS + 4);
  private static final int MAX_OPERATION = 4 * 5;

  /** Where words begin: after the frame and how many bytes they take. */
  private static final int START = AssayBinaryFrame.SIZE + 4;

  private final AssayBinaryWriter writer;
  private boolean closed;

  private byte[] block = new byte[1 << 12];
  private final AssayBinaryOut texts = new AssayBinaryOut();
  private final Map<String, Integer> textNumbers = new HashMap<>();
  private int transactions;
  private int operations;
  private int session;
  private int highestSession;
  private long end;

  /** Where the complete transactions end and the open one has room for a usual head. */
  private int complete = START;

  /** Where the next operation of the open transaction goes. */
  private int size = START + USUAL_HEAD;

  private int openSession;
  private int openOperations;

  /** Which of the optional numbers, id, error and level it has. */
  private int present;

  private final long[] optional = new long[AssayBinaryDecoder.OPTIONAL_COLUMNS];
  private long id;
  private String error;
  private String level;

  /** Its conditions, which get numbers when it ends, and where those go, from its beginning. */
  private final List<String> conditions = new ArrayList<>();

  private final LongList conditionPlaces = new LongList();

  /** How many rows the last of its predicate operations has. */
  private int rows;

  /** How many operations it has including those rows. */
  private int operationsWithRows;

  private OpKind rowKind;

  AssayBinaryJournal(AssayBinaryWriter writer) {
    this.writer = writer;
  }

  /** Begins a transaction, without operations so far. One that is open is forgotten. */
  public synchronized void begin(int inSession) {
    openSession = inSession;
    openOperations = 0;
    present = 0;
    size = complete + USUAL_HEAD;
    if (!conditions.isEmpty()) {
      conditions.clear();
      conditionPlaces.clear();
    }
  }

  /** The source's own id, as a raw scalar; {@link RawScalars#NIL} for none. */
  public synchronized void id(long rawId) {
    id = rawId;
    mark(ID, rawId != RawScalars.NIL);
  }

  /** When the client began and when it learned the outcome; {@link History#ABSENT} if unknown. */
  public synchronized void times(long startTime, long endTime) {
    optional(0, startTime);
    optional(1, endTime);
  }

  /** One of the numbers that need not be there, in the order in which files have them. */
  synchronized void optional(int column, long number) {
    optional[column] = number;
    mark(1 << column, number != History.ABSENT);
  }

  /** What the database said when the transaction did not commit; null for nothing. */
  public synchronized void error(String message) {
    error = message;
    mark(ERROR, message != null);
  }

  /** The name of the level it runs at; null if that is not known. */
  public synchronized void level(String name) {
    level = name;
    mark(LEVEL, name != null);
  }

  private void mark(int what, boolean is) {
    present = is ? present | what : present & ~what;
  }

  /** An operation on one key with a raw value, {@link RawScalars#UNKNOWN} for an unseen result. */
  public synchronized void op(OpKind kind, long rawKey, long rawValue) {
    if (kind.readsSequence() && rawValue == RawScalars.UNKNOWN) {
      reserve(MAX_OPERATION);
      size = putKey(block, size, kind.ordinal(), rawKey);
      size = put(block, size, UNKNOWN_RESULT);
      openOperations++;
    } else if (kind.isPredicate() || kind.readsSequence()) {
      throw new IllegalArgumentException(kind + " has its own method");
    } else {
      add(kind.ordinal(), rawKey, rawValue);
    }
  }

  public synchronized void readList(long rawKey, long[] rawElements, int from, int to) {
    readSequence(OpKind.LIST_READ, rawKey, rawElements, from, to);
  }

  public synchronized void readSet(long rawKey, long[] rawElements, int from, int to) {
    readSequence(OpKind.SET_READ, rawKey, rawElements, from, to);
  }

  /** A predicate operation; its rows follow by {@link #row}, or {@link #result}. */
  public synchronized void predicate(OpKind kind, String condition) {
    if (!kind.isPredicate()) {
      throw new IllegalArgumentException(kind + " has no condition");
    }
    reserve(MAX_OPERATION);
    size = put(block, size, kind.ordinal());
    conditions.add(condition);
    conditionPlaces.add(size - complete);
    size = put(block, size, 0);
    size = put(block, size, 0);
    size = putWide(block, size, RawScalars.UNKNOWN);
    rowKind = kind.rowKind();
    rows = 0;
    operationsWithRows = ++openOperations;
  }

  /** A row of the predicate operation, which no operation but its rows may have followed. */
  public synchronized void row(long rawKey, long rawValue) {
    put(block, lastPredicate() + 4, ++rows);
    add(rowKind.ordinal(), rawKey, rawValue);
    operationsWithRows = openOperations;
  }

  /** What the predicate operation added last gave, if it is an aggregate. */
  public synchronized void result(long rawValue) {
    putWide(block, lastPredicate() + 8, rawValue);
  }

  /** Where the number of its condition goes; then come the number of its rows and its result. */
  private int lastPredicate() {
    if (conditions.isEmpty() || operationsWithRows != openOperations) {
      throw new IllegalStateException("rows and results belong to a predicate operation");
    }
    return complete + (int) conditionPlaces.get(conditionPlaces.size() - 1);
  }

  /** Ends the transaction and keeps it. */
  public synchronized void end(Outcome outcome) throws IOException {
    if (closed) {
      throw AssayBinaryWriter.complete();
    }
    reserve(MAX_HEAD);
    long wait = optional[0] - end;
    long duration = optional[1] - optional[0];
    boolean more = present != TIMES || wait != (int) wait || duration != (int) duration;
    boolean same = openSession == session;
    if (more || !same) {
      makeRoomForHead(same, more);
    }
    int what = (more ? MORE : 0) | (same ? SAME_SESSION : 0) | outcome.ordinal();
    int at = put(block, complete, openOperations << SIZE_SHIFT | what);
    if (!same) {
      session = openSession;
      highestSession = Math.max(highestSession, session);
      at = put(block, at, session);
    }
    if (more) {
      putMore(at);
    } else {
      put(block, put(block, at, (int) wait), (int) duration);
      end = optional[1];
    }
    for (int i = 0; i < conditions.size(); i++) {
      put(block, complete + (int) conditionPlaces.get(i), text(conditions.get(i)));
    }
    transactions++;
    operations += openOperations;
    complete = size;
    if (complete + texts.size() >= FULL) {
      drain();
    }
  }

  /** Moves the operations, because the head will not have its usual size. */
  private void makeRoomForHead(boolean same, boolean more) {
    int numbers = Integer.bitCount(present & (ID | ID - 1));
    int afterSession = more ? 4 + 8 * numbers + 4 * Integer.bitCount(present & (ERROR | LEVEL)) : 8;
    int moved = 4 + (same ? 0 : 4) + afterSession - USUAL_HEAD;
    int first = complete + USUAL_HEAD;
    System.arraycopy(block, first, block, first + moved, size - first);
    size += moved;
    for (int i = 0; i < conditions.size(); i++) {
      conditionPlaces.array()[i] += moved;
    }
  }

  private void putMore(int from) {
    int at = put(block, from, present);
    for (int i = 0; i < AssayBinaryDecoder.OPTIONAL_COLUMNS; i++) {
      at = (present & 1 << i) == 0 ? at : putWide(block, at, optional[i]);
    }
    at = (present & ID) == 0 ? at : putWide(block, at, id);
    if ((present & ERROR) != 0) {
      at = put(block, at, text(error));
    }
    if ((present & LEVEL) != 0) {
      put(block, at, text(level));
    }
  }

  /** Hands what is complete to the writer. */
  synchronized void drain() throws IOException {
    if (transactions == 0) {
      return;
    }
    int open = size - complete;
    int sealed = seal();
    try {
      writer.write(this, sealed);
    } finally {
      System.arraycopy(block, sealed, block, START, open);
      complete = START;
      size = START + open;
      texts.clear();
      textNumbers.clear();
      transactions = 0;
      operations = 0;
      session = 0;
      highestSession = 0;
      end = 0;
    }
  }

  /** Completes the block but for its frame, and returns where it ends and the open one begins. */
  int seal() {
    int tail = 4 + texts.size();
    reserve(tail);
    System.arraycopy(block, complete, block, complete + tail, size - complete);
    AssayBinaryOut.u32(block, AssayBinaryFrame.SIZE, complete - START);
    put(block, complete, textNumbers.size());
    System.arraycopy(texts.array(), 0, block, complete + 4, texts.size());
    return complete + tail;
  }

  /** Drains it for the last time: what ends later is refused. */
  synchronized void close() throws IOException {
    closed = true;
    drain();
  }

  int transactions() {
    return transactions;
  }

  int operations() {
    return operations;
  }

  int highestSession() {
    return highestSession;
  }

  /** Room for the frame, the payload, and more. */
  byte[] block() {
    return block;
  }

  private void readSequence(OpKind kind, long rawKey, long[] rawElements, int from, int to) {
    reserve(MAX_OPERATION + 8L * (to - from));
    boolean wide = hasWide(rawElements, from, to);
    int at = putKey(block, size, kind.ordinal() | (wide ? WIDE_VALUE : 0), rawKey);
    at = put(block, at, to - from);
    for (int i = from; i < to; i++) {
      at = wide ? putWide(block, at, rawElements[i]) : put(block, at, (int) rawElements[i]);
    }
    size = at;
    openOperations++;
  }

  private void add(int kind, long rawKey, long rawValue) {
    reserve(MAX_OPERATION);
    boolean wide = rawValue != (int) rawValue;
    int at = putKey(block, size, kind | (wide ? WIDE_VALUE : 0), rawKey);
    size = wide ? putWide(block, at, rawValue) : put(block, at, (int) rawValue);
    openOperations++;
  }

  private void reserve(long more) {
    long needed = size + more;
    if (needed > block.length) {
      if (needed > AssayBinaryFrame.MAX_PAYLOAD) {
        throw new IllegalArgumentException("a transaction of more than 1 GB");
      }
      block = Arrays.copyOf(block, (int) Math.max(needed, block.length * 2L));
    }
  }

  private static int putKey(byte[] to, int at, int head, long key) {
    int shifted = (int) key << KEY_SHIFT;
    if (shifted >> KEY_SHIFT == key) {
      return put(to, at, head | shifted);
    }
    return putWide(to, put(to, at, head | WIDE_KEY), key);
  }

  private static boolean hasWide(long[] items, int from, int to) {
    long misfit = 0;
    for (int i = from; i < to; i++) {
      misfit |= items[i] ^ (int) items[i];
    }
    return misfit != 0;
  }

  private static int put(byte[] to, int at, int word) {
    AssayBinaryOut.u32(to, at, word);
    return at + 4;
  }

  private static int putWide(byte[] to, int at, long words) {
    AssayBinaryOut.u64(to, at, words);
    return at + 8;
  }

  private int text(String text) {
    Integer known = textNumbers.putIfAbsent(text, textNumbers.size());
    if (known == null) {
      texts.text(text);
      return textNumbers.size() - 1;
    }
    return known;
  }
}
