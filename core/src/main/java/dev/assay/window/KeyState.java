package dev.assay.window;

import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.Map;

/**
 * What is carried over the last cut of one key: the version that reads after the cut see, and who
 * wrote it. Values are raw scalars of the engine.
 */
final class KeyState {
  final int number;
  final Object key;

  /** The type of its operations; null before the first. */
  OpKind.Type type;

  /** The value that a register has, and its writer; null while it has its initial value. */
  long value;

  Writer writer;

  /** The elements that a list or set has. */
  long[] elements = new long[0];

  int size;

  /** The elements of a set, to be looked up; null for lists. */
  private LongIndex members;

  /** The first past window in which it was written, or −1. */
  int firstWindow = -1;

  /** What was written to it before the cut, by whatever transaction. */
  final ValueRanges written = new ValueRanges();

  /** The first past window after which some value may have more than one writer, or −1. */
  int ambiguousSince = -1;

  /** The initial value that the source declares for this key; null if it declares none. */
  final Object declared;

  KeyState(int number, Object key, Object declared) {
    this.number = number;
    this.key = key;
    this.declared = declared;
  }

  /**
   * A transaction before the cut, as far as transactions after it can see it.
   *
   * @param number its place among all that were accepted
   * @param places the places in it of its last writes, by key
   */
  record Writer(
      Object session,
      Object id,
      long number,
      boolean committed,
      long start,
      long end,
      long position,
      int file,
      Map<Object, Integer> places) {}

  boolean isWritten() {
    return writer != null || size > 0;
  }

  void append(long element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, Math.max(8, size * 2));
    }
    elements[size++] = element;
    if (members != null) {
      members.indexOf(element);
    }
  }

  /** Goes back to the first elements. */
  void truncate(int length) {
    size = length;
    members = null;
  }

  /** Whether a set has an element. */
  boolean has(long element) {
    return placeOf(element) >= 0;
  }

  /** The place of an element, or −1. */
  int placeOf(long element) {
    if (members == null) {
      members = new LongIndex();
      for (int i = 0; i < size; i++) {
        members.indexOf(elements[i]);
      }
    }
    return members.find(element);
  }
}
