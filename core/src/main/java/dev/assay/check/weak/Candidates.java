package dev.assay.check.weak;

import java.util.Arrays;

/**
 * Reads whose order with other writers may be forced: for each the reader's rank, the source, the
 * key and the ranks of the writers between source and reader. The writers of a key are stored once
 * for all its reads.
 */
final class Candidates {
  private static final int FIELDS = 5;

  private int[] reads;
  private int size;
  private int[] writers;
  private int writerCount;

  Candidates() {
    this(8 * FIELDS, 64);
  }

  private Candidates(int readRoom, int writerRoom) {
    reads = new int[readRoom];
    writers = new int[writerRoom];
  }

  /** Moves what was added to a copy of minimal size; this one is empty afterwards. */
  Candidates taken() {
    Candidates copy = new Candidates(size * FIELDS, writerCount);
    System.arraycopy(reads, 0, copy.reads, 0, size * FIELDS);
    System.arraycopy(writers, 0, copy.writers, 0, writerCount);
    copy.size = size;
    copy.writerCount = writerCount;
    size = 0;
    writerCount = 0;
    return copy;
  }

  /** Begins a key; {@link #add} refers to its writers by their places among these. */
  void begin(int[] ranks, int count) {
    if (writerCount + count > writers.length) {
      int capacity = Math.addExact(writerCount + count, (writerCount + count) >>> 1);
      writers = Arrays.copyOf(writers, capacity);
    }
    System.arraycopy(ranks, 0, writers, writerCount, count);
    writerCount += count;
  }

  /** Adds a read of the key begun last, which has {@code count} writers. */
  void add(int reader, int source, int key, int firstWriter, int endWriter, int count) {
    if ((size + 1) * FIELDS > reads.length) {
      reads = Arrays.copyOf(reads, Math.addExact(reads.length, reads.length));
    }
    int at = size++ * FIELDS;
    int base = writerCount - count;
    reads[at] = reader;
    reads[at + 1] = source;
    reads[at + 2] = key;
    reads[at + 3] = base + firstWriter;
    reads[at + 4] = base + endWriter;
  }

  int size() {
    return size;
  }

  /** The rank of the reader. */
  int reader(int read) {
    return reads[read * FIELDS];
  }

  /** The transaction read from, or {@link dev.assay.resolve.ReadsFrom#INITIAL}. */
  int source(int read) {
    return reads[read * FIELDS + 1];
  }

  int key(int read) {
    return reads[read * FIELDS + 2];
  }

  /** The candidates of a read are the writers at these places. */
  int firstWriter(int read) {
    return reads[read * FIELDS + 3];
  }

  int endWriter(int read) {
    return reads[read * FIELDS + 4];
  }

  /** The number of places of writers, over all keys. */
  int writers() {
    return writerCount;
  }

  /** The rank of a writer. */
  int writer(int place) {
    return writers[place];
  }
}
