package dev.assay.format.binary;

import dev.assay.history.LongIndex;
import java.util.Arrays;

/**
 * The longest read of each list so far, as the writer must know it to write a read as a prefix of
 * that trace and the elements after it. A longer read takes the place of the trace, even where it
 * disagrees with it; {@link dev.assay.history.HistoryBuilder#traceLength} follows the same rule.
 */
final class AssayBinaryTraces {
  private static final long[] NOTHING = {};

  private final LongIndex keys = new LongIndex();
  private long[][] traces = new long[16][];
  private int[] lengths = new int[16];

  /** How many leading elements of this read the trace has; the trace then takes in the read. */
  int prefix(long rawKey, long[] elements, int from, int to) {
    int key = keys.indexOf(rawKey);
    if (key == traces.length) {
      traces = Arrays.copyOf(traces, key * 2);
      lengths = Arrays.copyOf(lengths, key * 2);
    }
    long[] trace = traces[key] == null ? NOTHING : traces[key];
    int length = to - from;
    int common = Math.min(length, lengths[key]);
    int mismatch = Arrays.mismatch(elements, from, from + common, trace, 0, common);
    int prefix = mismatch < 0 ? common : mismatch;
    if (length > lengths[key]) {
      if (length > trace.length) {
        trace = Arrays.copyOf(trace, length + (length >> 1));
      }
      System.arraycopy(elements, from + prefix, trace, prefix, length - prefix);
      traces[key] = trace;
      lengths[key] = length;
    }
    return prefix;
  }
}
