package dev.assay.collect.workload;

import java.util.Arrays;

/**
 * One int for each key, 0 at first. An array where most keys will be used, and an open-addressing
 * table where a history touches few of very many keys: fifty million writes over a billion keys
 * then take well under a gigabyte instead of four.
 */
public final class IntTable {
  /** A hash entry costs about this many array elements. */
  private static final long ENTRY_COST = 4;

  private static final int ALWAYS_DENSE = 1 << 20;

  private int[] dense;

  /** Key plus one in the upper half, the number in the lower; 0 where empty. */
  private long[] slots;

  private int used;

  private IntTable(int[] dense, long[] slots) {
    this.dense = dense;
    this.slots = slots;
  }

  /**
   * A table for keys from 0; keys beyond the given number are allowed, at the price of growing.
   *
   * @param keys number of keys
   * @param entries about how many puts there will be
   */
  public static IntTable forKeys(int keys, long entries) {
    boolean sparse = keys > ALWAYS_DENSE && keys / ENTRY_COST > entries;
    return sparse ? new IntTable(null, new long[1 << 10]) : new IntTable(new int[keys], null);
  }

  boolean isSparse() {
    return slots != null;
  }

  public int get(int key) {
    if (dense != null) {
      return key < dense.length ? dense[key] : 0;
    }
    return (int) slots[slot(key)];
  }

  public void put(int key, int number) {
    if (dense != null) {
      if (key >= dense.length) {
        dense = Arrays.copyOf(dense, grown(key));
      }
      dense[key] = number;
      return;
    }
    int slot = slot(key);
    if (slots[slot] == 0 && ++used > slots.length / 8 * 5) {
      rehash();
      slot = slot(key);
    }
    slots[slot] = (key + 1L) << 32 | (number & 0xFFFFFFFFL);
  }

  private static int grown(int key) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, key + 64L + (key >>> 1));
  }

  private int slot(int key) {
    int mask = slots.length - 1;
    int slot = mix(key) & mask;
    while (slots[slot] != 0 && (int) (slots[slot] >>> 32) != key + 1) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void rehash() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    for (long entry : old) {
      if (entry != 0) {
        slots[slot((int) (entry >>> 32) - 1)] = entry;
      }
    }
  }

  private static int mix(int key) {
    long z = key * 0x9E3779B97F4A7C15L;
    return (int) (z >>> 32);
  }
}
