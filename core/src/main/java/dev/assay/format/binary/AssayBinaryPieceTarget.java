package dev.assay.format.binary;

import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.RawScalars;
import java.util.Arrays;

/** A history that takes in some of the blocks of a file, with a dictionary of its own. */
final class AssayBinaryPieceTarget extends AssayBinaryTarget {
  private final RawScalars scalars;
  private final AssayBinaryLists lists;

  /** Entries of the file's dictionary that the history has, and what they are there. */
  private final LongIndex used = new LongIndex();

  private long[] translated = new long[16];

  /** For each list read here how many elements its trace here shares with that of the file. */
  private final LongIndex read = new LongIndex();

  private int[] shared = new int[16];

  AssayBinaryPieceTarget(HistoryBuilder builder, RawScalars scalars, AssayBinaryLists lists) {
    super(builder);
    this.scalars = scalars;
    this.lists = lists;
  }

  @Override
  boolean translates() {
    return scalars.size() > 2;
  }

  @Override
  long scalar(long raw) {
    if (RawScalars.isInteger(raw) || raw == RawScalars.NIL || raw == RawScalars.UNKNOWN) {
      return raw;
    }
    int before = used.size();
    int index = used.indexOf(raw);
    if (index == before) {
      if (index == translated.length) {
        translated = Arrays.copyOf(translated, index * 2);
      }
      translated[index] = builder().scalars().of(scalars.get(raw));
    }
    return translated[index];
  }

  private long[] scalars(long[] raw, int from, int to) {
    long[] result = Arrays.copyOfRange(raw, from, to);
    for (int i = 0; translates() && i < result.length; i++) {
      result[i] = scalar(result[i]);
    }
    return result;
  }

  @Override
  int set(long[] elements, int from, int to) {
    long[] result = scalars(elements, from, to);
    return builder().setSequence(result, 0, result.length);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The trace here is the longest read of the list in this piece, that of the file the longest
   * of all. Where they share the prefix, its elements need not be named again.
   */
  @Override
  int list(long key, long prefix, long[] elements, int from, int to) throws BadBlock {
    int known = lists.length(key);
    if (prefix < 0 || prefix > known) {
      throw noTrace(prefix, known);
    }
    long here = scalar(key);
    int length = builder().traceLength(here);
    int index = read.indexOf(key);
    if (index == shared.length) {
      shared = Arrays.copyOf(shared, index * 2);
    }
    int id;
    int total = (int) prefix + to - from;
    if (prefix <= shared[index]) {
      long[] rest = scalars(elements, from, to);
      id = builder().listSequence(here, (int) prefix, rest, 0, rest.length);
    } else {
      long[] all = scalars(lists.prefixed(key, (int) prefix, elements, from, to), 0, total);
      id = builder().listSequence(here, all, 0, total);
    }
    boolean longest = total > known;
    lists.add(key, (int) prefix, elements, from, to);
    if (total > length) {
      shared[index] = longest ? total : (int) prefix;
    }
    return id;
  }
}
