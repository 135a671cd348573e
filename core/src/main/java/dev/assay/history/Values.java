package dev.assay.history;

import java.util.Arrays;

/**
 * The values of a history as {@code int} codes: two values of one history are equal exactly when
 * their codes are. Integers from −2³⁰ to 2³⁰−1 are their own code, so the common case costs no
 * table; wider integers and all other scalars are numbered above that.
 */
public final class Values {
  /** The initial value, {@code nil} or {@code null}. */
  public static final int NIL = Integer.MIN_VALUE;

  /** The value of a read whose result the client never saw. */
  public static final int UNKNOWN = Integer.MIN_VALUE + 1;

  private static final int SMALL_LIMIT = 1 << 30;
  private static final int FIRST_WIDE = SMALL_LIMIT;
  private static final int FIRST_OBJECT = SMALL_LIMIT + (SMALL_LIMIT >>> 1);

  private final RawScalars dictionary;
  private final LongIndex wide;

  Values(RawScalars dictionary) {
    this.dictionary = dictionary;
    this.wide = new LongIndex();
  }

  /** Whether a raw scalar has a code that needs no table. */
  static boolean isSmall(long raw) {
    return raw >= -SMALL_LIMIT && raw < SMALL_LIMIT;
  }

  /** The code of a raw scalar; numbers it when it is new. Not for use once the history is built. */
  int code(long raw) {
    if (isSmall(raw)) {
      return (int) raw;
    }
    if (RawScalars.isInteger(raw)) {
      int index = wide.indexOf(raw);
      if (index >= FIRST_OBJECT - FIRST_WIDE) {
        throw new IllegalStateException("more than 2^29 distinct integers beyond 2^30");
      }
      return FIRST_WIDE + index;
    }
    int index = RawScalars.dictionaryIndex(raw);
    return index < 2 ? NIL + index : FIRST_OBJECT + index;
  }

  /** The code of an integer, or {@link #UNKNOWN} where the history does not have it. */
  public int find(long integer) {
    if (isSmall(integer)) {
      return (int) integer;
    }
    if (!RawScalars.isInteger(integer)) {
      return object(dictionary.find(integer));
    }
    int index = wide.find(integer);
    return index < 0 ? UNKNOWN : FIRST_WIDE + index;
  }

  /** The code of a value, as {@link #get} gives it, or {@link #UNKNOWN}. */
  public int find(Object value) {
    if (value == null) {
      return NIL;
    }
    return value instanceof Long integer ? find((long) integer) : object(dictionary.find(value));
  }

  /** The code of a list of integers, or {@link #UNKNOWN}. */
  public int find(long[] vector, int size) {
    return object(dictionary.find(new IntegerVector(vector, size)));
  }

  private static int object(int index) {
    return index < 0 ? UNKNOWN : FIRST_OBJECT + index;
  }

  /** The value of this code: null for {@link #NIL}, a Long for any integer that fits. */
  public Object get(int code) {
    if (code == NIL) {
      return null;
    }
    if (code == UNKNOWN) {
      throw new IllegalArgumentException("an unknown value has no representation");
    }
    if (code < FIRST_WIDE) {
      return (long) code;
    }
    if (code < FIRST_OBJECT) {
      return wide.get(code - FIRST_WIDE);
    }
    return dictionary.get(Long.MIN_VALUE + (code - FIRST_OBJECT));
  }

  /** Whether this is the result of a read that is known only not to be a value. */
  public boolean isOther(int code) {
    return code >= FIRST_OBJECT && get(code) instanceof OtherThan;
  }

  boolean anyOther(int[] codes) {
    return Arrays.stream(codes).anyMatch(this::isOther);
  }

  /**
   * The code of the value that a result of {@link #isOther} is not; {@link #UNKNOWN} for one that
   * nothing read or wrote.
   */
  public int excluded(int code) {
    return find(((OtherThan) get(code)).value());
  }

  /** Whether a read with this result may have seen a value. */
  public boolean allows(int result, int value) {
    return isOther(result) ? excluded(result) != value : result == value;
  }

  /** Whether this is a value with the number of its version. */
  public boolean isVersioned(int code) {
    return code >= FIRST_OBJECT && get(code) instanceof Versioned;
  }

  /** The number of the version of a value that {@link #isVersioned}. */
  public long version(int code) {
    return ((Versioned) get(code)).version();
  }

  /**
   * The code of a value without the number of its version; {@link #UNKNOWN} where nothing reads or
   * writes it without one.
   */
  public int unversioned(int code) {
    return isVersioned(code) ? find(((Versioned) get(code)).value()) : code;
  }

  /** Whether two values are equal, where a number that only one of them has counts for nothing. */
  boolean mayBe(int a, int b) {
    if (a == b || a < FIRST_OBJECT && b < FIRST_OBJECT || isVersioned(a) == isVersioned(b)) {
      return a == b;
    }
    return isVersioned(a) ? unversioned(a) == b : a == unversioned(b);
  }

  /** Whether {@link #asLong} may be asked. */
  public boolean isInteger(int code) {
    if (code == NIL || code == UNKNOWN) {
      return false;
    }
    return code < FIRST_OBJECT || get(code) instanceof Long;
  }

  /** The integer with this code. */
  public long asLong(int code) {
    if (code < FIRST_WIDE && code > UNKNOWN) {
      return code;
    }
    return (Long) get(code);
  }

  /** The value in readable form: strings bare, nil as {@code nil}, unknown as {@code ?}. */
  public String text(int code) {
    if (code == UNKNOWN) {
      return "?";
    }
    Object value = get(code);
    return value == null ? "nil" : value.toString();
  }
}
