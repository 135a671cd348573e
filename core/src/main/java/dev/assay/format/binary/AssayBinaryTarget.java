package dev.assay.format.binary;

import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.HistoryBuilder;

/** The history that decoded blocks are added to; here one that takes in the whole file. */
class AssayBinaryTarget {
  private final HistoryBuilder builder;

  AssayBinaryTarget(HistoryBuilder builder) {
    this.builder = builder;
  }

  HistoryBuilder builder() {
    return builder;
  }

  /** Whether scalars of the file are others there. */
  boolean translates() {
    return false;
  }

  /** What a scalar of the file is there. */
  long scalar(long raw) {
    return raw;
  }

  /**
   * The id of the result of a list read.
   *
   * @param key the list, as a scalar of the file; the elements too
   * @param prefix how many elements of the trace of the list come before the elements
   */
  int list(long key, long prefix, long[] elements, int from, int to) throws BadBlock {
    int trace = builder.traceLength(key);
    if (prefix < 0 || prefix > trace) {
      throw noTrace(prefix, trace);
    }
    return builder.listSequence(key, (int) prefix, elements, from, to);
  }

  static BadBlock noTrace(long prefix, int trace) {
    return new BadBlock("a list read of " + prefix + " known elements where " + trace + " are");
  }

  /** The id of the result of a set read, whose elements are scalars of the file. */
  int set(long[] elements, int from, int to) {
    return builder.setSequence(elements, from, to);
  }
}
