package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.List;

/** The transactions of a session: runs of them, each with its first and its last position. */
final class SessionAccess extends Access {
  private static final int FIELDS = 3;

  /** For each run, the number of its first transaction and its first and last position. */
  private long[] runs = {};

  /** Pairs of positions of transactions that follow each other against their positions. */
  private long[] backward = {};

  /** The next transaction in a run. */
  void add(long number, long position) {
    if (runs.length == 0) {
      runs = new long[] {number, position, position};
    } else if (position < runs[2]) {
      long[] pair = {position, runs[2]};
      backward = joined(backward, pair);
      runs[1] = Math.min(runs[1], position);
    } else {
      runs[2] = position;
    }
  }

  @Override
  public Access and(Access others) {
    SessionAccess other = (SessionAccess) others;
    runs = joined(runs, other.runs);
    backward = joined(backward, other.backward);
    return this;
  }

  private static long[] joined(long[] one, long[] other) {
    long[] all = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, all, one.length, other.length);
    return all;
  }

  /** Session order must not go backward over a cut. */
  @Override
  void keepTogether(LongPairs.Taking keep) {
    for (int i = 0; i < backward.length; i += 2) {
      keep.accept(backward[i], backward[i + 1]);
    }
    Integer[] order = new Integer[runs.length / FIELDS];
    Arrays.setAll(order, i -> i * FIELDS);
    Arrays.sort(order, (a, b) -> Long.compare(runs[a], runs[b]));
    long last = START;
    for (int run : order) {
      if (runs[run + 1] < last) {
        keep.accept(runs[run + 1], last);
      }
      last = Math.max(last, runs[run + 2]);
    }
  }

  @Override
  void events(LongPairs.Taking event) {
    // It is no key.
  }

  @Override
  public List<Carried> carried(byte[] name, Cuts cuts) {
    return List.of();
  }

  @Override
  void write(Output out) {
    out.writeInt(runs.length, true);
    out.writeLongs(runs, false);
    out.writeInt(backward.length, true);
    out.writeLongs(backward, false);
  }

  static SessionAccess read(Input in) {
    SessionAccess session = new SessionAccess();
    session.runs = in.readLongs(in.readInt(true), false);
    session.backward = in.readLongs(in.readInt(true), false);
    return session;
  }
}
