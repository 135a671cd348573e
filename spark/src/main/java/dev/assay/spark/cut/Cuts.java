package dev.assay.spark.cut;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Where the history is cut. A cut separates what is before its position from what is at it or after
 * it. The windows are numbered from 0.
 */
public final class Cuts implements Serializable {
  private static final long serialVersionUID = 1;

  /** Positions between which there is at most one cut each. */
  private final long[] boundaries;

  private final long[] cuts;

  public Cuts(long[] boundaries, long[] cuts) {
    this.boundaries = boundaries;
    this.cuts = cuts;
  }

  public int windows() {
    return cuts.length + 1;
  }

  public int window(long position) {
    return countUpTo(cuts, position);
  }

  /** Where a window begins. */
  public long begin(int window) {
    return window == 0 ? Long.MIN_VALUE : cuts[window - 1];
  }

  /** Where the window after it begins. */
  public long end(int window) {
    return window == cuts.length ? Long.MAX_VALUE : cuts[window];
  }

  /** The first window that a bucket has a part in. */
  public int firstWindow(int bucket) {
    return bucket == 0 ? 0 : window(boundaries[bucket - 1]);
  }

  /** The last window that a bucket has a part in. */
  public int lastWindow(int bucket) {
    return bucket == boundaries.length ? cuts.length : window(boundaries[bucket] - 1);
  }

  /** The same without some of its cuts. */
  public Cuts without(boolean[] left) {
    long[] rest = new long[cuts.length];
    int size = 0;
    for (int i = 0; i < cuts.length; i++) {
      if (!left[i]) {
        rest[size++] = cuts[i];
      }
    }
    return new Cuts(boundaries, Arrays.copyOf(rest, size));
  }

  /** The bucket of a position: the number of boundaries that are not after it. */
  static int countUpTo(long[] sorted, long position) {
    int place = Arrays.binarySearch(sorted, position);
    return place >= 0 ? place + 1 : -place - 1;
  }
}
