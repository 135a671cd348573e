package dev.assay.check.weak;

import java.util.Arrays;

/**
 * The candidates of a read that precede its reader, found by the marks of a batch. The marks of
 * consecutive writers are summed up on first use, so that a read with many candidates of which none
 * precedes it skips most of them.
 */
final class MarkedWriters {
  /** Number of writers whose marks are summed up. */
  private static final int BLOCK = 64;

  private final Candidates part;
  private final long[] marks;

  /** For each block the marks of all its writers, if computed for the current batch. */
  private long[] sums = new long[0];

  private int[] computedFor = new int[0];
  private int batch;

  // The current read.
  private long mark;
  private int first;
  private int end;
  private int at;
  private boolean backward;
  private int examined;

  /**
   * Prepares.
   *
   * @param marks for each rank the marks of the readers that it precedes
   */
  MarkedWriters(Candidates part, long[] marks) {
    this.part = part;
    this.marks = marks;
  }

  Candidates part() {
    return part;
  }

  /** Forgets sums: the marks have changed. */
  void reset() {
    batch++;
  }

  /** Starts with the first or the last candidate of a read. */
  void start(int read, long readerMark, boolean fromLast) {
    mark = readerMark;
    first = part.firstWriter(read);
    end = part.endWriter(read);
    backward = fromLast;
    at = backward ? end - 1 : first;
    examined = 0;
  }

  /** The next candidate that precedes the reader, or −1. */
  int next() {
    while (at >= first && at < end) {
      examined++;
      if (end - first > BLOCK && isAtEdge() && (sum(at / BLOCK) & mark) == 0) {
        at += backward ? -BLOCK : BLOCK;
        continue;
      }
      int candidate = at;
      at += backward ? -1 : 1;
      if ((marks[part.writer(candidate)] & mark) != 0) {
        return candidate;
      }
    }
    return -1;
  }

  /** The number of candidates examined for this read. */
  int examined() {
    return examined;
  }

  /** Whether a block begins here. */
  private boolean isAtEdge() {
    return at % BLOCK == (backward ? BLOCK - 1 : 0);
  }

  private long sum(int block) {
    if (block >= sums.length) {
      sums = Arrays.copyOf(sums, Math.max(block + 1, 2 * sums.length));
      computedFor = Arrays.copyOf(computedFor, sums.length);
    }
    if (computedFor[block] != batch) {
      computedFor[block] = batch;
      long sum = 0;
      int to = Math.min((block + 1) * BLOCK, part.writers());
      for (int w = block * BLOCK; w < to; w++) {
        sum |= marks[part.writer(w)];
      }
      sums[block] = sum;
    }
    return sums[block];
  }
}
