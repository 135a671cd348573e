package dev.assay.history;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Scalars as {@code long}s while a history is being read: an integer stands for itself, anything
 * else for its place in a dictionary. Turning an integer into a raw scalar therefore costs nothing
 * and needs no lock, which is what lets readers parse blocks in parallel.
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

  private final Map<Object, Integer> indexes = new HashMap<>();
  private final List<Object> entries = new ArrayList<>();

  public RawScalars() {
    entries.add(null);
    entries.add(Unknown.INSTANCE);
  }

  private enum Unknown {
    INSTANCE
  }

  /** Whether this raw scalar stands for itself. */
  public static boolean isInteger(long raw) {
    return raw >= FIRST_INTEGER;
  }

  /** The raw scalar of an integer. */
  public long of(long integer) {
    return integer >= FIRST_INTEGER ? integer : intern(integer);
  }

  /**
   * The raw scalar of any supported value: null, Boolean, Integer, Long, BigInteger, Double,
   * BigDecimal, String, {@link Keyword}, or a List of these. Integers of any Java type are equal
   * when their values are.
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
    throw new IllegalArgumentException("not a scalar: " + value.getClass().getName());
  }

  /** The raw scalar of a list of integers. */
  public long ofVector(long[] integers, int size) {
    return intern(new IntegerVector(integers, size));
  }

  /**
   * Number of dictionary entries, {@link #NIL} and {@link #UNKNOWN} included: the entries are the
   * raw scalars from {@link Long#MIN_VALUE} to before {@code Long.MIN_VALUE + size()}.
   */
  public int size() {
    return entries.size();
  }

  /** What this raw scalar stands for; null for {@link #NIL}. */
  public Object get(long raw) {
    return isInteger(raw) ? Long.valueOf(raw) : entries.get(dictionaryIndex(raw));
  }

  static int dictionaryIndex(long raw) {
    return (int) (raw - Long.MIN_VALUE);
  }

  /** Synchronized because parallel readers meet the odd scalar that is no plain integer. */
  private synchronized long intern(Object value) {
    Integer index = indexes.get(value);
    if (index == null) {
      index = entries.size();
      entries.add(value);
      indexes.put(value, index);
    }
    return Long.MIN_VALUE + index;
  }

  /** The place of a value in the dictionary, or −1; not for use while others add to it. */
  int find(Object value) {
    return indexes.getOrDefault(value instanceof List<?> list ? canonical(list) : value, -1);
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
