package dev.assay.format.binary;

import dev.assay.history.LongIndex;
import java.util.Arrays;

/**
 * The longest read of each list so far, as a reader must know it that does not have the earlier
 * blocks; the counterpart of {@link AssayBinaryTraces}.
 */
final class AssayBinaryLists {
  private static final long[] NOTHING = {};

  private LongIndex keys = new LongIndex();
  private long[][] traces = new long[16][];
  private int[] lengths = new int[16];
  private boolean sharing = true;

  /** No read refers to another from now on, as in all that follows a journal. */
  void shareNothing() {
    sharing = false;
    keys = new LongIndex();
    traces = new long[16][];
    lengths = new int[16];
  }

  /** The length of the longest read of a list. */
  int length(long key) {
    int index = keys.find(key);
    return index < 0 ? 0 : lengths[index];
  }

  /** The first elements of the longest read, and then these. */
  long[] prefixed(long key, int prefix, long[] elements, int from, int to) {
    long[] all = new long[prefix + to - from];
    if (prefix > 0) {
      System.arraycopy(traces[keys.find(key)], 0, all, 0, prefix);
    }
    System.arraycopy(elements, from, all, prefix, to - from);
    return all;
  }

  /** Takes in a read: the first elements of the longest so far, and then these. */
  void add(long key, int prefix, long[] elements, int from, int to) {
    int length = prefix + to - from;
    if (!sharing || length <= length(key)) {
      return;
    }
    int index = keys.indexOf(key);
    if (index == traces.length) {
      traces = Arrays.copyOf(traces, index * 2);
      lengths = Arrays.copyOf(lengths, index * 2);
    }
    long[] trace = traces[index] == null ? NOTHING : traces[index];
    if (length > trace.length) {
      trace = Arrays.copyOf(trace, length + (length >> 1));
    }
    System.arraycopy(elements, from, trace, prefix, to - from);
    traces[index] = trace;
    lengths[index] = length;
  }
}
