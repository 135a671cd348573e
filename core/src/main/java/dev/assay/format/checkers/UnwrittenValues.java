package dev.assay.format.checkers;

import dev.assay.format.LongList;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.RawScalars;

/**
 * Finds the initial state of a log that does not state it: what was read and is written nowhere in
 * the log was there before. A register begins with one value only, so that this is the first such
 * value of each key; a key that was seen not to exist begins with nothing.
 */
final class UnwrittenValues {
  private final PairIndex written = new PairIndex();

  /** Keys and values of reads in turn. */
  private final LongList reads = new LongList();

  void wrote(long rawKey, long rawValue) {
    written.indexOf(rawKey, rawValue);
  }

  void read(long rawKey, long rawValue) {
    reads.add(rawKey);
    reads.add(rawValue);
  }

  /** Declares the initial values to a builder for which 0 is one. */
  void declare(HistoryBuilder builder) {
    LongIndex settled = new LongIndex();
    for (int i = 0; i < reads.size(); i += 2) {
      if (isAbsent(reads.get(i + 1)) && !isWritten(i)) {
        settled.indexOf(reads.get(i));
      }
    }
    for (int i = 0; i < reads.size(); i += 2) {
      if (!isWritten(i) && settled.find(reads.get(i)) < 0) {
        settled.indexOf(reads.get(i));
        builder.rawInitially(reads.get(i), reads.get(i + 1));
      }
    }
  }

  private static boolean isAbsent(long value) {
    return value == 0 || value == RawScalars.NIL;
  }

  private boolean isWritten(int read) {
    return written.find(reads.get(read), reads.get(read + 1)) >= 0;
  }
}
