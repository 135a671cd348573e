package dev.assay.spark.cut;

import java.util.Arrays;

/** Numbers distinct pieces of arrays of bytes in order of first appearance; they are not copied. */
final class Slices {
  private static final int EMPTY = -1;

  private int[] slots = filled(64);
  private int shift = Integer.SIZE - 6;
  private byte[][] arrays = new byte[32][];
  private int[] froms = new int[32];
  private int[] lengths = new int[32];
  private int[] hashes = new int[32];
  private int size;

  int size() {
    return size;
  }

  /** The array that a piece is in. */
  byte[] array(int number) {
    return arrays[number];
  }

  int from(int number) {
    return froms[number];
  }

  int length(int number) {
    return lengths[number];
  }

  /** The number of this piece; the next free one when it is new. */
  int indexOf(byte[] array, int from, int length) {
    int hash = hash(array, from, length);
    int slot = slot(hash);
    for (; slots[slot] != EMPTY; slot = slot + 1 & slots.length - 1) {
      int found = slots[slot];
      if (hashes[found] == hash && isSame(found, array, from, length)) {
        return found;
      }
    }
    if (size == froms.length) {
      int larger = Math.addExact(size, size >>> 1);
      arrays = Arrays.copyOf(arrays, larger);
      froms = Arrays.copyOf(froms, larger);
      lengths = Arrays.copyOf(lengths, larger);
      hashes = Arrays.copyOf(hashes, larger);
    }
    arrays[size] = array;
    froms[size] = from;
    lengths[size] = length;
    hashes[size] = hash;
    slots[slot] = size++;
    if (size > slots.length / 8 * 5) {
      grow();
    }
    return size - 1;
  }

  private boolean isSame(int number, byte[] array, int from, int length) {
    return Arrays.equals(
        arrays[number], froms[number], froms[number] + lengths[number], array, from, from + length);
  }

  private void grow() {
    slots = filled(Math.multiplyExact(slots.length, 2));
    shift--;
    for (int i = 0; i < size; i++) {
      int slot = slot(hashes[i]);
      while (slots[slot] != EMPTY) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = i;
    }
  }

  private static int[] filled(int length) {
    int[] slots = new int[length];
    Arrays.fill(slots, EMPTY);
    return slots;
  }

  /** By the upper bits: what is here came to this task by the lower ones. */
  private int slot(int hash) {
    return hash * 0x85EBCA6B >>> shift;
  }

  /** The number of the task that what has such a name goes to. */
  static int task(byte[] array, int from, int length, int tasks) {
    return Math.floorMod(hash(array, from, length), tasks);
  }

  private static int hash(byte[] array, int from, int length) {
    int hash = 1;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + array[i];
    }
    // That of small integers is nearly regular, and tasks would be uneven.
    hash *= 0x9E3779B9;
    return hash ^ hash >>> 16;
  }
}
