package dev.assay.window;

import dev.assay.history.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The windows that were judged for good, in order. They are kept so that a read of a forgotten
 * version finds its writer: then all windows since are joined with what waits.
 */
final class Past {
  private final List<Closed> windows = new ArrayList<>();

  /**
   * A window that was judged for good.
   *
   * @param transactions what was in it, in candidate order
   * @param writes hashes of the keys and values that were written in it, sorted
   * @param before the states of the keys that it changed
   * @param lastStart when the last of its transactions began
   */
  private record Closed(
      List<Arrived> transactions, long[] writes, List<Before> before, long lastStart) {}

  /** The state of a key before a window. */
  private record Before(
      KeyState key, long value, KeyState.Writer writer, int size, int firstWindow, int ambiguous) {
    static Before of(KeyState key) {
      return new Before(key, key.value, key.writer, key.size, key.firstWindow, key.ambiguousSince);
    }

    void restore() {
      key.value = value;
      key.writer = writer;
      key.truncate(size);
      key.firstWindow = firstWindow;
      key.ambiguousSince = ambiguous;
    }
  }

  boolean isEmpty() {
    return windows.isEmpty();
  }

  int size() {
    return windows.size();
  }

  /** The last window in which a value was written to a key, or −1. */
  int windowOf(KeyState key, long value) {
    if (!key.written.contains(value)) {
      return -1;
    }
    long hash = hash(key, value);
    for (int i = windows.size() - 1; i >= 0; i--) {
      if (Arrays.binarySearch(windows.get(i).writes, hash) >= 0) {
        return i;
      }
    }
    throw new IllegalStateException("a value that was written is in no window");
  }

  /** The first window in which a transaction began after a time, or −1. */
  int windowSince(long time) {
    // Most that are late are a little late.
    int first = -1;
    for (int i = windows.size() - 1; i >= 0 && windows.get(i).lastStart > time; i--) {
      first = i;
    }
    return first;
  }

  /** Collects what changes when a window is closed. */
  final class Closing {
    private final List<Arrived> transactions;
    private final List<Before> before = new ArrayList<>();
    private long[] writes = new long[64];
    private int size;
    private long lastStart = Long.MIN_VALUE;

    Closing(List<Arrived> transactions) {
      this.transactions = transactions;
      for (Arrived arrived : transactions) {
        lastStart = Math.max(lastStart, arrived.history().start(arrived.txn));
      }
    }

    /** The number that the window will have. */
    int number() {
      return windows.size();
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
      key.written.add(value);
    }

    void close() {
      long[] sorted = Arrays.copyOf(writes, size);
      Arrays.sort(sorted);
      windows.add(new Closed(transactions, sorted, before, lastStart));
    }
  }

  /** Takes back all windows from this one on; their transactions, in candidate order. */
  List<Arrived> reopen(int from, Context context) {
    List<Arrived> transactions = new ArrayList<>();
    for (int i = from; i < windows.size(); i++) {
      transactions.addAll(windows.get(i).transactions);
    }
    while (windows.size() > from) {
      List<Before> before = windows.remove(windows.size() - 1).before;
      for (int i = before.size() - 1; i >= 0; i--) {
        before.get(i).restore();
      }
    }
    for (Arrived arrived : transactions) {
      forget(arrived, context);
    }
    return transactions;
  }

  private static void forget(Arrived arrived, Context context) {
    History history = arrived.history();
    for (int op = history.firstOp(arrived.txn); op < history.endOp(arrived.txn); op++) {
      if (history.kind(op).writesNamed()) {
        arrived.block.keys[history.key(op)].written.remove(context.raw(history, history.value(op)));
      }
    }
  }

  private static long hash(KeyState key, long value) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L + key.number;
    mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 32);
  }
}
