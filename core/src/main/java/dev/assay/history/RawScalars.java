package dev.assay.history;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Scalars as {@code long}s while a history is being read: an integer is itself, anything else its
 * place in a dictionary. Turning an integer into a raw scalar therefore costs nothing and needs no
 * lock, which is what lets readers parse blocks in parallel.
 *
 * <p>Dictionary entries are the {@code long}s from {@link Long#MIN_VALUE} up; the 2³¹ integers that
 * would collide with them are dictionary entries themselves.
 */
public final class RawScalars {
  /** The initial value, {@code nil} or {@code null}. */
  public static final long NIL = Long.MIN_VALUE;

  /** The value of a read whose result the client never saw. */
  public static final long UNKNOWN = Long.MIN_VALUE + 1;

  private static final long FIRST_INTEGER = Long.MIN_VALUE + (1L << 31);
  private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private static final int EMPTY = 0;

  /** An open-addressing table of the entries from the third on; the first two are never sought. */
  private int[] slots = new int[16];

  private int[] hashes = new int[8];
  private Object[] entries = new Object[8];
  private int size;
  private volatile boolean others;
  private volatile boolean versions;

  public RawScalars() {
    append(null, 0);
    append(Unknown.INSTANCE, 0);
  }

  private enum Unknown {
    INSTANCE
  }

  /** Whether this raw scalar is an integer itself rather than a dictionary entry. */
  public static boolean isInteger(long raw) {
    return raw >= FIRST_INTEGER;
  }

  /** The raw scalar of an integer. */
  public long of(long integer) {
    return integer >= FIRST_INTEGER ? integer : intern(integer);
  }

  /**
   * The raw scalar of any supported value: null, Boolean, Integer, Long, BigInteger, Double,
   * BigDecimal, String, {@link Keyword}, a List of these, {@link OtherThan} one of these, or one of
   * these {@link Versioned}. Integers of any Java type are equal when their values are.
   */
  public long of(Object value) {
    if (value == null) {
      return NIL;
    }
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return of(((Number) value).longValue());
    }
    if (value instanceof BigInteger big) {
      return fitsLong(big) ? of(big.longValue()) : intern(big);
    }
    if (value instanceof Double
        || value instanceof BigDecimal
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Keyword) {
      return intern(value);
    }
    if (value instanceof List<?> list) {
      return intern(canonical(list));
    }
    if (value instanceof OtherThan other) {
      others = true;
      return intern(new OtherThan(canonical(other.value())));
    }
    if (value instanceof Versioned versioned) {
      versions = true;
      // The value alone gets a place too, so that it can be found.
      Object inner = get(of(versioned.value()));
      return intern(new Versioned(inner, versioned.version()));
    }
    throw new IllegalArgumentException("not a scalar: " + value.getClass().getName());
  }

  /** The raw scalar of a value of some history, without an object for integers. */
  public long of(Values values, int code) {
    return values.isInteger(code) ? of(values.asLong(code)) : of(values.get(code));
  }

  /** The raw scalar of a list of integers. */
  public synchronized long ofVector(long[] integers, int length) {
    int hash = ScalarHash.of(integers, length);
    int slot = first(hash);
    while (slots[slot] != EMPTY) {
      int index = slots[slot];
      boolean same =
          hashes[index] == hash
              && entries[index] instanceof IntegerVector vector
              && vector.consistsOf(integers, length);
      if (same) {
        return Long.MIN_VALUE + index;
      }
      slot = next(slot);
    }
    return Long.MIN_VALUE + enter(slot, new IntegerVector(integers, length), hash);
  }

  /**
   * Number of dictionary entries, {@link #NIL} and {@link #UNKNOWN} included: the entries are the
   * raw scalars from {@link Long#MIN_VALUE} to before {@code Long.MIN_VALUE + size()}.
   */
  public int size() {
    return size;
  }

  /** The value of this raw scalar; null for {@link #NIL}. */
  public Object get(long raw) {
    return isInteger(raw) ? Long.valueOf(raw) : entries[dictionaryIndex(raw)];
  }

  /** Says which special results are among the entries. */
  void describe(Columns columns) {
    columns.others = others;
    columns.versions = versions;
  }

  static int dictionaryIndex(long raw) {
    return (int) (raw - Long.MIN_VALUE);
  }

  /** Synchronized because parallel readers meet the odd scalar that is not a plain integer. */
  private synchronized long intern(Object value) {
    int hash = ScalarHash.of(value);
    int slot = slot(value, hash);
    return Long.MIN_VALUE + (slots[slot] == EMPTY ? enter(slot, value, hash) : slots[slot]);
  }

  /** The place of a value in the dictionary, or −1; not for use while others add to it. */
  int find(Object value) {
    Object sought = value instanceof List<?> list ? canonical(list) : value;
    int found = slots[slot(sought, ScalarHash.of(sought))];
    return found == EMPTY ? -1 : found;
  }

  /** Where in the table a value is, or would be. */
  private int slot(Object value, int hash) {
    int slot = first(hash);
    while (slots[slot] != EMPTY) {
      int index = slots[slot];
      if (hashes[index] == hash && entries[index].equals(value)) {
        break;
      }
      slot = next(slot);
    }
    return slot;
  }

  private int first(int hash) {
    return hash & (slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private int enter(int slot, Object value, int hash) {
    slots[slot] = size;
    append(value, hash);
    if (size > slots.length / 8 * 5) {
      slots = new int[Math.multiplyExact(slots.length, 2)];
      for (int index = 2; index < size; index++) {
        int free = first(hashes[index]);
        while (slots[free] != EMPTY) {
          free = next(free);
        }
        slots[free] = index;
      }
    }
    return size - 1;
  }

  private void append(Object value, int hash) {
    if (size == entries.length) {
      int capacity = Math.addExact(size, Math.max(size >>> 1, 8));
      entries = Arrays.copyOf(entries, capacity);
      hashes = Arrays.copyOf(hashes, capacity);
    }
    entries[size] = value;
    hashes[size++] = hash;
  }

  private static boolean fitsLong(BigInteger big) {
    return big.compareTo(LONG_MIN) >= 0 && big.compareTo(LONG_MAX) <= 0;
  }

  private static Object canonical(Object value) {
    if (value instanceof IntegerVector) {
      return value;
    }
    if (value instanceof Integer || value instanceof Short) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigInteger big && fitsLong(big)) {
      return big.longValue();
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>(list.size());
      for (Object element : list) {
        copy.add(canonical(element));
      }
      IntegerVector integers = IntegerVector.of(copy);
      return integers != null ? integers : Collections.unmodifiableList(copy);
    }
    return value;
  }
}
