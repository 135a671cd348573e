package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * What is known of one value of one register: who wrote it, and who read it. Those of parts of the
 * history can be added up, in any order.
 */
public final class Version extends Access {
  private static final int[] NONE = {};

  // What is known of it, beside the flags.
  private static final int WRITTEN = 1;
  private static final int READ = 2;
  private static final int CERTAIN = 4;

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

  public long firstWrite = Long.MAX_VALUE;
  long lastWrite = START;

  /** Positions of the first and the last read, and of the first by a committed transaction. */
  long firstRead = Long.MAX_VALUE;

  public long lastRead = START;
  long firstCertainRead = Long.MAX_VALUE;

  /** The buckets that its reads are in, sorted. */
  public int[] readIn = NONE;

  /** The {@link Writer}, as bytes. */
  public byte[] writer;

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
  public Access and(Access others) {
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

  public boolean isRead() {
    return lastRead != START;
  }

  /** Whether it is the initial version, which no transaction wrote. */
  boolean isInitial() {
    return is(INITIAL) && writes == 0;
  }

  /** Whether reads after a cut may see it: a final write of one transaction that counts. */
  public boolean canBeCarried() {
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
  void keepTogether(LongPairs.Taking keep) {
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

  @Override
  void events(LongPairs.Taking event) {
    if (isInitial()) {
      event.accept(START, lastRead);
    } else if (canBeCarried()) {
      event.accept(firstWrite, lastRead);
    } else if (mayCount()) {
      // Those who read it are with it already.
      event.accept(firstWrite, START);
      if (lastWrite > firstWrite) {
        event.accept(lastWrite, START);
      }
    } else {
      event.accept(START, START);
    }
  }

  @Override
  public List<Carried> carried(byte[] name, Cuts cuts) {
    if (!canBeCarried() || !isRead()) {
      return List.of();
    }
    int own = cuts.window(firstWrite);
    if (lastRead < cuts.end(own)) {
      return List.of();
    }
    List<Carried> carried = new ArrayList<>();
    carried.add(Carried.last(own, name));
    TreeSet<Integer> reading = new TreeSet<>();
    for (int bucket : readIn) {
      for (int w = cuts.firstWindow(bucket); w <= cuts.lastWindow(bucket); w++) {
        reading.add(w);
      }
    }
    // Windows that share a bucket with a reader are among them, too. Of all versions of a key at
    // most one is read after a clean cut, so none of them gets another one besides.
    for (int window : reading.tailSet(own, false)) {
      if (lastRead >= cuts.begin(window)) {
        carried.add(Carried.value(window, name, writer));
      }
    }
    return carried;
  }

  @Override
  void write(Output out) {
    int known = writes > 0 ? WRITTEN : 0;
    known |= isRead() ? READ : 0;
    known |= isCertain() ? CERTAIN : 0;
    out.writeByte(known);
    out.writeByte(flags);
    if (writes > 0) {
      out.writeInt(writes, true);
      out.writeLong(firstWrite, false);
      out.writeLong(lastWrite - firstWrite, true);
      out.writeInt(writer.length, true);
      out.writeBytes(writer);
    }
    if (isRead()) {
      out.writeLong(firstRead, false);
      out.writeLong(lastRead - firstRead, true);
      out.writeInt(readIn.length, true);
      out.writeInts(readIn, true);
    }
    if (isCertain()) {
      out.writeLong(firstCertainRead - firstRead, true);
    }
  }

  /** Becomes what was written. */
  void readFrom(Input in) {
    int known = in.readByte();
    flags = in.readByte();
    boolean isWritten = (known & WRITTEN) != 0;
    writes = isWritten ? in.readInt(true) : 0;
    firstWrite = isWritten ? in.readLong(false) : Long.MAX_VALUE;
    lastWrite = isWritten ? firstWrite + in.readLong(true) : START;
    writer = isWritten ? in.readBytes(in.readInt(true)) : null;
    boolean isRead = (known & READ) != 0;
    firstRead = isRead ? in.readLong(false) : Long.MAX_VALUE;
    lastRead = isRead ? firstRead + in.readLong(true) : START;
    readIn = isRead ? in.readInts(in.readInt(true), true) : NONE;
    firstCertainRead = (known & CERTAIN) != 0 ? firstRead + in.readLong(true) : Long.MAX_VALUE;
  }
}
