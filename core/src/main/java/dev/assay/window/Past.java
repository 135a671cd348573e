package dev.assay.window;

import dev.assay.history.History;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The windows that were judged for good, in order. They are kept so that a read of a forgotten
 * version finds its writer: then all windows since are joined with what waits.
 *
 * <p>Windows have numbers from 0 on. The last ones are in memory. Older ones are on disk, many in
 * one {@linkplain Segments segment}, which can only be taken back as a whole.
 */
final class Past {
  /** The least number of segments on disk when the oldest of them is dropped. */
  private static final int SEGMENTS = 4;

  private final Context context;
  private final Segments segments;
  private final long memory;

  /** The maximum number of bytes on disk. */
  private final long keep;

  /** The windows in memory. */
  private final List<Closed> recent = new ArrayList<>();

  /** An estimate of the bytes that they take. */
  private long bytes;

  /** The number of the next window. */
  private int next;

  /** Whether something was sought that had been dropped. */
  private boolean lost;

  Past(Context context, Scratch scratch, long memory, long keep) {
    this.context = context;
    this.segments = new Segments(context, scratch);
    this.memory = memory;
    this.keep = keep;
  }

  /**
   * A window that was judged for good, or several in a row.
   *
   * @param transactions what was in it, in candidate order
   * @param writes hashes of the keys and values that were written in it, sorted
   * @param before the states of the keys that it changed
   * @param lastStart when the last of its transactions, and of all before it, began
   */
  record Closed(List<Arrived> transactions, long[] writes, List<Before> before, long lastStart) {
    private static final int TRANSACTION_BYTES = 160;
    private static final int OPERATION_BYTES = 24;
    private static final int BEFORE_BYTES = 160;

    /** An estimate of the bytes that it takes. */
    long bytes() {
      long operations = 0;
      long elements = 0;
      for (Arrived arrived : transactions) {
        operations += arrived.operations();
        elements += elements(arrived);
      }
      return (long) TRANSACTION_BYTES * transactions.size()
          + OPERATION_BYTES * operations
          + Integer.BYTES * elements
          + (long) Long.BYTES * writes.length
          + (long) BEFORE_BYTES * before.size();
    }

    /** Number of elements that reads show; long lists share most of theirs. */
    private static int elements(Arrived arrived) {
      History history = arrived.history();
      int elements = 0;
      for (int op = history.firstOp(arrived.txn); op < history.endOp(arrived.txn); op++) {
        if (history.kind(op).readsSequence() && history.value(op) >= 0) {
          elements += Math.min(64, history.sequences().length(history.value(op)));
        }
      }
      return elements;
    }

    static Closed merged(List<Closed> windows) {
      List<Arrived> transactions = new ArrayList<>();
      List<Before> before = new ArrayList<>();
      Set<KeyState> changed = new HashSet<>();
      int size = windows.stream().mapToInt(window -> window.writes.length).sum();
      long[] writes = new long[size];
      int at = 0;
      for (Closed window : windows) {
        transactions.addAll(window.transactions);
        for (Before state : window.before) {
          if (changed.add(state.key)) {
            before.add(state);
          }
        }
        System.arraycopy(window.writes, 0, writes, at, window.writes.length);
        at += window.writes.length;
      }
      Arrays.sort(writes);
      long lastStart = windows.get(windows.size() - 1).lastStart;
      return new Closed(transactions, writes, before, lastStart);
    }
  }

  /** The state of a key before a window. */
  record Before(
      KeyState key,
      long value,
      KeyState.Writer writer,
      KeyState.Writer appender,
      int size,
      int firstWindow,
      int ambiguous,
      int unsettled) {
    static Before of(KeyState key) {
      KeyState.Writer writer = key.writer();
      long value = writer == null ? 0 : key.value();
      return new Before(
          key,
          value,
          writer,
          key.appender(),
          key.size(),
          key.firstWindow,
          key.ambiguousSince,
          key.unsettledSince);
    }

    void restore() {
      key.restore(value, writer, appender, size);
      key.firstWindow = firstWindow;
      key.ambiguousSince = ambiguous;
      key.unsettledSince = unsettled;
    }

    void write(KeyStore keys, DataOutput out) throws IOException {
      out.writeLong(key.name);
      out.writeLong(value);
      KeyState.Writer.write(writer, keys, out);
      KeyState.Writer.write(appender, keys, out);
      out.writeInt(size);
      out.writeInt(firstWindow);
      out.writeInt(ambiguous);
      out.writeInt(unsettled);
    }

    static Before read(KeyStore keys, DataInput in) throws IOException {
      return new Before(
          keys.named(in.readLong()),
          in.readLong(),
          KeyState.Writer.read(keys, in),
          KeyState.Writer.read(keys, in),
          in.readInt(),
          in.readInt(),
          in.readInt(),
          in.readInt());
    }
  }

  boolean isEmpty() {
    return next == 0;
  }

  /** The number of windows, which is the number of the next one. */
  int size() {
    return next;
  }

  /** The number of the first window that was not dropped. */
  int first() {
    return segments.first();
  }

  /** Whether something was sought that had been dropped. */
  boolean isLost() {
    return lost;
  }

  /** The number of windows in memory. */
  int inMemory() {
    return recent.size();
  }

  private int firstRecent() {
    return next - recent.size();
  }

  /**
   * The last window in which a value was written to a key, or one before it; −1 if there is none,
   * or it was dropped.
   */
  int windowOf(KeyState key, long value) {
    if (!key.wrote(value)) {
      return -1;
    }
    long hash = hash(key, value);
    for (int i = recent.size() - 1; i >= 0; i--) {
      if (Arrays.binarySearch(recent.get(i).writes, hash) >= 0) {
        return firstRecent() + i;
      }
    }
    int window = segments.windowOf(hash);
    if (window < 0 && first() == 0) {
      throw new IllegalStateException("a value that was written is in no window");
    }
    lost |= window < 0;
    return window;
  }

  /** The first window in which a transaction began after a time, or −1; or one before it. */
  int windowSince(long time) {
    // Most that are late are a little late.
    int first = -1;
    for (int i = recent.size() - 1; i >= 0; i--) {
      if (recent.get(i).lastStart <= time) {
        return first;
      }
      first = firstRecent() + i;
    }
    lost |= segments.isDroppedSince(time);
    int window = segments.windowSince(time);
    return window >= 0 ? window : first;
  }

  /** Collects what changes when a window is closed. */
  final class Closing {
    private final List<Arrived> transactions;
    private final List<Before> before = new ArrayList<>();
    private long[] writes = new long[64];
    private int size;
    private long lastStart;

    Closing(List<Arrived> transactions) {
      this.transactions = transactions;
      lastStart = recent.isEmpty() ? segments.lastStart() : recent.get(recent.size() - 1).lastStart;
      for (Arrived arrived : transactions) {
        lastStart = Math.max(lastStart, arrived.history().start(arrived.txn));
      }
    }

    /** The number that the window will have. */
    int number() {
      return next;
    }

    /** A key is about to change. */
    void change(KeyState key) {
      before.add(Before.of(key));
    }

    /** A value was written. */
    void write(KeyState key, long value) {
      if (size == writes.length) {
        writes = Arrays.copyOf(writes, size * 2);
      }
      writes[size++] = hash(key, value);
      key.addWritten(value);
    }

    void close() {
      long[] sorted = Arrays.copyOf(writes, size);
      Arrays.sort(sorted);
      Closed window = new Closed(transactions, sorted, before, lastStart);
      recent.add(window);
      next++;
      bytes += window.bytes();
      while (bytes > memory) {
        spill();
      }
      context.windowClosed();
    }
  }

  /** The older half of the windows in memory goes to disk, in segments for which there is room. */
  private void spill() {
    int left = recent.size() / 2;
    while (recent.size() > left) {
      int count = 1;
      long size = recent.get(0).bytes();
      while (recent.size() - count > left && size + recent.get(count).bytes() <= keep / SEGMENTS) {
        size += recent.get(count++).bytes();
      }
      List<Closed> oldest = recent.subList(0, count);
      segments.add(firstRecent(), Closed.merged(oldest));
      oldest.clear();
      bytes -= size;
      // On disk they take less than in memory, so that there is room for the next one now.
      segments.dropBeyond(keep - keep / SEGMENTS, firstRecent());
    }
  }

  /** The number of the first block that a window in memory has, or that of the next one. */
  long oldestBlock(long next) {
    long oldest = next;
    for (Closed window : recent) {
      for (Arrived arrived : window.transactions) {
        oldest = Math.min(oldest, arrived.block.number);
      }
    }
    return oldest;
  }

  // ---- states

  void save(StateOutput out) throws IOException {
    segments.save(out);
    out.writeInt(next);
    out.writeInt(recent.size());
    for (Closed window : recent) {
      segments.save(window, out);
    }
  }

  void restore(StateInput in) throws IOException {
    segments.restore(in);
    next = in.readInt();
    for (int i = in.readInt(); i > 0; i--) {
      Closed window = segments.restoreClosed(in);
      recent.add(window);
      bytes += window.bytes();
    }
  }

  /**
   * Takes back all windows from this one on, and those before it in the same segment; their
   * transactions, in candidate order.
   */
  List<Arrived> reopen(int from) {
    Deque<List<Arrived>> parts = new ArrayDeque<>();
    while (next > from && !recent.isEmpty()) {
      Closed window = recent.remove(recent.size() - 1);
      bytes -= window.bytes();
      next--;
      parts.addFirst(takeBack(window));
    }
    while (next > from) {
      next = segments.lastNumber();
      parts.addFirst(takeBack(segments.removeLast()));
    }
    List<Arrived> transactions = new ArrayList<>();
    parts.forEach(transactions::addAll);
    for (Arrived arrived : transactions) {
      forget(arrived);
    }
    return transactions;
  }

  private static List<Arrived> takeBack(Closed window) {
    for (int i = window.before.size() - 1; i >= 0; i--) {
      window.before.get(i).restore();
    }
    return window.transactions;
  }

  private void forget(Arrived arrived) {
    History history = arrived.history();
    for (int op = history.firstOp(arrived.txn); op < history.endOp(arrived.txn); op++) {
      if (history.kind(op).writesNamed()) {
        arrived.block.keys[history.key(op)].removeWritten(context.raw(history, history.value(op)));
      }
    }
  }

  private static long hash(KeyState key, long value) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L + key.name;
    mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 32);
  }
}
