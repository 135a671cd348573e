package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.assay.spark.input.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The appends to a list, and the reads of it. */
public final class ListAccess extends Access {
  /** A read, by the number of elements of the trace that it saw. */
  static final class Read {
    final long position;
    final int length;
    final boolean committed;

    Read(long position, int length, boolean committed) {
      this.position = position;
      this.length = length;
      this.committed = committed;
    }
  }

  private final ArrayList<Append> appends = new ArrayList<>();
  private final ArrayList<Read> reads = new ArrayList<>();

  /** The longest read. */
  private byte[][] trace = {};

  /** Whether some read is not the beginning of another. */
  private boolean isOdd;

  void append(byte[] element, long position, int how) {
    appends.add(new Append(element, position, how));
  }

  /** A read that saw the first elements of the trace. */
  void read(int length, long position, boolean committed) {
    reads.add(new Read(position, length, committed));
  }

  /** Some read is not the beginning of another. */
  void odd() {
    isOdd = true;
  }

  /** What the longest of some reads saw. */
  void see(byte[][] elements) {
    byte[][] longer = elements.length > trace.length ? elements : trace;
    byte[][] shorter = longer == elements ? trace : elements;
    for (int i = 0; i < shorter.length; i++) {
      isOdd |= !Arrays.equals(shorter[i], longer[i]);
    }
    trace = longer;
  }

  @Override
  public Access and(Access others) {
    ListAccess other = (ListAccess) others;
    see(other.trace);
    isOdd |= other.isOdd;
    appends.addAll(other.appends);
    reads.addAll(other.reads);
    return this;
  }

  /**
   * What reads show of the order of the elements.
   *
   * @param writes the append of each element of the trace; null if they are not all known, each
   *     written once by a transaction that counts
   * @param unseen the first position at which an element was appended that is not in the trace
   */
  private record Order(Append[] writes, long unseen) {}

  private Order order() {
    Map<Bytes, Append> byElement = new HashMap<>();
    boolean regular = !isOdd;
    for (Append append : appends) {
      regular &= byElement.put(new Bytes(append.element), append) == null;
    }
    Append[] writes = new Append[trace.length];
    Set<Bytes> seen = new HashSet<>();
    for (int i = 0; i < trace.length && regular; i++) {
      Bytes element = new Bytes(trace[i]);
      writes[i] = byElement.get(element);
      regular = seen.add(element) && writes[i] != null && writes[i].how != Version.ABORTED;
      if (regular && writes[i].how == Version.INDETERMINATE) {
        regular = firstCertainRead(i) != Long.MAX_VALUE;
      }
    }
    long unseen = Long.MAX_VALUE;
    for (Append append : appends) {
      if (append.how != Version.ABORTED && !seen.contains(new Bytes(append.element))) {
        unseen = Math.min(unseen, append.position);
      }
    }
    return regular ? new Order(writes, unseen) : null;
  }

  /** The position of the first committed read that saw an element of the trace. */
  private long firstCertainRead(int place) {
    long first = Long.MAX_VALUE;
    for (Read read : reads) {
      if (read.committed && read.length > place) {
        first = Math.min(first, read.position);
      }
    }
    return first;
  }

  @Override
  void keepTogether(LongPairs.Taking keep) {
    Order order = order();
    if (order == null) {
      long first = Long.MAX_VALUE;
      long last = START;
      for (Append append : appends) {
        first = Math.min(first, append.position);
        last = Math.max(last, append.position);
      }
      for (Read read : reads) {
        first = Math.min(first, read.position);
        last = Math.max(last, read.position);
      }
      keep.accept(first, last);
      return;
    }
    int size = trace.length;
    // The last append among the first n elements, and the first one among the others.
    long[] lastOf = new long[size + 1];
    long[] firstAfter = new long[size + 1];
    lastOf[0] = START;
    firstAfter[size] = order.unseen;
    for (int i = 0; i < size; i++) {
      long own = order.writes[i].position;
      if (lastOf[i] > own) {
        keep.accept(own, lastOf[i]);
      }
      lastOf[i + 1] = Math.max(lastOf[i], own);
      if (order.writes[i].how == Version.INDETERMINATE) {
        long certain = firstCertainRead(i);
        keep.accept(Math.min(own, certain), Math.max(own, certain));
      }
    }
    for (int i = size - 1; i >= 0; i--) {
      firstAfter[i] = Math.min(firstAfter[i + 1], order.writes[i].position);
    }
    for (Read read : reads) {
      if (lastOf[read.length] > read.position) {
        keep.accept(read.position, lastOf[read.length]);
      }
      if (firstAfter[read.length] < read.position) {
        keep.accept(firstAfter[read.length], read.position);
      }
    }
  }

  /**
   * What windows must know of the list: those that read it, the elements from before; those that
   * append to it and whose elements are read later, the order of these.
   */
  @Override
  public List<Carried> carried(byte[] key, Cuts cuts) {
    List<Carried> carried = new ArrayList<>();
    Order order = order();
    if (order == null) {
      return carried;
    }
    long lastRead = START;
    Set<Integer> reading = new HashSet<>();
    for (Read read : reads) {
      reading.add(cuts.window(read.position));
      lastRead = Math.max(lastRead, read.position);
    }
    for (int window : reading) {
      int before = 0;
      while (before < trace.length && order.writes[before].position < cuts.begin(window)) {
        before++;
      }
      if (before > 0) {
        carried.add(Carried.elements(window, key, Arrays.copyOf(trace, before)));
      }
    }
    for (int from = 0; from < trace.length; ) {
      int window = cuts.window(order.writes[from].position);
      int to = from;
      while (to < trace.length && cuts.window(order.writes[to].position) == window) {
        to++;
      }
      if (to - from > 1 && lastRead >= cuts.end(window)) {
        carried.add(Carried.order(window, key, Arrays.copyOfRange(trace, from, to)));
      }
      from = to;
    }
    return carried;
  }

  @Override
  void write(Output out) {
    out.writeBoolean(isOdd);
    out.writeInt(appends.size(), true);
    for (Append append : appends) {
      append.write(out);
    }
    out.writeInt(reads.size(), true);
    for (Read read : reads) {
      out.writeLong(read.position, false);
      out.writeInt(read.length << 1 | (read.committed ? 1 : 0), true);
    }
    Elements.write(out, trace);
  }

  static ListAccess read(Input in) {
    ListAccess list = new ListAccess();
    list.isOdd = in.readBoolean();
    for (int left = in.readInt(true); left > 0; left--) {
      list.appends.add(Append.read(in));
    }
    for (int left = in.readInt(true); left > 0; left--) {
      long position = in.readLong(false);
      int length = in.readInt(true);
      list.read(length >>> 1, position, (length & 1) != 0);
    }
    list.trace = Elements.read(in);
    return list;
  }
}
