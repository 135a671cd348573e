package dev.assay.spark.cut;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * What is known of one value of one register: who wrote it, and who read it. Those of parts of the
 * history can be added up, in any order.
 */
public final class Version extends Access {
  private static final long serialVersionUID = 1;
  private static final int[] NONE = {};

  /** About what it takes without its arrays' contents. */
  private static final int OBJECT_BYTES = 120;

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
  public long estimatedSize() {
    return OBJECT_BYTES
        + Integer.BYTES * (long) readIn.length
        + (writer == null ? 0 : writer.length);
  }

  @Override
  public void keepTogether(BiConsumer<Long, Long> keep) {
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
  public List<Carried> carried(byte[] name, Cuts cuts) {
    if (!canBeCarried() || !isRead()) {
      return List.of();
    }
    int own = cuts.window(firstWrite);
    List<Carried> carried = new ArrayList<>();
    if (lastRead >= cuts.end(own)) {
      carried.add(Carried.last(own, name));
    }
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

  /** What is known of a version takes few bytes in a shuffle; there are as many as writes. */
  public static final class Codec extends Serializer<Version> {
    private static final int WRITTEN = 1;
    private static final int READ = 2;
    private static final int CERTAIN = 4;

    @Override
    public void write(Kryo kryo, Output out, Version version) {
      int known = version.writes > 0 ? WRITTEN : 0;
      known |= version.isRead() ? READ : 0;
      known |= version.isCertain() ? CERTAIN : 0;
      out.writeByte(known);
      out.writeByte(version.flags);
      if (version.writes > 0) {
        out.writeInt(version.writes, true);
        out.writeLong(version.firstWrite, false);
        out.writeLong(version.lastWrite - version.firstWrite, true);
        out.writeInt(version.writer.length, true);
        out.writeBytes(version.writer);
      }
      if (version.isRead()) {
        out.writeLong(version.firstRead, false);
        out.writeLong(version.lastRead - version.firstRead, true);
        out.writeInt(version.readIn.length, true);
        out.writeInts(version.readIn, true);
      }
      if (version.isCertain()) {
        out.writeLong(version.firstCertainRead - version.firstRead, true);
      }
    }

    @Override
    public Version read(Kryo kryo, Input in, Class<Version> type) {
      Version version = new Version();
      int known = in.readByte();
      version.flags = in.readByte();
      if ((known & WRITTEN) != 0) {
        version.writes = in.readInt(true);
        version.firstWrite = in.readLong(false);
        version.lastWrite = version.firstWrite + in.readLong(true);
        version.writer = in.readBytes(in.readInt(true));
      }
      if ((known & READ) != 0) {
        version.firstRead = in.readLong(false);
        version.lastRead = version.firstRead + in.readLong(true);
        version.readIn = in.readInts(in.readInt(true), true);
      }
      if ((known & CERTAIN) != 0) {
        version.firstCertainRead = version.firstRead + in.readLong(true);
      }
      return version;
    }
  }
}
