package dev.assay.spark.input;

import dev.assay.format.binary.AssayBinaryRanges;
import java.io.Serializable;

/** A part of a history's file that one task reads. */
public final class Split implements Serializable {
  private static final long serialVersionUID = 1;

  /** Transactions of a split have numbers below this. */
  private static final int LOCAL_BITS = 38;

  final Source source;
  final int index;

  /**
   * Its first byte, and one past its last; lines belong to the split that they begin in. Of
   * Parquet, row groups instead.
   */
  final long start;

  final long end;

  /** The name of the format; null if all of the file is read as a stream. */
  final String format;

  /** The blocks of an {@code .assay} file; null for other formats, and where it is not divided. */
  public final AssayBinaryRanges.Range range;

  /** Whether positions are times; else they are the order in the file. */
  public final boolean timed;

  private Split(
      Source source,
      int index,
      long start,
      long end,
      String format,
      AssayBinaryRanges.Range range,
      boolean timed) {
    this.source = source;
    this.index = index;
    this.start = start;
    this.end = end;
    this.format = format;
    this.range = range;
    this.timed = timed;
  }

  public static Split whole(Source source) {
    return new Split(source, 0, 0, source.bytes, null, null, false);
  }

  public static Split of(Source source, int index, long start, long end, String format) {
    return new Split(source, index, start, end, format, null, false);
  }

  /** Blocks of an {@code .assay} file. */
  public static Split of(Source source, int index, AssayBinaryRanges.Range range) {
    return new Split(source, index, 0, source.bytes, null, range, false);
  }

  /** The same where positions are times. */
  public Split timed(boolean isTimed) {
    return new Split(source, index, start, end, format, range, isTimed);
  }

  /** The number of a transaction among all. */
  long number(long local) {
    return (long) index << LOCAL_BITS | local;
  }

  /** The split that has a transaction. */
  public static int of(long number) {
    return (int) (number >>> LOCAL_BITS);
  }
}
