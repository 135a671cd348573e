package dev.assay.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The longest read of each list so far, as the writer must know it to write a read as a prefix of
 * that trace and the elements after it. A longer read takes the place of the trace, even where it
 * disagrees with it; {@link dev.assay.history.HistoryBuilder#traceLength} follows the same rule.
 *
 * <p>While a run is recorded nothing of this is in the processor's caches, because the database
 * works there too. So what belongs together lies together: a key beside the place of its trace, and
 * a trace behind its length.
 */
final class AssayBinaryTraces {
  private static final int CHUNK = 1 << 16;
  private static final int LEAST_CAPACITY = 15;

  /** For each slot a key, and one more than the place of its trace; 0 where there is none. */
  private long[] table = new long[1 << 10];

  private int size;

  /** Traces, each behind a number that holds its length and, in the lower half, its capacity. */
  private final List<long[]> chunks = new ArrayList<>();

  /** How much of the last chunk is taken. */
  private int taken = CHUNK;

  /** How many leading elements of this read the trace has; the trace then takes in the read. */
  int prefix(long rawKey, long[] elements, int from, int to) {
    int slot = slot(rawKey);
    int length = to - from;
    if (table[slot + 1] == 0) {
      if (length > 0) {
        insert(slot, rawKey, trace(elements, from, to));
      }
      return 0;
    }
    long place = table[slot + 1] - 1;
    long[] chunk = chunks.get((int) (place / CHUNK));
    int head = (int) (place % CHUNK);
    int known = (int) (chunk[head] >>> 32);
    int capacity = (int) chunk[head];
    int common = Math.min(length, known);
    int mismatch =
        Arrays.mismatch(elements, from, from + common, chunk, head + 1, head + 1 + common);
    if (length > capacity) {
      table[slot + 1] = trace(elements, from, to);
    } else if (length > known) {
      System.arraycopy(elements, from, chunk, head + 1, length);
      chunk[head] = (long) length << 32 | capacity;
    }
    return mismatch < 0 ? common : mismatch;
  }

  /** Stores a trace; returns one more than its place. */
  private long trace(long[] elements, int from, int to) {
    int length = to - from;
    int capacity = Math.max(LEAST_CAPACITY, Math.addExact(length, length >> 1));
    if (taken + 1L + capacity > CHUNK) {
      chunks.add(new long[Math.max(CHUNK, Math.addExact(capacity, 1))]);
      taken = 0;
    }
    long place = (long) (chunks.size() - 1) * CHUNK + taken;
    long[] chunk = chunks.get(chunks.size() - 1);
    chunk[taken] = (long) length << 32 | capacity;
    System.arraycopy(elements, from, chunk, taken + 1, length);
    taken = (int) Math.min(CHUNK, taken + 1L + capacity);
    return place + 1;
  }

  /** Where a key is, or would be. */
  private int slot(long key) {
    int mask = table.length - 2;
    long mixed = key * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (table[slot + 1] != 0 && table[slot] != key) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  private void insert(int slot, long key, long place) {
    table[slot] = key;
    table[slot + 1] = place;
    if (++size > table.length / 4) {
      long[] before = table;
      table = new long[Math.multiplyExact(before.length, 2)];
      for (int i = 0; i < before.length; i += 2) {
        if (before[i + 1] != 0) {
          int moved = slot(before[i]);
          table[moved] = before[i];
          table[moved + 1] = before[i + 1];
        }
      }
    }
  }
}
