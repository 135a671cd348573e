package dev.assay.collect.record;

import dev.assay.history.RawScalars;
import java.util.Arrays;

/**
 * What a client last saw of keys, of as many as there is room for: what is forgotten counts as
 * absent, which costs a condition that fails.
 */
final class SeenValues {
  private static final int SLOTS = 1 << 12;

  private final long[] keys = new long[SLOTS];
  private final long[] values = new long[SLOTS];

  SeenValues() {
    Arrays.fill(values, RawScalars.NIL);
  }

  void put(long key, long value) {
    int slot = slot(key);
    keys[slot] = key;
    values[slot] = value;
  }

  /** The value, or {@link RawScalars#NIL}. */
  long get(long key) {
    int slot = slot(key);
    return keys[slot] == key ? values[slot] : RawScalars.NIL;
  }

  private static int slot(long key) {
    return (int) key & (SLOTS - 1);
  }
}
