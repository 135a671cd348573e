package dev.assay.history;

import java.util.List;

/**
 * The keys of a history, numbered densely from 0.
 *
 * <p>Integer keys from a range not much larger than the history are numbered by their rank among
 * the keys in use: one bit a key and a count every 32 bits, small enough to stay in cache where a
 * hash table of 40 million keys would miss it on every operation. Sparse integers and all other
 * keys go through a hash table.
 */
public final class Keys {
  /** Maximum number of bits per operation for which ranks pay off. */
  private static final int MAX_BITS_PER_OPERATION = 64;

  /** Up to this many words of bits a table of all numbers fits into a near cache. */
  private static final int FEW_WORDS = 1 << 12;

  private final RawScalars dictionary;

  /**
   * Integers in use from {@link #base}, 32 at a time: the number of those before in the upper half,
   * a bit for each in the lower. Numbering a key takes one memory access. Empty when integers are
   * hashed like the rest.
   */
  private final long[] blocks;

  private final long base;

  private final int ranked;

  /** The numbers of all integers from {@link #base} where these are few, or null. */
  private final int[] numbers;

  private final LongIndex hashed = new LongIndex();

  private Keys(RawScalars dictionary, long base, long[] used, boolean tabled) {
    this.dictionary = dictionary;
    this.base = base;
    this.blocks = new long[2 * used.length];
    int rank = 0;
    for (int block = 0; block < blocks.length; block++) {
      long bits = (used[block >>> 1] >>> (32 * (block & 1))) & 0xFFFFFFFFL;
      blocks[block] = ((long) rank << 32) | bits;
      rank += Long.bitCount(bits);
    }
    this.ranked = rank;
    this.numbers = tabled ? numbers() : null;
  }

  private int[] numbers() {
    int[] result = new int[32 * blocks.length];
    for (int bit = 0; bit < result.length; bit++) {
      result[bit] = rank(base + bit);
    }
    return result;
  }

  /** Number of distinct keys. */
  public int count() {
    return ranked + hashed.size();
  }

  /** The key itself. */
  public Object get(int id) {
    return dictionary.get(raw(id));
  }

  /** The key in readable form. */
  public String text(int id) {
    Object key = get(id);
    return key == null ? "nil" : key.toString();
  }

  private long raw(int id) {
    return id < ranked ? base + select(id) : hashed.get(id - ranked);
  }

  private boolean isRanked(long raw) {
    return RawScalars.isInteger(raw) && raw >= base && raw - base < 32L * blocks.length;
  }

  private int rank(long raw) {
    int bit = (int) (raw - base);
    long block = blocks[(int) ((raw - base) >>> 5)];
    return (int) (block >>> 32) + Integer.bitCount((int) block & ((1 << bit) - 1));
  }

  /** The position of the bit with this rank. */
  private long select(int rank) {
    int low = 0;
    int high = blocks.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if ((int) (blocks[middle] >>> 32) <= rank) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int bits = (int) blocks[low];
    for (int i = (int) (blocks[low] >>> 32); i < rank; i++) {
      bits &= bits - 1;
    }
    return 32L * low + Integer.numberOfTrailingZeros(bits);
  }

  /** The number of a key, as {@link #get} gives it, or −1. */
  int find(Object key) {
    if (key instanceof Long integer && RawScalars.isInteger(integer)) {
      return find((long) integer);
    }
    int index = key == null ? 0 : dictionary.find(key);
    return index < 0 ? -1 : find(Long.MIN_VALUE + index);
  }

  /** The number of a key by its raw scalar, or −1. */
  int find(long raw) {
    if (isRanked(raw)) {
      long bit = raw - base;
      return (blocks[(int) (bit >>> 5)] >>> (bit & 31) & 1) == 0 ? -1 : rank(raw);
    }
    int index = hashed.find(raw);
    return index < 0 ? -1 : ranked + index;
  }

  /** The number of a key that was {@linkplain Collector collected}; hashed keys are added. */
  int number(long raw) {
    return isRanked(raw) ? rank(raw) : ranked + hashed.indexOf(raw);
  }

  /** The numbers of some keys that were collected, none of them wider than an int. */
  void number(int[] raw, int from, int to, int[] result, int destination) {
    int shift = destination - from;
    if (numbers == null) {
      for (int i = from; i < to; i++) {
        result[i + shift] = number(raw[i]);
      }
      return;
    }
    int[] table = numbers;
    long first = base;
    // All integers were marked, and what is not wider than an int is an integer.
    for (int i = from; i < to; i++) {
      result[i + shift] = table[(int) (raw[i] - first)];
    }
  }

  /** First pass over the keys of a history: chooses between ranks and hashing. */
  static final class Collector {
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private boolean objects;
    private long[] used = new long[0];
    private boolean tabled;

    void observe(OpBuffer buffer) {
      int[] narrow = buffer.hasPredicates() ? null : buffer.narrowKeys();
      int size = buffer.size();
      if (narrow == null) {
        for (int i = 0; i < size; i++) {
          if (!buffer.kind(i).isPredicate()) {
            observe(buffer.key(i));
          }
        }
        return;
      }
      int low = Integer.MAX_VALUE;
      int high = Integer.MIN_VALUE;
      for (int i = 0; i < size; i++) {
        int key = narrow[i];
        if (key < low) {
          low = key;
        }
        if (key > high) {
          high = key;
        }
      }
      if (size > 0) {
        min = Math.min(min, low);
        max = Math.max(max, high);
      }
    }

    private void observe(long raw) {
      if (RawScalars.isInteger(raw)) {
        min = Math.min(min, raw);
        max = Math.max(max, raw);
      } else {
        objects = true;
      }
    }

    Collector merged(Collector other) {
      Collector both = new Collector();
      both.min = Math.min(min, other.min);
      both.max = Math.max(max, other.max);
      both.objects = objects || other.objects;
      return both;
    }

    /** Whether every key is an integer from a range that {@link #mark} can record. */
    boolean allRanked() {
      return used.length > 0 && !objects;
    }

    /** Ends the first pass; true when the integers are dense enough to be {@link #mark}ed. */
    boolean prepareRanks(long operations) {
      if (min > max) {
        return false;
      }
      // max - min may overflow; then it is negative, and far too wide as well.
      long width = max - min + 1;
      if (width <= 0 || width > Math.max(operations, 1 << 14) * MAX_BITS_PER_OPERATION) {
        return false;
      }
      used = new long[Math.toIntExact((width + 63) >>> 6)];
      tabled = used.length <= FEW_WORDS && width <= operations;
      return true;
    }

    /**
     * Second pass, when {@link #prepareRanks} said so, for several threads at once. If there are
     * few bits, each thread marks separate ones for a share of the buffers. If there are many, each
     * marks a part of the range and scans every key, which costs less than one atomic operation per
     * key.
     */
    void mark(List<OpBuffer> buffers, int part, int parts) {
      if (used.length > FEW_WORDS) {
        int from = (int) ((long) used.length * part / parts);
        int to = (int) ((long) used.length * (part + 1) / parts);
        buffers.forEach(buffer -> mark(buffer, used, from, to));
        return;
      }
      long[] own = new long[used.length];
      for (int i = part; i < buffers.size(); i += parts) {
        mark(buffers.get(i), own, 0, own.length);
      }
      synchronized (this) {
        for (int word = 0; word < own.length; word++) {
          used[word] |= own[word];
        }
      }
    }

    private void mark(OpBuffer buffer, long[] words, int from, int to) {
      int[] narrow = buffer.hasPredicates() ? null : buffer.narrowKeys();
      long base = min;
      int size = buffer.size();
      if (narrow == null) {
        for (int i = 0; i < size; i++) {
          if (!buffer.kind(i).isPredicate() && RawScalars.isInteger(buffer.key(i))) {
            mark(buffer.key(i) - base, words, from, to);
          }
        }
        return;
      }
      for (int i = 0; i < size; i++) {
        mark(narrow[i] - base, words, from, to);
      }
    }

    private static void mark(long bit, long[] words, int from, int to) {
      int word = (int) (bit >>> 6);
      if (word >= from && word < to) {
        words[word] |= 1L << bit;
      }
    }

    Keys finish(RawScalars dictionary) {
      return new Keys(dictionary, used.length == 0 ? 0 : min, used, tabled);
    }
  }
}
