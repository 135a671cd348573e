package dev.assay.history;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** A compact list of integers, equal to any other list of the same integers. */
final class IntegerVector extends AbstractList<Object> implements RandomAccess {
  private final long[] integers;

  IntegerVector(long[] integers, int size) {
    this.integers = Arrays.copyOf(integers, size);
  }

  int scalarHash() {
    return ScalarHash.of(integers, integers.length);
  }

  boolean consistsOf(long[] others, int size) {
    return Arrays.equals(integers, 0, integers.length, others, 0, size);
  }

  /** The same as a list, or null if that has anything else in it. */
  static IntegerVector of(List<Object> list) {
    long[] integers = new long[list.size()];
    for (int i = 0; i < integers.length; i++) {
      if (!(list.get(i) instanceof Long integer)) {
        return null;
      }
      integers[i] = integer;
    }
    return new IntegerVector(integers, integers.length);
  }

  @Override
  public Object get(int index) {
    return integers[index];
  }

  @Override
  public int size() {
    return integers.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IntegerVector vector
        ? Arrays.equals(integers, vector.integers)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    // The same as for a list of Longs.
    return Arrays.hashCode(integers);
  }
}
