package dev.assay.history;

import java.util.Arrays;

/**
 * A growing run of operations in program order, as a reader produces them. Keys and values are
 * {@linkplain RawScalars raw scalars}, kept as ints until one needs more. A parallel reader fills
 * one buffer per block of its file and hands the buffers over in file order.
 */
public final class OpBuffer {
  private static final int FIRST_CAPACITY = 1 << 6;
  private static final int READ = OpKind.READ.ordinal();
  private static final int WRITE = OpKind.WRITE.ordinal();

  private int size;

  /** Whether every value is its own code, so that coding them needs no shared table. */
  private boolean smallValues = true;

  private boolean predicates;
  private byte[] kinds;
  private RawColumn keys;
  private RawColumn values;

  public OpBuffer() {
    this(FIRST_CAPACITY);
  }

  public OpBuffer(int capacity) {
    kinds = new byte[capacity];
    keys = new RawColumn(capacity);
    values = new RawColumn(capacity);
  }

  public int size() {
    return size;
  }

  /** Adds an operation; {@code value} is a raw scalar, or an id for kinds that hold ids. */
  public void add(OpKind kind, long key, long value) {
    if (size == kinds.length) {
      resize(Math.addExact(size, Math.max(size >>> 1, FIRST_CAPACITY)));
    }
    kinds[size] = (byte) kind.ordinal();
    keys.set(size, key);
    values.set(size, value);
    smallValues &= Values.isSmall(value);
    predicates |= kind.isPredicate();
    size++;
  }

  /** Adds a read or write of a register, with little to do where key and value are small. */
  public void addRegister(boolean write, long key, long value) {
    boolean narrow =
        size < kinds.length
            && key == (int) key
            && Values.isSmall(value)
            && keys.narrow != null
            && values.narrow != null;
    if (!narrow) {
      add(write ? OpKind.WRITE : OpKind.READ, key, value);
      return;
    }
    kinds[size] = (byte) (write ? WRITE : READ);
    keys.narrow[size] = (int) key;
    values.narrow[size++] = (int) value;
  }

  /** Releases unused memory of a complete buffer that is kept for long. */
  public void trim() {
    if (size < kinds.length - (kinds.length >>> 3)) {
      resize(size);
    }
  }

  /** Replaces the value of an operation already added. */
  public void setValue(int index, long value) {
    values.set(index, value);
    smallValues &= Values.isSmall(value);
  }

  /** Replaces the key of an operation already added. */
  public void setKey(int index, long key) {
    keys.set(index, key);
  }

  private void resize(int capacity) {
    kinds = Arrays.copyOf(kinds, capacity);
    keys.resize(capacity);
    values.resize(capacity);
  }

  public OpKind kind(int index) {
    return OpKind.of(kinds[index]);
  }

  public long key(int index) {
    return keys.get(index);
  }

  public long value(int index) {
    return values.get(index);
  }

  boolean hasSmallValues() {
    return smallValues;
  }

  /** Whether some operations have no key. */
  boolean hasPredicates() {
    return predicates;
  }

  /** The keys as ints, or null when some need more. */
  int[] narrowKeys() {
    return keys.narrow;
  }

  /** The values as ints, or null when some need more. */
  int[] narrowValues() {
    return values.narrow;
  }

  byte[] kinds() {
    return kinds;
  }

  /** A column of longs that takes four bytes an entry as long as it can. */
  private static final class RawColumn {
    private int[] narrow;
    private long[] wide;

    RawColumn(int capacity) {
      narrow = new int[capacity];
    }

    void resize(int capacity) {
      if (wide != null) {
        wide = Arrays.copyOf(wide, capacity);
      } else {
        narrow = Arrays.copyOf(narrow, capacity);
      }
    }

    long get(int index) {
      return wide != null ? wide[index] : narrow[index];
    }

    void set(int index, long value) {
      if (wide == null) {
        if (value == (int) value) {
          narrow[index] = (int) value;
          return;
        }
        widen();
      }
      wide[index] = value;
    }

    private void widen() {
      wide = new long[narrow.length];
      for (int i = 0; i < narrow.length; i++) {
        wide[i] = narrow[i];
      }
      narrow = null;
    }
  }
}
