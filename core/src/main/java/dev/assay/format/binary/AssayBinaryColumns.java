package dev.assay.format.binary;

import dev.assay.format.LongList;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.History;
import dev.assay.history.RawScalars;

/**
 * Columns of integers and scalars, each in the smallest of a few encodings. The reader of a column
 * knows its length; an empty column takes no bytes.
 */
final class AssayBinaryColumns {
  /**
   * Longer columns take at least one bit a value, so that a few bytes cannot claim, and make a
   * reader reserve, any amount of memory.
   */
  private static final int LARGE = 1 << 20;

  /** Number of values that predict the length of a column's varints. */
  private static final int SAMPLE = 1024;

  static final int CONSTANT = 0;
  static final int PACKED = 1;
  static final int DELTAS = 2;
  static final int RUNS = 3;
  static final int VARINTS = 4;

  static final int INTEGERS = 0;
  static final int REFERENCES = 1;
  static final int MIXED = 2;

  static final int NONE = 0;
  static final int ALL = 1;
  static final int SOME = 2;

  private AssayBinaryColumns() {}

  // ---- integers

  static void write(AssayBinaryOut out, LongList column) {
    write(out, column.array(), column.size(), true);
  }

  private static void write(AssayBinaryOut out, long[] values, int count, boolean mayUseRuns) {
    if (count == 0) {
      return;
    }
    Shape shape = new Shape(values, count);
    int encoding = shape.encoding(mayUseRuns);
    out.u8(encoding);
    switch (encoding) {
      case CONSTANT -> out.signed(values[0]);
      case PACKED -> {
        out.signed(shape.min);
        out.u8(shape.width());
        out.packed(values, 0, count, shape.min, shape.width());
      }
      case DELTAS -> {
        long[] deltas = new long[count - 1];
        for (int i = 1; i < count; i++) {
          deltas[i - 1] = values[i] - values[i - 1];
        }
        out.signed(values[0]);
        out.signed(shape.minDelta);
        out.u8(shape.deltaWidth());
        out.packed(deltas, 0, count - 1, shape.minDelta, shape.deltaWidth());
      }
      case RUNS -> writeRuns(out, values, count, shape.runs);
      default -> {
        out.signed(shape.min);
        for (int i = 0; i < count; i++) {
          out.varint(values[i] - shape.min);
        }
      }
    }
  }

  private static void writeRuns(AssayBinaryOut out, long[] values, int count, int runs) {
    long[] items = new long[runs];
    long[] lengths = new long[runs];
    int run = -1;
    for (int i = 0; i < count; i++) {
      if (i == 0 || values[i] != values[i - 1]) {
        items[++run] = values[i];
      }
      lengths[run]++;
    }
    out.varint(runs);
    write(out, items, runs, false);
    write(out, lengths, runs, false);
  }

  static long[] read(AssayBinaryIn in, int count) throws BadBlock {
    return read(in, count, true);
  }

  private static long[] read(AssayBinaryIn in, int count, boolean mayUseRuns) throws BadBlock {
    if (count > LARGE && count / 8 > in.remaining()) {
      throw new BadBlock("a column of " + count + " values in less than a bit each");
    }
    long[] values = new long[count];
    if (count == 0) {
      return values;
    }
    int encoding = in.u8();
    switch (encoding) {
      case CONSTANT -> java.util.Arrays.fill(values, in.signed());
      case PACKED -> {
        long min = in.signed();
        in.packed(values, 0, count, min, in.u8());
      }
      case DELTAS -> {
        values[0] = in.signed();
        long minDelta = in.signed();
        in.packed(values, 1, count - 1, minDelta, in.u8());
        for (int i = 1; i < count; i++) {
          values[i] += values[i - 1];
        }
      }
      case VARINTS -> {
        long min = in.signed();
        for (int i = 0; i < count; i++) {
          values[i] = min + in.varint();
        }
      }
      default -> {
        if (encoding != RUNS || !mayUseRuns) {
          throw new BadBlock("column encoding " + encoding);
        }
        readRuns(in, values);
      }
    }
    return values;
  }

  private static void readRuns(AssayBinaryIn in, long[] values) throws BadBlock {
    int runs = in.count(values.length, "runs");
    long[] items = read(in, runs, false);
    long[] lengths = read(in, runs, false);
    int filled = 0;
    for (int run = 0; run < runs; run++) {
      if (lengths[run] < 1 || lengths[run] > values.length - filled) {
        throw new BadBlock("a run of " + lengths[run]);
      }
      java.util.Arrays.fill(values, filled, filled + (int) lengths[run], items[run]);
      filled += (int) lengths[run];
    }
    if (filled != values.length) {
      throw new BadBlock("runs of " + filled + " values for " + values.length);
    }
  }

  /** What a pass over a column finds out, and the encoding that follows from it. */
  private static final class Shape {
    private final long[] values;
    private final int count;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long minDelta = Long.MAX_VALUE;
    private long maxDelta = Long.MIN_VALUE;
    private int runs = 1;
    private int longestRun = 1;

    Shape(long[] values, int count) {
      this.values = values;
      this.count = count;
      int runStart = 0;
      for (int i = 0; i < count; i++) {
        min = Math.min(min, values[i]);
        max = Math.max(max, values[i]);
        if (i > 0) {
          long delta = values[i] - values[i - 1];
          minDelta = Math.min(minDelta, delta);
          maxDelta = Math.max(maxDelta, delta);
          if (delta != 0) {
            runs++;
            longestRun = Math.max(longestRun, i - runStart);
            runStart = i;
          }
        }
      }
      longestRun = Math.max(longestRun, count - runStart);
    }

    int width() {
      return min == max && count <= LARGE ? 0 : bits(max - min);
    }

    int deltaWidth() {
      return minDelta == maxDelta && count <= LARGE ? 0 : bits(maxDelta - minDelta);
    }

    int encoding(boolean mayUseRuns) {
      if (runs == 1 && count <= LARGE) {
        return CONSTANT;
      }
      int best = PACKED;
      long bestBytes = (long) count * width() / 8;
      long deltaBytes = (long) count * deltaWidth() / 8;
      if (deltaBytes < bestBytes) {
        best = DELTAS;
        bestBytes = deltaBytes;
      }
      long runBytes = (long) runs * (width() + bits(longestRun)) / 8 + 8;
      if (mayUseRuns && count <= LARGE && runBytes < bestBytes) {
        best = RUNS;
        bestBytes = runBytes;
      }
      // Varints are slower to read than the rest and must be worth it.
      long worth = bestBytes - bestBytes / 8;
      return count < worth && varintBytes() < worth ? VARINTS : best;
    }

    /** As a sample of the values has it. */
    private long varintBytes() {
      int step = Math.max(1, count / SAMPLE);
      long bytes = 0;
      int looked = 0;
      for (int i = 0; i < count; i += step) {
        bytes += (bits(values[i] - min) + 6) / 7;
        looked++;
      }
      return bytes * count / looked;
    }

    private static int bits(long value) {
      return Math.max(1, 64 - Long.numberOfLeadingZeros(value));
    }
  }

  // ---- scalars

  /** Writes raw scalars; those that are not integers refer to the dictionary. */
  static void writeScalars(AssayBinaryOut out, LongList column) {
    int count = column.size();
    if (count == 0) {
      return;
    }
    if (hasOnlyIntegers(column)) {
      out.u8(INTEGERS);
      write(out, column);
      return;
    }
    LongList integers = new LongList();
    LongList references = new LongList();
    byte[] isReference = new byte[(count + 7) >>> 3];
    for (int i = 0; i < count; i++) {
      long raw = column.get(i);
      if (RawScalars.isInteger(raw)) {
        integers.add(raw);
      } else {
        references.add(raw - Long.MIN_VALUE);
        isReference[i >>> 3] |= (byte) (1 << (i & 7));
      }
    }
    if (integers.size() == 0) {
      out.u8(REFERENCES);
    } else {
      out.u8(MIXED);
      out.raw(isReference);
    }
    write(out, integers);
    write(out, references);
  }

  private static boolean hasOnlyIntegers(LongList column) {
    for (int i = 0; i < column.size(); i++) {
      if (!RawScalars.isInteger(column.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Reads raw scalars; {@code dictionary} has those that references name. */
  static long[] readScalars(AssayBinaryIn in, int count, long[] dictionary, int defined)
      throws BadBlock {
    if (count == 0) {
      return new long[0];
    }
    int form = in.u8();
    switch (form) {
      case INTEGERS -> {
        return integers(in, count);
      }
      case REFERENCES -> {
        return references(in, count, dictionary, defined);
      }
      case MIXED -> {
        byte[] isReference = in.raw((count + 7) >>> 3);
        int references = ones(isReference, count);
        long[] integers = integers(in, count - references);
        long[] referred = references(in, references, dictionary, defined);
        return merge(isReference, referred, integers, count);
      }
      default -> throw new BadBlock("scalar column form " + form);
    }
  }

  private static long[] integers(AssayBinaryIn in, int count) throws BadBlock {
    long[] values = read(in, count);
    long min = Long.MAX_VALUE;
    for (long value : values) {
      min = Math.min(min, value);
    }
    if (!RawScalars.isInteger(min)) {
      throw new BadBlock("integer " + min + " outside the dictionary");
    }
    return values;
  }

  private static long[] references(AssayBinaryIn in, int count, long[] dictionary, int defined)
      throws BadBlock {
    long[] values = read(in, count);
    for (int i = 0; i < count; i++) {
      if (values[i] < 0 || values[i] >= defined) {
        throw new BadBlock("a reference to dictionary entry " + values[i] + " of " + defined);
      }
      values[i] = dictionary[(int) values[i]];
    }
    return values;
  }

  // ---- columns that need not have every value

  /** Writes a column whose missing values are {@link History#ABSENT}; an empty one misses all. */
  static void writeOptional(AssayBinaryOut out, LongList column) {
    int count = column.size();
    int absent = 0;
    for (int i = 0; i < count; i++) {
      absent += column.get(i) == History.ABSENT ? 1 : 0;
    }
    if (absent == count) {
      out.u8(NONE);
      return;
    }
    if (absent == 0) {
      out.u8(ALL);
      write(out, column);
      return;
    }
    LongList present = new LongList();
    byte[] isPresent = new byte[(count + 7) >>> 3];
    for (int i = 0; i < count; i++) {
      if (column.get(i) != History.ABSENT) {
        present.add(column.get(i));
        isPresent[i >>> 3] |= (byte) (1 << (i & 7));
      }
    }
    out.u8(SOME);
    out.raw(isPresent);
    write(out, present);
  }

  /** The column, with {@link History#ABSENT} for missing values, or null when all are missing. */
  static long[] readOptional(AssayBinaryIn in, int count) throws BadBlock {
    int form = in.u8();
    switch (form) {
      case NONE -> {
        return null;
      }
      case ALL -> {
        return read(in, count);
      }
      case SOME -> {
        byte[] isPresent = in.raw((count + 7) >>> 3);
        int present = ones(isPresent, count);
        long[] absent = new long[count - present];
        java.util.Arrays.fill(absent, History.ABSENT);
        return merge(isPresent, read(in, present), absent, count);
      }
      default -> throw new BadBlock("optional column form " + form);
    }
  }

  private static int ones(byte[] bits, int count) throws BadBlock {
    int ones = 0;
    for (byte b : bits) {
      ones += Integer.bitCount(b & 0xff);
    }
    if ((count & 7) != 0 && (bits[count >>> 3] & 0xff) >>> (count & 7) != 0) {
      throw new BadBlock("bits beyond the column");
    }
    return ones;
  }

  private static long[] merge(byte[] bits, long[] ofOnes, long[] ofZeros, int count) {
    long[] merged = new long[count];
    int one = 0;
    int zero = 0;
    for (int i = 0; i < count; i++) {
      boolean bit = (bits[i >>> 3] >>> (i & 7) & 1) != 0;
      merged[i] = bit ? ofOnes[one++] : ofZeros[zero++];
    }
    return merged;
  }
}
