package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Transactions as a client recorded them, one after another in words of four bytes. {@link
 * AssayBinaryJournalDecoder} is the way back.
 *
 * <p>A {@linkplain AssayBinaryBlock block of columns} is a quarter as large. But a client that
 * makes one while the database runs in the same process slows it down by 3 to 4.5 %, and one that
 * writes variable-length integers by 2 %: after each transaction neither the code nor the memory
 * they need is in a cache. So this is little code that writes little memory, one word after the
 * other.
 */
final class AssayBinaryJournal {
  /** Size at which it is written: large enough to be worth a call, small enough for a cache. */
  private static final int FULL = 1 << 16;

  // The first word of a transaction: its outcome, what follows, and how many operations.

  static final int OUTCOME = 3;

  /** More, or less, is told than when it began and ended. */
  static final int MORE = 1 << 2;

  /** The session is that of the transaction before, and not told. */
  static final int SAME_SESSION = 1 << 3;

  static final int SIZE_SHIFT = 4;

  /** In what is told then, after a bit for each of the optional numbers. */
  static final int ID = 1 << AssayBinaryDecoder.OPTIONAL_COLUMNS;

  static final int ERROR = ID << 1;

  // The first word of an operation: its kind, what follows, and its key.

  static final int KIND = 15;

  /** The key takes two words of its own. */
  static final int WIDE_KEY = 1 << 4;

  /** The value, or each element, takes two words. */
  static final int WIDE_VALUE = 1 << 5;

  static final int KEY_SHIFT = 6;

  /** Stands for the number of elements of a read whose result is unknown. */
  static final int UNKNOWN_RESULT = -1;

  private static final int MAX_HEAD = 4 * (4 + 2 * AssayBinaryDecoder.OPTIONAL_COLUMNS + 3);
  private static final int MAX_OPERATION = 4 * 5;

  /** Where words begin: after the frame and how many bytes they take. */
  private static final int START = AssayBinaryFrame.SIZE + 4;

  private byte[] block = new byte[1 << 12];
  private int size = START;
  private final AssayBinaryOut texts = new AssayBinaryOut();
  private final Map<String, Integer> textNumbers = new HashMap<>();
  private int transactions;
  private int operations;
  private int session;
  private int highestSession;
  private long end;

  int transactions() {
    return transactions;
  }

  int operations() {
    return operations;
  }

  int highestSession() {
    return highestSession;
  }

  boolean isFull() {
    return size + texts.size() >= FULL;
  }

  /** Completes the block but for its frame; only {@link #clear} may follow. */
  void finish() {
    AssayBinaryOut.u32(block, AssayBinaryFrame.SIZE, size - START);
    reserve(4L + texts.size());
    size = put(block, size, textNumbers.size());
    System.arraycopy(texts.array(), 0, block, size, texts.size());
    size += texts.size();
  }

  /** Room for the frame, and the payload. */
  byte[] block() {
    return block;
  }

  int size() {
    return size;
  }

  void clear() {
    size = START;
    texts.clear();
    textNumbers.clear();
    transactions = 0;
    operations = 0;
    session = 0;
    highestSession = 0;
    end = 0;
  }

  void add(TransactionRecord record) {
    reserve(MAX_HEAD + (long) MAX_OPERATION * record.size + 8L * record.elements.size());
    byte[] to = block;
    long wait = record.start - end;
    long duration = record.end - record.start;
    boolean more = wait != (int) wait || duration != (int) duration || !record.hasOnlyTimes();
    boolean same = record.session == session;
    int what = (more ? MORE : 0) | (same ? SAME_SESSION : 0) | record.outcome.ordinal();
    int at = put(to, size, record.size << SIZE_SHIFT | what);
    if (!same) {
      session = record.session;
      highestSession = Math.max(highestSession, session);
      at = put(to, at, session);
    }
    if (more) {
      at = putMore(to, at, record);
    } else {
      at = put(to, at, (int) wait);
      at = put(to, at, (int) duration);
      end = record.end;
    }
    size = putOperations(to, at, record);
    transactions++;
    operations += record.size;
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

  private int putMore(byte[] to, int from, TransactionRecord record) {
    int told = (record.id == RawScalars.NIL ? 0 : ID) | (record.error == null ? 0 : ERROR);
    for (int i = 0; i < AssayBinaryDecoder.OPTIONAL_COLUMNS; i++) {
      told |= record.optional(i) == History.ABSENT ? 0 : 1 << i;
    }
    int at = put(to, from, told);
    for (int i = 0; i < AssayBinaryDecoder.OPTIONAL_COLUMNS; i++) {
      at = (told & 1 << i) == 0 ? at : putWide(to, at, record.optional(i));
    }
    at = (told & ID) == 0 ? at : putWide(to, at, record.id);
    return (told & ERROR) == 0 ? at : put(to, at, text(record.error));
  }

  private int putOperations(byte[] to, int from, TransactionRecord record) {
    int at = from;
    int element = 0;
    int predicate = 0;
    for (int i = 0; i < record.size; i++) {
      int kind = record.kinds[i];
      long key = record.keys[i];
      long value = record.values[i];
      if (kind == OpKind.LIST_READ.ordinal() || kind == OpKind.SET_READ.ordinal()) {
        int count = value == RawScalars.UNKNOWN ? 0 : (int) value;
        boolean wide = hasWide(record.elements.array(), element, element + count);
        at = putKey(to, at, kind | (wide ? WIDE_VALUE : 0), key);
        at = put(to, at, value == RawScalars.UNKNOWN ? UNKNOWN_RESULT : count);
        at = putAll(to, at, record.elements.array(), element, element + count, wide);
        element += count;
      } else if (OpKind.of(kind).isPredicate()) {
        at = put(to, at, kind);
        at = put(to, at, text(record.conditions.get(predicate)));
        at = put(to, at, (int) value);
        at = putWide(to, at, record.results.get(predicate++));
      } else {
        boolean wide = value != (int) value;
        at = putKey(to, at, kind | (wide ? WIDE_VALUE : 0), key);
        at = wide ? putWide(to, at, value) : put(to, at, (int) value);
      }
    }
    return at;
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

  private static int putAll(byte[] to, int first, long[] items, int from, int end, boolean wide) {
    int at = first;
    for (int i = from; i < end; i++) {
      at = wide ? putWide(to, at, items[i]) : put(to, at, (int) items[i]);
    }
    return at;
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
