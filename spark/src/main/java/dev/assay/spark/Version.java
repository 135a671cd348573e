package dev.assay.spark;

import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * What is known of one value of one register: who wrote it, and who read it. Those of parts of the
 * history can be added up, in any order.
 */
final class Version extends Access {
  private static final long serialVersionUID = 1;
  private static final int[] NONE = {};

  // How it was written.
  static final int COMMITTED = 1;
  static final int INDETERMINATE = 2;
  static final int ABORTED = 4;

  /** By a transaction that wrote the key again. */
  static final int INTERMEDIATE = 8;

  /** The value is the initial one of its key. */
  static final int INITIAL = 16;

  int flags;

  /** The number of writes, and the positions of the first and the last. */
  int writes;

  long firstWrite = Long.MAX_VALUE;
  long lastWrite = START;

  /** Positions of the first and the last read, and of the first by a committed transaction. */
  long firstRead = Long.MAX_VALUE;

  long lastRead = START;
  long firstCertainRead = Long.MAX_VALUE;

  /** The buckets that its reads are in, sorted. */
  int[] readIn = NONE;

  /** The {@link Writer}, as bytes. */
  byte[] writer;

  void write(long position, int how, byte[] by) {
    flags |= how;
    writes++;
    firstWrite = Math.min(firstWrite, position);
    lastWrite = Math.max(lastWrite, position);
    writer = by;
  }

  void read(long position, int bucket, boolean committed) {
    firstRead = Math.min(firstRead, position);
    lastRead = Math.max(lastRead, position);
    if (committed) {
      firstCertainRead = Math.min(firstCertainRead, position);
    }
    if (readIn.length == 0 || readIn[readIn.length - 1] != bucket) {
      readIn = merged(readIn, new int[] {bucket});
    }
  }

  @Override
  Access and(Access others) {
    Version other = (Version) others;
    flags |= other.flags;
    writes += other.writes;
    firstWrite = Math.min(firstWrite, other.firstWrite);
    lastWrite = Math.max(lastWrite, other.lastWrite);
    firstRead = Math.min(firstRead, other.firstRead);
    lastRead = Math.max(lastRead, other.lastRead);
    firstCertainRead = Math.min(firstCertainRead, other.firstCertainRead);
    readIn = merged(readIn, other.readIn);
    writer = writer == null ? other.writer : writer;
    return this;
  }

  private static int[] merged(int[] one, int[] other) {
    if (one.length == 0 || other.length == 0) {
      return one.length == 0 ? other : one;
    }
    int[] all = new int[one.length + other.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < one.length || j < other.length) {
      boolean first = j == other.length || i < one.length && one[i] <= other[j];
      int next = first ? one[i++] : other[j++];
      if (size == 0 || all[size - 1] != next) {
        all[size++] = next;
      }
    }
    return Arrays.copyOf(all, size);
  }

  private boolean is(int flag) {
    return (flags & flag) != 0;
  }

  boolean isRead() {
    return lastRead != START;
  }

  /** Whether it is the initial version, which no transaction wrote. */
  boolean isInitial() {
    return is(INITIAL) && writes == 0;
  }

  /** Whether reads after a cut may see it: a final write of one transaction that counts. */
  boolean canBeCarried() {
    return writes == 1 && (flags == COMMITTED || flags == INDETERMINATE && isCertain());
  }

  /** Whether a committed transaction read it, so that its writer counts. */
  private boolean isCertain() {
    return firstCertainRead != Long.MAX_VALUE;
  }

  /** Whether it may be a version that others follow. */
  boolean mayCount() {
    return writes > 0 && (is(COMMITTED) || is(INDETERMINATE));
  }

  @Override
  void keepTogether(BiConsumer<Long, Long> keep) {
    long first = Math.min(firstWrite, firstRead);
    long last = Math.max(lastWrite, lastRead);
    if (writes == 0) {
      return;
    }
    if (is(INITIAL)) {
      // Whether it loads the initial state is decided by what comes first of all.
      keep.accept(START, last);
    } else if (writes > 1 || isRead() && (is(ABORTED) || is(INTERMEDIATE))) {
      keep.accept(first, last);
    } else if (isRead() && is(INDETERMINATE)) {
      // Whether the writer counts must show where it is.
      keep.accept(first, Math.max(isCertain() ? firstCertainRead : lastRead, lastWrite));
    } else if (isRead() && first < firstWrite) {
      keep.accept(first, firstWrite);
    }
  }
}
