package dev.assay.history;

import java.util.Arrays;

/**
 * The keys of a history, numbered densely from 0.
 *
 * <p>Integer keys from a range not much larger than the history are numbered by their rank among
 * the keys in use: one bit a key and a count every 512 bits, small enough to stay in cache where a
 * hash table of 40 million keys would miss it on every operation. Sparse integers and all other
 * keys go through a hash table.
 */
public final class Keys {
  /** Ranks are worth it up to this many bits an operation. */
  private static final int MAX_BITS_PER_OPERATION = 64;

  private static final int WORDS_PER_BLOCK = 8;

  private final RawScalars dictionary;

  /** Integers in use, as bits from {@link #base}; empty when integers are hashed like the rest. */
  private final long[] used;

  private final long base;

  /** Number of keys in use below each block of {@link #WORDS_PER_BLOCK} words. */
  private final int[] ranks;

  private final int ranked;
  private final LongIndex hashed = new LongIndex();

  private Keys(RawScalars dictionary, long base, long[] used) {
    this.dictionary = dictionary;
    this.base = base;
    this.used = used;
    this.ranks = new int[(used.length + WORDS_PER_BLOCK - 1) / WORDS_PER_BLOCK];
    int rank = 0;
    for (int word = 0; word < used.length; word++) {
      if (word % WORDS_PER_BLOCK == 0) {
        ranks[word / WORDS_PER_BLOCK] = rank;
      }
      rank += Long.bitCount(used[word]);
    }
    this.ranked = rank;
  }

  /** Number of distinct keys. */
  public int count() {
    return ranked + hashed.size();
  }

  /** The key itself. */
  public Object get(int id) {
    return dictionary.get(raw(id));
  }

  /** The key as people write it. */
  public String text(int id) {
    Object key = get(id);
    return key == null ? "nil" : key.toString();
  }

  private long raw(int id) {
    return id < ranked ? base + select(id) : hashed.get(id - ranked);
  }

  private boolean isRanked(long raw) {
    return RawScalars.isInteger(raw) && raw >= base && raw - base < 64L * used.length;
  }

  private int rank(long raw) {
    long bit = raw - base;
    int word = (int) (bit >>> 6);
    int rank = ranks[word / WORDS_PER_BLOCK];
    for (int i = word & -WORDS_PER_BLOCK; i < word; i++) {
      rank += Long.bitCount(used[i]);
    }
    return rank + Long.bitCount(used[word] & ((1L << bit) - 1));
  }

  /** The position of the bit with this rank. */
  private long select(int rank) {
    int block = Arrays.binarySearch(ranks, rank);
    block = block < 0 ? -block - 2 : block;
    while (block + 1 < ranks.length && ranks[block + 1] == rank) {
      block++;
    }
    int word = block * WORDS_PER_BLOCK;
    int left = rank - ranks[block];
    while (left >= Long.bitCount(used[word])) {
      left -= Long.bitCount(used[word++]);
    }
    long bits = used[word];
    for (int i = 0; i < left; i++) {
      bits &= bits - 1;
    }
    return 64L * word + Long.numberOfTrailingZeros(bits);
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
      return (used[(int) (bit >>> 6)] >>> bit & 1) == 0 ? -1 : rank(raw);
    }
    int index = hashed.find(raw);
    return index < 0 ? -1 : ranked + index;
  }

  /** The number of a key that was {@linkplain Collector collected}; hashed keys are added. */
  int number(long raw) {
    return isRanked(raw) ? rank(raw) : ranked + hashed.indexOf(raw);
  }

  /** First pass over the keys of a history: chooses between ranks and hashing. */
  static final class Collector {
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private boolean objects;
    private long[] used = new long[0];

    void observe(long raw) {
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
      return true;
    }

    /**
     * Second pass, when {@link #prepareRanks} said so. Marks the keys of one part of the range, so
     * that several threads may mark different parts: each looks at every key, which costs less than
     * one atomic operation a key.
     */
    void mark(OpBuffer buffer, int part, int parts) {
      int from = (int) ((long) used.length * part / parts);
      int to = (int) ((long) used.length * (part + 1) / parts);
      int[] narrow = buffer.hasPredicates() ? null : buffer.narrowKeys();
      if (narrow == null) {
        for (int i = 0; i < buffer.size(); i++) {
          if (!buffer.kind(i).isPredicate()) {
            mark(buffer.key(i), from, to);
          }
        }
        return;
      }
      long[] words = used;
      long base = min;
      int size = buffer.size();
      for (int i = 0; i < size; i++) {
        long bit = narrow[i] - base;
        int word = (int) (bit >>> 6);
        if (word >= from && word < to) {
          words[word] |= 1L << bit;
        }
      }
    }

    /** Marks the key of a row. */
    void mark(long raw) {
      mark(raw, 0, used.length);
    }

    private void mark(long raw, int from, int to) {
      if (RawScalars.isInteger(raw)) {
        long bit = raw - min;
        int word = (int) (bit >>> 6);
        if (word >= from && word < to) {
          used[word] |= 1L << bit;
        }
      }
    }

    Keys finish(RawScalars dictionary) {
      return new Keys(dictionary, used.length == 0 ? 0 : min, used);
    }
  }
}
